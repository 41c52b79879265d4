/**
 * Closing of an epoch (protocol 6.3): receives a cause, signs one close, collects the closes of others, proposes all that q
 * closes show, and applies the decided closing, after which nothing left open in the last epoch counts.
 */
import { entryOf } from "../../base/entry.ts";
import type { Address, CheckpointNumber, Epoch, Round } from "../../base/ids.ts";
import { type ClosingValue, type EpochSlot, type ListedDecision, slotAt, slotKey } from "../../base/slot.ts";
import { receiveFinality } from "../../consensus/agreement.ts";
import { claimKey, statementKey } from "../../consensus/authenticator.ts";
import type { AnyCertificate } from "../../consensus/certificate.ts";
import { firstQuorumOfCloses, showCloses } from "../../consensus/close.ts";
import type { Close, FinalityCertificate, Seal } from "../../consensus/message.ts";
import { proposeIfDue } from "../../consensus/round-change.ts";
import { parametersFault } from "../../ledger/epoch.ts";
import type { LedgerState } from "../../ledger/state.ts";
import { listedRootOf } from "../../ledger/value.ts";
import {
  baseOf,
  causeFault,
  conflictFault,
  evidenceIn,
  type LedgerClaim,
  nextParameters,
  stateAfter,
  successionFault,
  unlistedClaims,
} from "../check-chain.ts";
import { applyAllListed, buildHeader, haltAtLink, settleAtLink } from "../checkpoints/checkpoint.ts";
import {
  type Cause,
  type ClosingContent,
  type Content,
  copiesOf,
  isCheckpoint,
  isClosing,
  isLedgerContent,
  type LedgerContent,
  type ListedContent,
} from "../content.ts";
import { type Environment, environmentInEpoch } from "../environment.ts";
import { CLOSING_ROUND_MS, SYNC_MS } from "../limits.ts";
import { finishVoid } from "../mempool/pending.ts";
import type { EpochLink, Peer } from "../message.ts";
import { CLOSE_RECORD_KEY, type CloseRecord, epochLinkKey } from "../output.ts";
import { epochSlot, isSettled } from "../slot-position.ts";
import { openDueSlots } from "../slots/apply-decided.ts";
import { warrantHash } from "../slots/content-check.ts";
import { clearEpochSlots } from "../slots/prune.ts";
import { cancelAllTimers, resetTimer, scheduleRetry } from "../slots/slot-timers.ts";
import { decisionToApply, firstProposal, onSlot } from "../slots/slots.ts";
import { slotState, type ValidatorState } from "../state.ts";
import { allPeers, coverage, isMember, report, type StepContext, send, sign } from "../step-context.ts";
import { forgetMissingContents, requestContent, requestMissing, scheduleSync } from "../sync/sync.ts";

/** Handles a cause of closing the epoch: closes on a valid one and sends it to all. */
export function receiveCause(context: StepContext, cause: Cause): void {
  const { state } = context;
  if (state.epochs.closed !== undefined) return;
  if (causeFault(state, cause) === undefined) {
    if (cause.kind === "checkpoint") takeFinal(context, cause.certificate);
    closeEpoch(context, cause);
  } else if (cause.kind === "proposal") coverage(context, "governance refused");
}

/** From here on the validator signs nothing in this epoch except about its closing: durable before it is sent. */
function closeEpoch(context: StepContext, cause: Cause): void {
  const { state } = context;
  const slot = epochSlot(state);
  const claims = state.environment.rules.validator.claimsOf(state);
  state.epochs.closed = { close: { type: "close", epoch: state.ledger.epoch, slot, round: 0 as Round, claims }, cause };
  context.outputs.push({ type: "persist", key: CLOSE_RECORD_KEY, record: { of: "closed", ...state.epochs.closed } });
  coverage(context, "epoch closed");
  cancelAllTimers(context);
  continueClosing(context);
}

