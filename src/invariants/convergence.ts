/** Design 7.7: once faults have healed and traffic has stopped, all honest nodes hold the same state. */

import { unreachable } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import { Trie } from "../core/base/trie.ts";
import { type Chronicler, chronicler } from "./chronicle.ts";
import { oracle, type Report } from "./fold.ts";
import type { Change, NodeName, ObservedToken, Oracle, Setting } from "./observation.ts";
import { listed, short, tokenName } from "./words.ts";

interface State {
  readonly core: readonly NodeName[] | undefined;
  readonly roots: Trie<Hash>;
  /** The last change of each thing at each node, to say what differs. */
  readonly facts: Trie<Trie<Change>>;
}

const START: State = { core: undefined, roots: Trie.empty(), facts: Trie.empty() };

/**
 * Compares the roots at the end with the core's, and says what differs first. Judges nothing that never healed, and no
 * run that was cut short amid traffic.
 */
export function convergence(setting: Setting, follow: Chronicler = chronicler(setting)): Oracle {
  return oracle<State>("convergence", follow, START, (state, _seen, record, report) => {
    switch (record.type) {
      case "changed": {
        if (!record.honest) return state;
        const facts = state.facts.get(record.node) ?? Trie.empty<Change>();
        return { ...state, facts: state.facts.set(record.node, facts.set(changeKey(record.change), record.change)) };
      }
      case "crashed":
      case "restarted":
        return { ...state, facts: state.facts.delete(record.node), roots: state.roots.delete(record.node) };
      case "healed":
        return { ...state, core: record.core };
      case "root":
        return record.honest ? { ...state, roots: state.roots.set(record.node, record.root) } : state;
      case "ended":
        if (state.core !== undefined && record.rested) compared(setting, state, state.core, report);
        return state;
      default:
        return state;
    }
  });
}

function compared(setting: Setting, state: State, core: readonly NodeName[], report: Report): void {
  const silent = core.filter((node) => !state.roots.has(node));
  if (silent.length > 0) report(`${listed(silent)} of the healed core ended without a state root`);
  const model = core.find((node) => state.roots.has(node));
  if (model === undefined) return;
  const right = commonRoot(state, core);
  const agreeing = core.find((node) => state.roots.get(node) === right) ?? model;
  for (const [node, root] of state.roots.entries()) {
    if (root === right) continue;
    report(
      `${node} ends with state root ${short(root)}, ${agreeing} of the core with ${short(right)}; ` +
        firstDifference(setting, state, node, agreeing),
    );
  }
}

/** The root that most of the core ends with; the first in its order where two are as common. */
function commonRoot(state: State, core: readonly NodeName[]): Hash {
  const counts = new Map<Hash, number>();
  for (const node of core) {
    const root = state.roots.get(node);
    if (root !== undefined) counts.set(root, (counts.get(root) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Counters tell more than balances, since a missing slot moves both: so they are looked at first. */
const TELLING: readonly Change["of"][] = ["account", "token", "authorised", "burned", "pool", "balance"];

function firstDifference(setting: Setting, state: State, node: NodeName, other: NodeName): string {
  const here = state.facts.get(node) ?? Trie.empty<Change>();
  const there = state.facts.get(other) ?? Trie.empty<Change>();
  const unlike = here.differences(there).filter(({ before, after }) => factWords(before) !== factWords(after));
  for (const of of TELLING) {
    const first = unlike.filter(({ key }) => key.startsWith(`${of}/`)).sort((a, b) => (a.key < b.key ? -1 : 1))[0];
    if (first === undefined) continue;
    const what = keyWords(setting, first.before ?? (first.after as Change));
    return `first difference: ${what}: ${factWords(first.before)} at ${node}, ${factWords(first.after)} at ${other}`;
  }
  return "the changes observed do not tell where";
}

/** What a change is about, as a map key. */
function changeKey(change: Change): string {
  switch (change.of) {
    case "balance":
      return `balance/${change.token}/${change.address}`;
    case "account":
      return `account/${change.address}`;
    case "token":
    case "pool":
    case "burned":
      return `${change.of}/${change.token}`;
    case "authorised":
      return `authorised/${change.id}`;
    default:
      return unreachable(change);
  }
}

function keyWords(setting: Setting, change: Change): string {
  switch (change.of) {
    case "balance":
      return `${tokenName(setting.genesis, change.token)} balance of ${short(change.address)}`;
    case "account":
      return `account ${short(change.address)}`;
    case "token":
      return `policy of ${tokenName(setting.genesis, change.token)}`;
    case "pool":
    case "burned":
      return `${change.of} of ${tokenName(setting.genesis, change.token)}`;
    case "authorised":
      return `operation ${short(change.id)}`;
    default:
      return unreachable(change);
  }
}

/** An operation that left the authorised set is as one that never entered it. */
function factWords(change: Change | undefined): string {
  if (change === undefined) return "untouched";
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
      return change.present ? "authorised" : "untouched";
    default:
      return unreachable(change);
  }
}

function tokenWords(token: ObservedToken): string {
  const roles = token.roles.map(({ role, address, allowance }) => `${role} ${short(address)} ${allowance}`).sort();
  const lists = [
    ...token.blacklist.map((one) => `- ${short(one)}`),
    ...token.whitelist.map((one) => `+ ${short(one)}`),
  ].sort();
  const state = token.isPaused ? "paused" : "unpaused";
  const policy = `roles [${roles.join(", ")}], lists [${lists.join(", ")}]`;
  return `version ${token.version}, ${state}, minted ${token.minted}, ${policy}`;
}
