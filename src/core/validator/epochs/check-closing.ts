/**
 * Rules of closing an epoch, without effects: causes, claims, and the check that decides if this validator votes for a
 * closing: its base, exactly what its closes show, and recomputed roots (protocol 6.3).
 */
import type { EpochParameters } from "../../base/epoch.ts";
import type { Millis } from "../../base/ids.ts";
import { ACCEPT, type CheckResult, refuseProposal } from "../../base/refusal.ts";
import {
  type ClosingValue,
  chainSlotOf,
  type EpochSlot,
  isChainSlot,
  type LedgerSlot,
  slotKey,
  slotNumber,
} from "../../base/slot.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import { type ClosingEvidence, closesOf } from "../../consensus/close.ts";
import { lastCheckpointOf, parametersFault } from "../../ledger/epoch.ts";
import { type LedgerState, nextOf } from "../../ledger/state.ts";
import { encodeParameters } from "../../ledger/value.ts";
import {
  type ChainBase,
  chainHeaderFault,
  isAheadOfClock,
  positionFault,
  rootsFault,
  stateAfter,
  successionFault,
  waitWithProposal,
} from "../checkpoints/check-checkpoint.ts";
import { type Cause, type CheckpointContent, type ClosingContent, type Content, isClosing } from "../content.ts";
import type { DecisionView } from "../decision-inputs.ts";
import { proofFault } from "../slots/content-check.ts";

/** Checkpoint between this validator's own and the base of a closing, with the state after it. */
export type LockedCheckpoint = Readonly<{ content: CheckpointContent; state: LedgerState }>;

export type BaseResult =
  | {
      readonly found: "base";
      readonly base: ChainBase /** Above this validator's own checkpoint. */;
      readonly above: readonly LockedCheckpoint[];
    }
  /** Final checkpoints up to this number have to be applied here first. */
  | { readonly found: "behind"; readonly number: number }
  | { readonly found: "fault"; readonly reason: string };

/**
 * Returns the base, reached from this validator's last checkpoint. `checkpoints`: those that the closes show, in order;
 * `locked`: the contents of those that are shown locked only.
 */
export function baseOf(
  state: Pick<DecisionView, "checkpoints" | "environment">,
  checkpoints: readonly AnyCertificate[],
  locked: readonly CheckpointContent[],
): BaseResult {
  const own = state.checkpoints.last.header.number;
  const top = checkpoints.at(-1);
  const number = top === undefined ? state.checkpoints.last.state.opened : slotNumber(top.slot);
  if (number < own) return baseFault(`it builds on checkpoint ${number}, and checkpoint ${own} is final`);
  let base: ChainBase = state.checkpoints.last;
  const above: LockedCheckpoint[] = [];
  for (const claim of checkpoints) {
    const at = slotNumber(claim.slot);
    if (at < own) continue;
    if (at === own) {
      if (claim.value !== state.checkpoints.last.hash)
        return baseFault(`checkpoint ${own} was decided for another value`);
      continue;
    }
    if (claim.type === "finality") return { found: "behind", number: at };
    const content = locked.find(({ value }) => state.environment.hashes.value(value) === claim.value);
    if (content === undefined) return baseFault(`checkpoint ${at} is not shown`);
    const next = extendBase(state, base, content);
    if (typeof next === "string") return baseFault(next);
    base = next;
    above.push({ content, state: next.state });
  }
  return { found: "base", base, above };
}

function extendBase(
  { environment }: Pick<DecisionView, "environment">,
  base: ChainBase,
  content: CheckpointContent,
): ChainBase | string {
  const { header } = content.value;
  const misplaced = successionFault(chainSlotOf(content.value), base, content);
  if (misplaced !== undefined) return misplaced;
  const state = stateAfter(environment, base.state, content);
  if (typeof state === "string") return `checkpoint ${header.number}: ${state}`;
  return { hash: environment.hashes.value(content.value), header, state };
}

function baseFault(reason: string): BaseResult {
  return { found: "fault", reason };
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
  const found = baseOf(state, checkpoints, locked);
  if (found.found === "behind") return waitWithProposal(`checkpoint ${found.number} is not here`);
  if (found.found === "fault") return refuseProposal(found.reason);
  const { base } = found;
  const fault =
    causeFault(state, cause) ??
    headerFault(state, base, content) ??
    listedFault(state, content.value, unlistedClaims(base.state, decided)) ??
    rootsFault(state, base, content);
  if (fault !== undefined) return refuseProposal(fault);
  return isAheadOfClock(clock, base, content.value) ? waitWithProposal("its timestamp is ahead of this clock") : ACCEPT;
}

function headerFault(state: DecisionView, base: ChainBase, content: ClosingContent): string | undefined {
  const { header, next } = content.value;
  const number = base.header.number + 1;
  if (header.number !== number) return `number ${header.number}, expected ${number}`;
  // The period between two checkpoints does not delay a closing: nothing else is decided until then.
  const fault = positionFault(base, base.header.timestamp, content) ?? chainHeaderFault(state, content);
  if (fault !== undefined) return fault;
  const expected = encodeParameters(nextParameters(state.ledger, content.closing.cause));
  return encodeParameters(next) === expected ? undefined : "the next epoch's parameters do not follow from its cause";
}

/** Requires every slot that the closes show decided or locked above the base, for that value, and no other. */
function listedFault(
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
  for (const [key, known] of state.slots.records.entries()) {
    const { slot } = known;
    if (known.epoch !== epoch || slot.kind === "epoch") continue;
    const claim = known.decided ?? known.lock;
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