/** Sends the close, after a restart with the same claims, and starts the timer of the first proposer. */
function continueClosing(context: StepContext): void {
  const { state } = context;
  const slot = epochSlot(state);
  sendClose(context);
  scheduleRetry(context, slotKey(slot), true);
  if (slotState(state, slot).round === 0) {
    resetTimer(context, { kind: "closing", slot: slotKey(slot) }, CLOSING_ROUND_MS);
  }
  context.agenda.push({ do: "closing" });
}

/** Resends this validator's close and its cause to all. */
export function sendClose(context: StepContext): void {
  const { closed } = context.state.epochs;
  if (closed === undefined) return;
  const reason = { kind: "closing", cause: closed.cause } as const;
  if (isMember(context.state)) sign(context, allPeers(context), closed.close, [], reason);
  else send(context, context.state.environment.peers, { type: "disclosure", slot: closed.close.slot, reason });
}

/** Stores the first close of each signer in this epoch, if its signature and all its certificates are valid. */
export function receiveClose(context: StepContext, from: Peer, body: Close): void {
  const { epochs, environment } = context.state;
  const { committee, authenticator, rules } = environment;
  const earlierClose = epochs.closes.get(body.signer);
  if (earlierClose !== undefined && statementKey(earlierClose) === statementKey(body)) return;
  const fault = rules.consensus.closeFault({ committee, authenticator, rules: rules.consensus }, body);
  if (fault !== undefined) {
    report(context, from, fault, slotKey(body.slot));
    return;
  }
  if (earlierClose !== undefined) {
    report(context, body.signer, "double close", slotKey(body.slot));
    return;
  }
  const claims = body.claims.map((claim) => entryOf(epochs.claimed, claimKey(claim), () => claim));
  epochs.closes.set(body.signer, { ...body, claims });
  learnCheckpoints(context, body);
  context.agenda.push({ do: "closing" });
}

/**
 * A final checkpoint that a close shows is needed to check any closing that builds on it. Its certificate is taken from the
 * close itself: no other validator need hold it, and the signer of the close need not answer.
 */
function learnCheckpoints(context: StepContext, { signer, claims }: Close): void {
  for (const claim of claims) {
    if (claim.slot.kind !== "checkpoint" || claim.type !== "finality") continue;
    takeFinal(context, claim);
    requestMissing(context, signer, slotAt(claim.slot, claim.slot.number + 1));
  }
}

/** The certificate of a final checkpoint, shown with something else: it decides the slot as if it had come by itself (protocol 3.1, 4). */
function takeFinal(context: StepContext, certificate: FinalityCertificate): void {
  const { slot } = certificate;
  if (isSettled(context.state, slot)) return;
  onSlot(context, slot, context.state.environment.self, receiveFinality, certificate, false);
}

/** Restores the close of an epoch that it has not left: it signs nothing else there, and sends the same close again. */
export function resumeClosing(context: StepContext, { close, cause }: CloseRecord): void {
  const { state } = context;
  if (close.epoch !== state.ledger.epoch) {
    context.outputs.push({ type: "erase", key: CLOSE_RECORD_KEY });
    return;
  }
  state.epochs.closed = { close, cause };
  continueClosing(context);
}

/** Continues after closes or missing contents arrived: the first proposer proposes, a decision is applied. */
export function openClosing(context: StepContext): void {
  const { state } = context;
  const slot = epochSlot(state);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  const { committee, self } = state.environment;
  if (current.round > 0) onSlot(context, slot, self, proposeIfDue);
  if (state.epochs.closed === undefined || state.epochs.closes.size < committee.quorum) return;
  const task = firstProposal(state, slot);
  if (task !== undefined) context.agenda.push(task);
}

