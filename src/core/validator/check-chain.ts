/**
 * Checks that decide if this validator votes for a checkpoint or a closing, without effects: the base, the slots that it
 * has to list, and roots recomputed from the base's state; causes and claims of a close (protocol 6.1, 6.3).
 */
import type { CheckpointPolicy, EpochParameters } from "../base/epoch.ts";
import type { Millis } from "../base/ids.ts";
import { ACCEPT, type CheckResult, refuseConflict, refuseProposal, wait } from "../base/refusal.ts";
import {
  type ChainSlot,
  type CheckpointSlot,
  type ClosingValue,
  chainSlotOf,
  type EpochSlot,
  isChainSlot,
  type LedgerSlot,
  type ListedDecision,
  slotKey,
  slotNumber,
} from "../base/slot.ts";
import type { AnyCertificate } from "../consensus/certificate.ts";
import { type ClosingEvidence, closesOf } from "../consensus/close.ts";
import { closingTransitionOf } from "../ledger/checkpoint.ts";
import { isPastEpochEnd, lastCheckpointOf, parametersFault } from "../ledger/epoch.ts";
import { textTooLong } from "../ledger/field-rules.ts";
import { EXTRA_DATA_BYTES } from "../ledger/limits.ts";
import { type LedgerState, nextOf } from "../ledger/state.ts";
import { encodeParameters } from "../ledger/value.ts";
import {
  type Cause,
  type ChainContent,
  type CheckpointContent,
  type ClosingContent,
  type Content,
  isCheckpoint,
  isClosing,
  sizeOf,
} from "./content.ts";
import type { DecisionInputs, DecisionView } from "./decision-inputs.ts";
import { CLOCK_AHEAD_MS } from "./limits.ts";
import { proofFault } from "./slots/content-check.ts";
import type { AppliedChainLink } from "./sub-states.ts";

/** Chain link that another one builds on. */
export type ChainBase = Pick<AppliedChainLink, "hash" | "header" | "state">;

/** Requires the hash of its base. */
function parentFault(base: ChainBase, { value }: ChainContent): string | undefined {
  const { parentHash } = value.header;
  return parentHash === base.hash ? undefined : `parent ${parentHash}, expected ${base.hash}`;
}

/** Requires a time that is not before `earliest`, in seconds. */
function timestampFault(earliest: number, { value }: ChainContent): string | undefined {
  const { timestamp } = value.header;
  return timestamp < earliest ? `timestamp ${timestamp}, expected at least ${earliest}` : undefined;
}

/**
 * Requires of a decided chain link that it belongs in its slot and follows `base`. A Byzantine quorum can decide in one
 * slot the value of another.
 */
export function successionFault(slot: ChainSlot, base: ChainBase, { value }: ChainContent): string | undefined {
  const [decided, chainSlot] = [slotKey(slot), slotKey(chainSlotOf(value))];
  if (chainSlot !== decided) return `${decided} decides the value of ${chainSlot}`;
  const { number, parentHash } = value.header;
  return number === base.header.number + 1 && parentHash === base.hash
    ? undefined
    : `chain link ${number} does not follow chain link ${base.header.number}`;
}

/** Requires bounded extra data, and the size of the copies which it shows. */
export function chainHeaderFault(
  { environment }: DecisionView,
  { value, operations }: ChainContent,
): string | undefined {
  const { extraData, size: claimed } = value.header;
  const extra = textTooLong("extra data", extraData, EXTRA_DATA_BYTES);
  if (extra !== undefined && "reason" in extra) return `extra data ${extra.reason}`;
  const size = sizeOf(operations, environment.hashes.copy);
  return claimed === size ? undefined : `size ${claimed}, expected ${size}`;
}

/**
 * Recomputes every root from the base's state, and waits for the clock before it accepts a timestamp: beyond the later of
 * the clock plus 5 s and the time of the base. A chain link never has an earlier time than its base, so a clock that was
 * set back delays no closing; between two checkpoints the period holds, by the clocks of the voters (protocol 6.1).
 */
function checkRootsAndTime(state: DecisionView, clock: Millis, base: ChainBase, content: ChainContent): CheckResult {
  const after = stateAfter(state.environment, base.state, content, ["stateRoot", "transactionsRoot", "receiptsRoot"]);
  if (typeof after === "string") return refuseProposal(after);
  const isAhead = content.value.header.timestamp > base.header.timestamp && clockDelay(clock, content.value) > 0;
  return isAhead ? waitWithProposal("its timestamp is ahead of this clock") : ACCEPT;
}

