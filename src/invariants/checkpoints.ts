/**
 * Design 7.9: one hash per number, parents link, each decided operation stands in exactly one checkpoint, and what they
 * list replays. The chain is replayed once, on the reference ledger; each node is compared with it.
 */
import { unreachable } from "../core/base/assert.ts";
import { fromHex } from "../core/base/encoding.ts";
import type { Hash, Millis } from "../core/base/ids.ts";
import type { SignedOperation } from "../core/base/operation.ts";
import { digits, type LedgerSlot, slotKey } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import { listRoot } from "../core/crypto/merkle-list.ts";
import type { Application } from "./application.ts";
import { type Oracle, oracle, type Report } from "./fold.ts";
import type { NodeName, RecordOf, Setting } from "./observation.ts";
import { atGenesis, type Constants, type LedgerState } from "./reference/state.ts";
import { applySlot } from "./reference-ledger.ts";
import { tokenAddress } from "./token-address.ts";
import { counted, listed, short, slotKeyName, slotName, valueText } from "./words.ts";

type Checkpointed = RecordOf<"checkpointed">;

/** A checkpoint as it was first applied by an honest node. */
interface Link {
  readonly hash: Hash;
  readonly timestamp: number;
  readonly by: NodeName;
}

interface State {
  readonly core: readonly NodeName[] | undefined;
  /** By digits of the number. */
  readonly links: Trie<Link>;
  /** The reference ledger after the last of them. */
  readonly ledger: LedgerState;
  /** The number of each node's last checkpoint; none stands at the genesis. */
  readonly numbers: Trie<number>;
  /** What honest nodes applied, by slot, as text of its value; and what of it no checkpoint lists yet. */
  readonly decided: Trie<string>;
  readonly unlisted: Trie<{ readonly slot: LedgerSlot; readonly at: Millis }>;
}

/** Judges the chain of checkpoints, and at a quiet end that nothing was left out of it. */
export function checkpoints(setting: Setting): Oracle {
  const constants: Constants = { genesis: setting.genesis, addressOf: tokenAddress };
  const start: State = {
    core: undefined,
    links: Trie.empty(),
    ledger: atGenesis(setting.genesis),
    numbers: Trie.empty(),
    decided: Trie.empty(),
    unlisted: Trie.empty(),
  };
  const isFormed = setting.genesis.checkpoints !== undefined;
  const heeds = ["applied", "checkpointed", "crashed", "restarted", "healed", "ended"] as const;
  return oracle("checkpoints", isFormed ? heeds : [], start, (state, _seen, record, report) => {
    switch (record.type) {
      case "applied":
        return record.honest ? applied(state, record) : state;
      case "checkpointed":
        return record.honest ? checkpointed(state, record, constants, report) : state;
      case "crashed":
      case "restarted":
        return { ...state, numbers: state.numbers.delete(record.node) };
      case "healed":
        return { ...state, core: record.core };
      case "ended":
        if (state.core !== undefined && record.rested) complete(state, record.at - setting.livenessMs, report);
        return state;
      default:
        return unreachable(record);
    }
  });
}

function applied(state: State, { slot, value, at }: Application): State {
  const key = slotKey(slot);
  if (state.decided.has(key)) return state;
  const decided = state.decided.set(key, valueText(value));
  return { ...state, decided, unlisted: state.unlisted.set(key, { slot, at }) };
}

function checkpointed(before: State, record: Checkpointed, constants: Constants, report: Report): State {
  const { node, hash, value, root } = record;
  const { number, stateRoot } = value.header;
  const expected = (before.numbers.get(node) ?? 0) + 1;
  if (number !== expected) report(`${node} applied checkpoint ${number}, but ${expected} is its next`);
  if (root !== stateRoot) {
    report(`${node} holds state root ${short(root)} after checkpoint ${number}, which says ${short(stateRoot)}`);
  }
  const state = { ...before, numbers: before.numbers.set(node, number) };
  const known = state.links.get(digits(number));
  if (known === undefined) return linked(state, record, constants, report);
  if (known.hash !== hash) {
    report(`checkpoint ${number} is ${short(hash)} at ${node} and ${short(known.hash)} at ${known.by}`);
  }
  return state;
}

/** The first sight of a number: judged by itself and against its parent. */
function linked(before: State, record: Checkpointed, constants: Constants, report: Report): State {
  const { node, hash, value, operations } = record;
  const { number, parentHash, timestamp, transactionsRoot } = value.header;
  const parent = before.links.get(digits(number - 1));
  if (parent === undefined ? number !== 1 : parent.hash !== parentHash) {
    report(`checkpoint ${number} of ${node} does not follow from its parent: it names ${short(parentHash)}`);
  }
  const period = constants.genesis.checkpoints?.periodSeconds ?? 0;
  const earliest = (parent?.timestamp ?? 0) + period;
  if (timestamp < earliest) report(`checkpoint ${number} has timestamp ${timestamp}, expected at least ${earliest}`);
  const links = before.links.set(digits(number), { hash, timestamp, by: node });
  let { ledger, unlisted } = before;
  const ids: Hash[] = [];
  let from = 0;
  for (const one of value.listed) {
    const own = operations.slice(from, from + one.copies.length);
    from += own.length;
    const outcome = replayed(before, ledger, number, one, own, constants, report);
    ledger = outcome.state;
    ids.push(...outcome.receipts.map(({ id }) => id));
    unlisted = unlisted.delete(slotKey(one.slot));
  }
  if (listRoot(ids.map((id) => fromHex(id))) !== transactionsRoot) {
    report(`checkpoint ${number} has a transactions root that is not of the ${counted(ids.length, "effect")} it lists`);
  }
  return { ...before, links, ledger, unlisted };
}

function replayed(
  { decided }: State,
  ledger: LedgerState,
  number: number,
  { slot, value }: Checkpointed["value"]["listed"][number],
  operations: readonly SignedOperation[],
  constants: Constants,
  report: Report,
): ReturnType<typeof applySlot> {
  const outcome = applySlot(ledger, slot, value, operations, constants);
  if (outcome.problems.length > 0) {
    report(`checkpoint ${number} lists ${slotName(slot)}, which does not follow: ${outcome.problems.join("; ")}`);
  }
  const known = decided.get(slotKey(slot));
  if (known !== undefined && known !== valueText(value)) {
    report(`checkpoint ${number} lists another value for ${slotName(slot)} than was decided`);
  }
  return outcome;
}

/** Checkpoints go on (design 7.8): what was applied this long ago is listed. */
function complete({ unlisted }: State, before: number, report: Report): void {
  const left = [...unlisted.values()].filter(({ at }) => at < before).map(({ slot }) => slotKey(slot));
  if (left.length === 0) return;
  report(`${counted(left.length, "decided slot")} stands in no checkpoint: ${listed(left.map(slotKeyName))}`);
}