/** Returns the content of an honest closing; `undefined` while something is missing, which it requests. */
export function closingContent(context: StepContext): ClosingContent | undefined {
  const { state } = context;
  const { epochs, environment } = state;
  const closes = firstQuorumOfCloses(
    epochs.closes.entries() as Iterable<readonly [Address, Close]>,
    environment.committee.quorum,
  );
  if (epochs.closed === undefined || closes === undefined) return undefined;
  const { checkpoints, decided } = environment.rules.consensus.closingEvidenceOf(closes);
  const locks = checkpoints.filter(({ type }) => type === "lock");
  const locked = contentsOf(context, locks)?.filter(isCheckpoint);
  if (locked === undefined) return undefined;
  const baseResult = baseOf(state, checkpoints, locked);
  if (baseResult.kind === "behind") catchUp(context, closes, baseResult.number);
  if (baseResult.kind !== "base") return undefined;
  // Slots that the base's chain lists may be pruned everywhere by now: only the remaining ones are requested.
  const claims = unlistedClaims(baseResult.base.state, decided);
  const contents = contentsOf(
    context,
    claims.map(({ claim }) => claim),
  )?.filter(isLedgerContent);
  if (contents === undefined) return undefined;
  const parts = orderClaims(environment, baseResult.base.state, claims, contents);
  // With more than f Byzantine validators one may be locked that nobody can apply: without it the closing is false.
  if (parts.length < claims.length) return undefined;
  const operations = parts.flatMap((part) => part.operations);
  const listed = parts.map(({ slot, value, copies }) => ({ slot, value, copies }));
  const { cause } = epochs.closed;
  const next = nextParameters(state.ledger, cause);
  const timestamp = Math.max(Math.floor(context.clock / 1_000), baseResult.base.header.timestamp);
  const header = buildHeader(environment, baseResult.base, { listed, operations }, timestamp, next);
  const warrant = warrantHash(environment, cause, closes);
  const value: ClosingValue = { type: "closing", epoch: state.ledger.epoch, header, listed, next, warrant };
  return { value, operations, certificates: [], closing: { cause, ...showCloses(closes), locked } };
}

/** Requests the final checkpoints up to a later one from the signers that show it. */
export function catchUp(context: StepContext, closes: readonly Pick<Seal, "signer">[], number: number): void {
  coverage(context, "closing waited");
  for (const { signer } of closes)
    requestMissing(context, signer, { kind: "checkpoint", number: (number + 1) as CheckpointNumber });
}

/** Returns the contents of all these values, in order; requests missing ones from their certificates' signers. */
function contentsOf(context: StepContext, claims: readonly AnyCertificate[]): readonly Content[] | undefined {
  const contents: Content[] = [];
  for (const { value, seals } of claims) {
    const content = context.state.slots.contents.get(value);
    if (content !== undefined) contents.push(content);
    else {
      const signers = seals.map(({ signer }) => signer);
      requestContent(context, signers, epochSlot(context.state), value);
    }
  }
  return contents.length === claims.length ? contents : undefined;
}

/**
 * Returns the decided slots above the base in an order in which each is next in its sequence, authorised and funded.
 * One exists with at most f Byzantine validators: a value with an honest vote followed from what its voter had applied,
 * which is final and among them. Values that come in no such order are left out.
 */
function orderClaims(
  { hashes }: Environment,
  base: LedgerState,
  claims: readonly LedgerClaim[],
  contents: readonly LedgerContent[],
): readonly ListedContent[] {
  const parts = claims.flatMap(({ slot }, at) => {
    const content = contents[at];
    if (content === undefined) return [];
    const { value, operations } = content;
    return [{ slot, value, operations, copies: copiesOf(operations, hashes.copy) }];
  });
  return hashes.inOrder(base, parts);
}

