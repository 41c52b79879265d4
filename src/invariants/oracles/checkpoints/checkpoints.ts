/**
 * Oracle of protocol 7.9: one hash per number, parents link, exactly one chain link lists each decided operation, and
 * the lists replay. Closings of epochs are chain links. The chain is replayed once, on the reference ledger; each node
 * is compared with it.
 */
import type { CheckpointNumber } from "../../../core/base/ids.ts";
import { paddedNumber, type Slot, slotKey } from "../../../core/base/slot.ts";
import { dropNode, type Oracle, oracle, type ReportViolation } from "../../fold.ts";
import { type Chronicle, currentEpoch, signaturesOf } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import type { SlotSignatures } from "../../history/slot-signatures.ts";
import { coreOf, missingSignatures, signatureSummary } from "../../history/stall-text.ts";
import type { EventOf, NodeName, RunSetting } from "../../observation.ts";
import { countText, joinNames, shortId, slotKeyName, slotName, valueText } from "../../text.ts";
import {
  addChainLink,
  chainAtGenesis,
  chainLinkName,
  dropOldLinks,
  type ReplayedChain,
  type ReplayResult,
} from "./chain-replay.ts";

interface CheckpointsState extends ReplayedChain {
  core: readonly NodeName[] | undefined;
  /** Number and epoch of each node's last link; the genesis if absent. */
  readonly places: Map<NodeName, ChainPosition>;
}

interface ChainPosition {
  readonly number: number;
  readonly epoch: number;
}

const GENESIS: ChainPosition = { number: 0, epoch: 0 };

/** Checks the chain of checkpoints, and at a quiet end that it goes on, which is liveness. */
export function checkpoints(setting: RunSetting): Oracle {
  const start: CheckpointsState = { ...chainAtGenesis(setting.genesis), core: undefined, places: new Map() };
  return oracle("checkpoints", start, {
    applied: noteUnlistedSlot,
    checkpointed: checkLink,
    closed: checkLink,
    crashed: ({ places }, record) => dropNode(places, record),
    restarted: ({ places }, record) => dropNode(places, record),
    forgotten: dropOldLinks,
    healed: (state, { core }) => {
      state.core = core;
    },
    ended: checkListed,
  });
}

/** Every decision of an epoch is to be listed, in its closing at the latest. */
function noteUnlistedSlot(
  state: CheckpointsState,
  { node, honest, slot, value, at, receipts }: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { number, parameters } = state.ledger.epoch;
  // Runs without checkpoints avoid the cost: there the replay alone shows omissions of a closing.
  if (number === 0 && parameters.checkpoints === undefined) return;
  const key = slotKey(slot);
  if (!honest || state.decided.has(key) || chronicle.isForgotten(key)) return;
  const { epoch } = state.places.get(node) ?? GENESIS;
  if (epoch < number)
    report(`${node} applied ${slotName(slot)} in epoch ${epoch}, whose closing neither lists nor follows it`);
  state.decided = state.decided.set(key, valueText(value));
  state.unlisted = state.unlisted.set(key, { slot, at, receipts });
}

function checkLink(
  state: CheckpointsState,
  record: ReplayResult,
  _chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { node, honest, hash, value, root } = record;
  if (!honest) return;
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
  if (number <= state.forgotten) return;
  const firstLink = state.links.get(paddedNumber(number));
  if (firstLink === undefined) addChainLink(state, record, report);
  else if (firstLink.hash !== hash)
    report(`checkpoint ${number} is ${shortId(hash)} at ${node} and ${shortId(firstLink.hash)} at ${firstLink.by}`);
}

/**
 * Checkpoints continue (protocol 7.8): a slot applied this long ago is listed. With fast clocks the last timestamp may
 * lie in the future, and no validator votes for the next checkpoint before it.
 */
function checkListed(
  state: CheckpointsState,
  { quiescent, at }: EventOf<"ended">,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { core, ledger, links, unlisted } = state;
  const before = at - chronicle.setting.livenessMs;
  const policy = ledger.epoch.parameters.checkpoints;
  if (core === undefined || !quiescent || policy === undefined) return;
  const last = links.values().at(-1);
  if (last !== undefined && (last.timestamp + policy.periodSeconds) * 1_000 > before) return;
  const left = unlisted
    .values()
    .filter(({ at }) => at < before)
    .map(({ slot }) => slotKey(slot));
  if (left.length === 0) return;
  const subject = `${countText(left.length, "decided slot")} ${left.length === 1 ? "is" : "are"} in no checkpoint`;
  report(`${subject}: ${joinNames(left.map(slotKeyName))}. ${nextLinkText(chronicle, state)}`, {
    invariant: "liveness",
  });
}

/** Returns sentences on the next link: what was signed for it, and what it needs. */
function nextLinkText(chronicle: Chronicle, { core = [], places }: CheckpointsState): string {
  const open = currentEpoch(chronicle);
  const number = Math.max(0, ...[...places.values()].map((place) => place.number)) + 1;
  const signaturesFor = (slot: Slot): SlotSignatures => signaturesOf(chronicle, slotKey(slot), open.epoch);
  const closing: Slot = { kind: "epoch", epoch: open.epoch };
  const isClosing = signaturesFor(closing).rounds.length > 0;
  const slot: Slot = isClosing ? closing : { kind: "checkpoint", number: number as CheckpointNumber };
  const signatures = signaturesFor(slot);
  const context = { chronicle, core: coreOf(chronicle, core, open) };
  const needed = missingSignatures(context, signatures, "the timeout of the slot");
  return `Next is ${slotName(slot)}: ${signatureSummary(context, signatures)}. Needed to proceed: ${needed}.`;
}
