/**
 * Oracle of protocol 7.9: one hash per number, parents link, exactly one chain link lists each decided operation, and
 * the lists replay. Closings of epochs are chain links. The chain is replayed once, on the reference ledger; each node
 * is compared with it.
 */
import { unreachable } from "../../../core/base/assert.ts";
import type { CheckpointNumber } from "../../../core/base/ids.ts";
import { paddedNumber, type Slot, slotKey } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { type Oracle, oracle, type ReportViolation } from "../../fold.ts";
import { type Chronicle, currentEpoch, signaturesOf } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import type { SlotSignatures } from "../../history/slot-signatures.ts";
import { coreOf, missingSignatures, signatureSummary } from "../../history/stall-text.ts";
import type { NodeName, RunSetting } from "../../observation.ts";
import { genesisLedger } from "../../reference/state.ts";
import { countText, joinNames, shortId, slotKeyName, slotName, valueText } from "../../text.ts";
import { chainLinkName, dropOldLinks, type ReplayedChain, type ReplayResult, withChainLink } from "./chain-replay.ts";
import { partsOf } from "./chain-roots.ts";

interface CheckpointsState extends ReplayedChain {
  readonly core: readonly NodeName[] | undefined;
  /** Number and epoch of each node's last link; the genesis if absent. */
  readonly places: Map<NodeName, ChainPosition>;
}

interface ChainPosition {
  readonly number: number;
  readonly epoch: number;
}

const GENESIS: ChainPosition = { number: 0, epoch: 0 };

const EVENT_TYPES = [
  "applied",
  "checkpointed",
  "closed",
  "crashed",
  "restarted",
  "healed",
  "forgotten",
  "ended",
] as const;

/** Checks the chain of checkpoints, and at a quiet end that it goes on, which is liveness. */
export function checkpoints(setting: RunSetting): Oracle {
  const ledger = genesisLedger(setting.genesis);
  const start: CheckpointsState = {
    core: undefined,
    links: Trie.empty(),
    forgotten: 0,
    ledger,
    parts: partsOf(ledger),
    decided: Trie.empty(),
    unlisted: Trie.empty(),
    places: new Map(),
  };
  return oracle("checkpoints", EVENT_TYPES, start, (state, seen, record, report) => {
    switch (record.type) {
      case "applied":
        return record.honest && !seen.isForgotten(slotKey(record.slot))
          ? noteUnlistedSlot(state, record, report)
          : state;
      case "checkpointed":
      case "closed":
        return record.honest ? checkLink(state, record, report) : state;
      case "crashed":
      case "restarted":
        state.places.delete(record.node);
        return state;
      case "forgotten":
        return { ...state, ...dropOldLinks(state, record) };
      case "healed":
        return { ...state, core: record.core };
      case "ended":
        if (state.core !== undefined && record.quiescent)
          checkListed(state, record.at - setting.livenessMs, report, () => nextLinkText(setting, seen, state));
        return state;
      default:
        return unreachable(record);
    }
  });
}

/** Every decision of an epoch is to be listed, in its closing at the latest. */
function noteUnlistedSlot(
  state: CheckpointsState,
  { node, slot, value, at, receipts }: Application,
  report: ReportViolation,
): CheckpointsState {
  const { places } = state;
  const { number, parameters } = state.ledger.epoch;
  // Runs without checkpoints avoid the cost: there the replay alone shows omissions of a closing.
  if (number === 0 && parameters.checkpoints === undefined) return state;
  const key = slotKey(slot);
  if (state.decided.has(key)) return state;
  const { epoch } = places.get(node) ?? GENESIS;
  if (epoch < number)
    report(`${node} applied ${slotName(slot)} in epoch ${epoch}, whose closing neither lists nor follows it`);
  const decided = state.decided.set(key, valueText(value));
  return { ...state, decided, unlisted: state.unlisted.set(key, { slot, at, receipts }) };
}

function checkLink(state: CheckpointsState, record: ReplayResult, report: ReportViolation): CheckpointsState {
  const { node, hash, value, root } = record;
  const { number, stateRoot } = value.header;
  const position = state.places.get(node) ?? GENESIS;
  report.judged();
  if (number !== position.number + 1) {
    report(`${node} applied ${chainLinkName(record)}, but ${position.number + 1} is its next`);
  }
  if (value.type === "closing" && value.epoch !== position.epoch)
    report(`${node} applied ${chainLinkName(record)} in epoch ${position.epoch}`);
  if (root !== stateRoot) {
    report(`${node} holds state root ${shortId(root)} after ${chainLinkName(record)}, expected ${shortId(stateRoot)}`);
  }
  state.places.set(node, { number, epoch: value.type === "closing" ? value.epoch + 1 : position.epoch });
  const known = state.links.get(paddedNumber(number));
  if (number <= state.forgotten) return state;
  if (known === undefined) return { ...state, ...withChainLink(state, record, report) };
  if (known.hash !== hash) {
    report(`checkpoint ${number} is ${shortId(hash)} at ${node} and ${shortId(known.hash)} at ${known.by}`);
  }
  return state;
}

/**
 * Checkpoints continue (protocol 7.8): a slot applied this long ago is listed. With fast clocks the last timestamp may
 * lie in the future, and no validator votes for the next checkpoint before it.
 */
function checkListed(
  { ledger, links, unlisted }: CheckpointsState,
  before: number,
  report: ReportViolation,
  standingNow: () => string,
): void {
  const policy = ledger.epoch.parameters.checkpoints;
  if (policy === undefined) return;
  const last = links.values().at(-1);
  if (last !== undefined && (last.timestamp + policy.periodSeconds) * 1_000 > before) return;
  const left = unlisted
    .values()
    .filter(({ at }) => at < before)
    .map(({ slot }) => slotKey(slot));
  if (left.length === 0) return;
  const subject = `${countText(left.length, "decided slot")} ${left.length === 1 ? "is" : "are"} in no checkpoint`;
  report(`${subject}: ${joinNames(left.map(slotKeyName))}. ${standingNow()}`, { invariant: "liveness" });
}

/** Returns sentences on the next link: what was signed for it, and what it needs. */
function nextLinkText(setting: RunSetting, seen: Chronicle, { core = [], places }: CheckpointsState): string {
  const open = currentEpoch(seen);
  const number = Math.max(0, ...[...places.values()].map((place) => place.number)) + 1;
  const signaturesFor = (slot: Slot): SlotSignatures => signaturesOf(seen, slotKey(slot), open.epoch);
  const closing: Slot = { kind: "epoch", epoch: open.epoch };
  const isClosing = signaturesFor(closing).rounds.length > 0;
  const slot: Slot = isClosing ? closing : { kind: "checkpoint", number: number as CheckpointNumber };
  const signatures = signaturesFor(slot);
  const context = { seen, core: coreOf({ setting, seen }, core, open) };
  const needed = missingSignatures(context, signatures, "the timeout of the slot");
  return `Next is ${slotName(slot)}: ${signatureSummary(context, signatures)}. Needed to proceed: ${needed}.`;
}