/** Applies this epoch's closing if it is decided, and its content and the checkpoints below it are here. */
export function applyClosing(context: StepContext, slot: EpochSlot): void {
  const { state } = context;
  const decision = decisionToApply(context, slot, isClosing);
  if (decision === undefined) return;
  const { certificate, content } = decision;
  const { closes, locked } = content.closing;
  const baseResult = baseOf(state, evidenceIn(state, content).checkpoints, locked);
  if (baseResult.kind === "behind") catchUp(context, closes, baseResult.number);
  if (baseResult.kind === "fault" || baseResult.kind === "conflict") haltAtLink(context, slot, baseResult.reason);
  if (baseResult.kind !== "base") return;
  const links = [...baseResult.above.map((link) => link.content), content];
  const listed = links.flatMap(({ value }) => value.listed);
  const after =
    successionFault(slot, baseResult.base, content) ??
    parametersFault(content.value.next) ??
    conflictFault(state, listed) ??
    coverFault(state, listed) ??
    stateAfter(state.environment, baseResult.base.state, content);
  if (typeof after === "string") {
    haltAtLink(context, slot, after);
    return;
  }
  for (const { content: checkpoint, state: between } of baseResult.above) {
    coverage(context, "locked checkpoint closed");
    if (!applyAllListed(context, checkpoint, decision)) return;
    settleAtLink(context, checkpoint, certificate, between);
  }
  if (content.value.listed.some(({ slot: listedSlot }) => slotState(state, listedSlot).decided === undefined))
    coverage(context, "closing brought a lock");
  if (!applyAllListed(context, content, decision)) return;
  // The epoch link is durable first, then the state.
  const { epoch, header, next, warrant } = content.value;
  keepLink(context, {
    certificate,
    head: { epoch, header, next, warrant },
    listedRoot: listedRootOf(content.value.listed),
  });
  settleAtLink(context, content, certificate, after);
  enterEpoch(context, after);
}

/** Rejects a closing that omits a slot that is applied here and listed nowhere before. */
function coverFault(state: ValidatorState, listed: readonly ListedDecision[]): string | undefined {
  const keys = new Set(listed.map(({ slot }) => slotKey(slot)));
  const missing = [...state.sync.log.values()].find((slot) => !keys.has(slotKey(slot)));
  return missing === undefined ? undefined : `${slotKey(missing)} is applied here and not listed`;
}

/** Leaves the last epoch, whose close is durable already. */
export function enterEpoch(context: StepContext, ledger: LedgerState): void {
  const { state, agenda } = context;
  coverage(context, "epoch entered");
  state.ledger = ledger;
  state.environment = environmentInEpoch(state.environment, ledger);
  clearEpochState(context);
  voidPending(context, (ledger.epoch - 1) as Epoch);
  openDueSlots(context);
  agenda.push({ do: "checkpoint" });
  scheduleSync(context, SYNC_MS);
}

/**
 * Voids every pending submission that is not even authorised: it was not decided. Replies in the order of the nonces,
 * so that clients can submit again in that order (protocol 6.3).
 */
export function voidPending(context: StepContext, epoch: Epoch): void {
  const { state } = context;
  for (const pending of state.mempool.pendingByAccount.values().flat()) {
    if (state.ledger.authorisedKeys.has(pending.id)) continue;
    coverage(context, "operation void");
    finishVoid(context, pending, epoch);
  }
}

/** Adds a closing to those that are applied here, and makes it durable. */
export function keepLink({ state, outputs }: StepContext, link: EpochLink): void {
  addLink(state, link);
  outputs.push({ type: "persist", key: epochLinkKey(link.head.epoch), record: { of: "link", link } });
}

/** Adds a closing to those that are applied here. */
export function addLink({ epochs }: ValidatorState, link: EpochLink): void {
  epochs.links.set(link.head.epoch, link);
}

/** Clears what belongs to one epoch: votes, locks, rounds, reasons, closes. Decisions of the chain stay. */
export function clearEpochState(context: StepContext): void {
  const { state, outputs } = context;
  clearEpochSlots(context);
  outputs.push({ type: "erase", key: CLOSE_RECORD_KEY });
  state.epochs.closed = undefined;
  state.epochs.closes.clear();
  state.epochs.claimed.clear();
  forgetMissingContents(state);
}