/**
 * Returns the state after a chain link, or why replaying it on `base` does not lead to the roots that it names, of
 * these. Cost: O(list), once.
 */
export function stateAfter(
  { hashes }: Pick<DecisionInputs, "hashes">,
  base: LedgerState,
  { value, operations }: ChainContent,
  roots: readonly ("stateRoot" | "transactionsRoot" | "receiptsRoot")[] = ["stateRoot"],
): LedgerState | string {
  const replayed = hashes.replay(base, value.listed, operations, closingTransitionOf(value));
  if (replayed.outcome === "broken") return replayed.reason;
  for (const name of roots) {
    const [claimed, expected] = [value.header[name], replayed.roots[name]];
    if (claimed !== expected) return `${name} ${claimed}, expected ${expected}`;
  }
  return replayed.state;
}

/** Returns why a list contradicts a decision here: one of its slots was decided for another value. */
export function conflictFault(
  { slots: { records: slots }, environment }: ConflictInputs,
  listed: readonly ListedDecision[],
): string | undefined {
  for (const { slot, value } of listed) {
    const decided = slots.get(slotKey(slot))?.decided;
    if (decided !== undefined && decided.value !== environment.hashes.value(value))
      return `${slotKey(slot)} was decided for another value`;
  }
  return undefined;
}

type ConflictInputs = Pick<DecisionView, "slots"> & { readonly environment: Pick<DecisionInputs, "hashes"> };

/** Waits with a value that cannot be checked yet. */
export function waitWithProposal(reason: string): CheckResult {
  return wait({ code: "validation_proposal", reason });
}

/** Returns the check result for a checkpoint of the next number whose content proves itself. */
export function checkCheckpoint(
  state: DecisionView,
  clock: Millis,
  slot: CheckpointSlot,
  content: Content,
): CheckResult {
  const { checkpoints: policy } = state.ledger.parameters;
  if (policy === undefined || !isCheckpoint(content)) return refuseProposal("this slot decides no such value");
  const { header, listed } = content.value;
  if (header.number !== slot.number) return refuseProposal(`number ${header.number}, expected ${slot.number}`);
  const conflict = parentFault(state.checkpoints.last, content);
  if (conflict !== undefined) return refuseConflict(conflict);
  if (isPastEpochEnd(state.ledger, header.number))
    return refuseProposal(`the epoch ends before checkpoint ${header.number}`);
  const fault = checkpointHeaderFault(state, policy, content) ?? repetitionFault(state, listed);
  if (fault !== undefined) return refuseProposal(fault);
  const rival = conflictFault(state, listed);
  if (rival !== undefined) return refuseConflict(rival);
  if (missingSlots(state, content).length > 0) return waitWithProposal("decisions that it lists are not here");
  return checkRootsAndTime(state, clock, state.checkpoints.last, content);
}

/** Returns the listed slots without a decision here, without which it does not vote (protocol 6.1). */
export function missingSlots(state: DecisionView, { value }: CheckpointContent): readonly LedgerSlot[] {
  return value.listed
    .map(({ slot }) => slot)
    .filter((slot) => state.slots.records.get(slotKey(slot))?.decided === undefined);
}

/** Returns the milliseconds until a timestamp is near enough to this validator's clock; at most 0 if it is now. */
export function clockDelay(clock: Millis, { header }: Pick<ChainBase, "header">): number {
  return header.timestamp * 1_000 - CLOCK_AHEAD_MS - clock;
}

function checkpointHeaderFault(
  state: DecisionView,
  policy: CheckpointPolicy,
  content: CheckpointContent,
): string | undefined {
  const { listed } = content.value;
  const parent = state.checkpoints.last;
  const fault = timestampFault(parent.header.timestamp + policy.periodSeconds, content);
  if (fault !== undefined) return fault;
  if (listed.length > policy.limit) return `${listed.length} slots, expected at most ${policy.limit}`;
  if (listed.length === 0 && !policy.empty) return "it lists nothing";
  return chainHeaderFault(state, content);
}

/** Rejects a slot that an earlier checkpoint lists. */
function repetitionFault(state: DecisionView, listed: readonly ListedDecision[]): string | undefined {
  const earlier = listed.find(({ slot }) => slotNumber(slot) < nextOf(state.checkpoints.last.state, slot));
  return earlier === undefined ? undefined : `${slotKey(earlier.slot)} was listed before`;
}

