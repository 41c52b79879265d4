/** Oracle of protocol 7.7: once faults have healed and traffic has stopped, all honest nodes hold the same state. */

import { unreachable } from "../../core/base/assert.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Epoch, Hash, Millis } from "../../core/base/ids.ts";
import { Trie } from "../../core/base/trie.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle } from "../history/chronicle.ts";
import { CATCH_UP_MS } from "../limits.ts";
import type { Change, EventOf, NodeName, ObservedToken, RunSetting } from "../observation.ts";
import { type ChangedSubject, joinNames, shortId, subjectName } from "../text.ts";

interface ConvergenceState {
  core: readonly NodeName[] | undefined;
  /** In the order of the nodes' names. */
  ends: Trie<EventOf<"finalState">>;
  /** Time at which the first honest node applied the closing of an epoch. */
  readonly closings: Map<Epoch, Millis>;
}

/**
 * Compares the final roots with the core's and reports the first difference. Skips runs without healing and runs cut
 * short amid traffic. If empty checkpoints close epochs, traffic never stops: a node, or the core, may lack a closing
 * younger than `CATCH_UP_MS`.
 */
export function convergence(): Oracle {
  const start: ConvergenceState = { core: undefined, ends: Trie.empty(), closings: new Map() };
  return oracle("convergence", start, {
    healed: (state, { core }) => {
      state.core = core;
    },
    closed: ({ closings }, { honest, value, at }) => {
      if (honest) entryOf(closings, value.epoch, () => at);
    },
    finalState: (state, record) => {
      if (record.honest) state.ends = state.ends.set(record.node, record);
    },
    ended: compareStates,
  });
}

function compareStates(
  { core, ends, closings }: ConvergenceState,
  { quiescent, at }: EventOf<"ended">,
  { setting }: Chronicle,
  report: ReportViolation,
): void {
  if (core === undefined || !quiescent) return;
  const silent = core.filter((node) => !ends.has(node));
  if (silent.length > 0) report(`${joinNames(silent)} of the healed core ended without a state root`);
  const right = commonRoot(ends, core);
  const model = core.flatMap((node) => ends.get(node) ?? []).find(({ root }) => root === right);
  if (model === undefined) return;
  for (const end of ends.values()) {
    if (end.node !== model.node) report.judged();
    if (end.root === right) continue;
    const next = closings.get(Math.min(end.epoch, model.epoch) as Epoch);
    // A closing that one state contains and no record shows is being written at this moment.
    const isYoung = next === undefined ? end.epoch !== model.epoch : at < next + CATCH_UP_MS;
    if (isYoung) continue;
    report(
      `${end.node} ends with state root ${shortId(end.root)}, ${model.node} of the core with ${shortId(model.root)}; ` +
        (end.epoch === model.epoch
          ? firstDifference(setting, end, model)
          : `${end.node} is in epoch ${end.epoch}, ${model.node} in epoch ${model.epoch}`),
    );
  }
}

/** Most common root of the core at the end; the first one in a tie. */
function commonRoot(ends: ConvergenceState["ends"], core: readonly NodeName[]): Hash | undefined {
  const counts = new Map<Hash, number>();
  for (const node of core) {
    const root = ends.get(node)?.root;
    if (root !== undefined) counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/** Counters first: a missing slot changes both counters and balances, and counters name the slot. */
const TELLING: readonly Change["of"][] = ["account", "token", "authorised", "burned", "pool", "balance"];

function firstDifference(
  setting: RunSetting,
  firstState: EventOf<"finalState">,
  secondState: EventOf<"finalState">,
): string {
  const differences = factsOf(firstState)
    .differences(factsOf(secondState))
    .filter(({ before, after }) => factWords(before) !== factWords(after));
  for (const of of TELLING) {
    const first = differences.filter(({ key }) => key.startsWith(`${of}/`)).sort((a, b) => (a.key < b.key ? -1 : 1))[0];
    if (first === undefined) continue;
    const entry = subjectName(setting.genesis, first.before ?? (first.after as Change));
    const [mine, theirs] = [factWords(first.before), factWords(first.after)];
    return `first difference: ${entry}: ${mine} at ${firstState.node}, ${theirs} at ${secondState.node}`;
  }
  return "no difference in the observed changes";
}

function factsOf({ facts }: EventOf<"finalState">): Trie<Change> {
  const keyOf = ({ of, token, address, id }: ChangedSubject): string => [of, token, address, id].join("/");
  return Trie.of(facts.map((change) => [keyOf(change), change]));
}

/** An operation that left the authorised set equals one that never entered it. */
function factWords(change: Change | undefined): string {
  if (change === undefined) return "unchanged";
  switch (change.of) {
    case "balance":
    case "pool":
    case "burned":
      return String(change.after);
    case "account":
      return `nonce ${change.nonce}, sequence ${change.sequence}`;
    case "token":
      return tokenWords(change.after);
    case "authorised":
      return change.present ? "authorised" : "unchanged";
    default:
      return unreachable(change);
  }
}

function tokenWords(token: ObservedToken): string {
  const roles = token.roles.map(({ role, address, allowance }) => `${role} ${shortId(address)} ${allowance}`).sort();
  const lists = [
    ...token.blacklist.map((address) => `- ${shortId(address)}`),
    ...token.whitelist.map((address) => `+ ${shortId(address)}`),
  ].sort();
  const state = token.isPaused ? "paused" : "unpaused";
  const policy = `roles [${roles.join(", ")}], lists [${lists.join(", ")}]`;
  return `version ${token.version}, ${state}, minted ${token.minted}, ${policy}`;
}