/** Checkpoint between this validator's own and the base of a closing, with the state after it. */
export type LockedCheckpoint = Readonly<{ content: CheckpointContent; state: LedgerState }>;

export type BaseResult =
  | {
      readonly kind: "base";
      readonly base: ChainBase;
      /** Above this validator's own checkpoint. */
      readonly above: readonly LockedCheckpoint[];
    }
  /** Final checkpoints up to this number have to be applied here first. */
  | { readonly kind: "behind"; readonly number: number }
  /** No closing may show this. */
  | { readonly kind: "fault"; readonly reason: string }
  /** The closes contradict what was decided here. */
  | { readonly kind: "conflict"; readonly reason: string };

/**
 * Returns the base, reached from this validator's last checkpoint. `checkpoints`: those that the closes show, in order;
 * `locked`: the contents of those that are shown locked only.
 */
export function baseOf(
  state: Pick<DecisionView, "checkpoints" | "environment">,
  checkpoints: readonly AnyCertificate[],
  locked: readonly CheckpointContent[],
): BaseResult {
  const lastNumber = state.checkpoints.last.header.number;
  const top = checkpoints.at(-1);
  const number = top === undefined ? state.checkpoints.last.state.opened : slotNumber(top.slot);
  if (number < lastNumber)
    return { kind: "conflict", reason: `it builds on checkpoint ${number}, and checkpoint ${lastNumber} is final` };
  let base: ChainBase = state.checkpoints.last;
  const above: LockedCheckpoint[] = [];
  for (const claim of checkpoints) {
    const at = slotNumber(claim.slot);
    if (at < lastNumber) continue;
    if (at === lastNumber) {
      if (claim.value !== state.checkpoints.last.hash)
        return { kind: "conflict", reason: `checkpoint ${lastNumber} was decided for another value` };
      continue;
    }
    if (claim.type === "finality") return { kind: "behind", number: at };
    const content = locked.find(({ value }) => state.environment.hashes.value(value) === claim.value);
    if (content === undefined) return { kind: "fault", reason: `checkpoint ${at} is not shown` };
    const misplaced = successionFault(chainSlotOf(content.value), base, content);
    if (misplaced !== undefined) return { kind: "conflict", reason: misplaced };
    const next = extendBase(state, base, content);
    if (typeof next === "string") return { kind: "fault", reason: next };
    base = next;
    above.push({ content, state: next.state });
  }
  return { kind: "base", base, above };
}

function extendBase(
  { environment }: Pick<DecisionView, "environment">,
  base: ChainBase,
  content: CheckpointContent,
): ChainBase | string {
  const { header } = content.value;
  const state = stateAfter(environment, base.state, content);
  if (typeof state === "string") return `checkpoint ${header.number}: ${state}`;
  return { hash: environment.hashes.value(content.value), header, state };
}

/** Returns the decisions that the closes of a closing which proves itself imply. */
export function evidenceIn(
  { environment }: Pick<DecisionView, "environment">,
  { value, closing }: ClosingContent,
): ClosingEvidence {
  return environment.rules.consensus.closingEvidenceOf(closesOf(closing, value.epoch) ?? []);
}

/** Returns the check result for a closing of this epoch whose content proves itself. */
export function checkClosing(state: DecisionView, clock: Millis, slot: EpochSlot, content: Content): CheckResult {
  if (!isClosing(content) || content.value.epoch !== slot.epoch)
    return refuseProposal("this slot decides no such value");
  const { locked, cause } = content.closing;
  const { checkpoints, decided } = evidenceIn(state, content);
  const baseResult = baseOf(state, checkpoints, locked);
  if (baseResult.kind === "behind") return waitWithProposal(`checkpoint ${baseResult.number} is not here`);
  if (baseResult.kind === "conflict") return refuseConflict(baseResult.reason);
  if (baseResult.kind === "fault") return refuseProposal(baseResult.reason);
  const { base } = baseResult;
  const conflict = parentFault(base, content);
  if (conflict !== undefined) return refuseConflict(conflict);
  const fault =
    causeFault(state, cause) ??
    closingHeaderFault(state, base, content) ??
    closingListFault(state, content.value, unlistedClaims(base.state, decided));
  return fault === undefined ? checkRootsAndTime(state, clock, base, content) : refuseProposal(fault);
}

function closingHeaderFault(state: DecisionView, base: ChainBase, content: ClosingContent): string | undefined {
  const { header, next } = content.value;
  const number = base.header.number + 1;
  if (header.number !== number) return `number ${header.number}, expected ${number}`;
  // The period between two checkpoints does not delay a closing: nothing else is decided until then.
  const fault = timestampFault(base.header.timestamp, content) ?? chainHeaderFault(state, content);
  if (fault !== undefined) return fault;
  const expected = encodeParameters(nextParameters(state.ledger, content.closing.cause));
  return encodeParameters(next) === expected ? undefined : "the next epoch's parameters do not follow from its cause";
}

/** Requires every slot that the closes show decided or locked above the base, for that value, and no other. */
function closingListFault(
  { environment }: DecisionView,
  { listed }: ClosingValue,
  expected: readonly LedgerClaim[],
): string | undefined {
  const values = new Map(listed.map(({ slot, value }) => [slotKey(slot), environment.hashes.value(value)]));
  for (const { slot, claim } of expected) {
    const value = values.get(slotKey(slot));
    if (value === undefined) return `${slotKey(slot)} is missing`;
    if (value !== claim.value) return `${slotKey(slot)} is listed for another value`;
  }
  if (values.size === listed.length && listed.length === expected.length) return undefined;
  return "it lists slots that its closes do not show";
}

/** Returns true if this validator still signs in a slot: after its close only about the closing (protocol 6.3). */
export function isOpen(state: Pick<DecisionView, "epochs">, slot: { readonly kind: string }): boolean {
  return state.epochs.closed === undefined || slot.kind === "epoch";
}

/** Returns why a cause closes no epoch here; `undefined` for one that does. */
export function causeFault(state: Pick<DecisionView, "ledger" | "environment">, cause: Cause): string | undefined {
  const { ledger, environment } = state;
  if (cause.kind === "checkpoint") {
    const { slot } = cause.certificate;
    const isLast = slot.kind === "checkpoint" && slot.number === lastCheckpointOf(ledger);
    return isLast ? proofFault(environment, cause) : "it is not the epoch's last checkpoint";
  }
  const { proposal } = cause.signed;
  if (proposal.chainId !== ledger.chainId) return `chain ${proposal.chainId}, expected ${ledger.chainId}`;
  if (proposal.epoch !== ledger.epoch) return `epoch ${proposal.epoch}, expected ${ledger.epoch}`;
  return parametersFault(proposal.next) ?? proofFault(environment, cause);
}

/**
 * Returns the claims of a close: for the last final checkpoint of this epoch and every slot above it the finality
 * certificate, applied or not, else the highest lock, by slot key (protocol 6.3). A slot that is left out may be lost:
 * protocol 8.
 */
export function claimsOf(state: DecisionView): readonly AnyCertificate[] {
  const { epoch, opened } = state.ledger;
  const claims: (readonly [string, AnyCertificate])[] = [];
  for (const [key, record] of state.slots.records.entries()) {
    const { slot } = record;
    if (record.epoch !== epoch || slot.kind === "epoch") continue;
    const claim = record.decided ?? record.lock;
    const from =
      slot.kind === "checkpoint"
        ? Math.max(opened + 1, state.checkpoints.last.header.number)
        : nextOf(state.checkpoints.last.state, slot);
    if (claim !== undefined && slotNumber(slot) >= from) claims.push([key, claim]);
  }
  return claims.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, claim]) => claim);
}

/** Returns the parameters that a cause leads to: those of the operator's proposal, else the current ones. */
export function nextParameters({ parameters }: LedgerState, cause: Cause): EpochParameters {
  return cause.kind === "proposal" ? cause.signed.proposal.next : parameters;
}

/** Returns the claims of account and token slots that the base's chain does not list. */
export function unlistedClaims(
  base: LedgerState,
  decided: ReadonlyMap<string, AnyCertificate>,
): readonly LedgerClaim[] {
  return [...decided.values()].flatMap((claim) => {
    const { slot } = claim;
    return isChainSlot(slot) || slotNumber(slot) < nextOf(base, slot) ? [] : [{ slot, claim }];
  });
}

/** Claim of an account or token slot. */
export type LedgerClaim = Readonly<{ slot: LedgerSlot; claim: AnyCertificate }>;
