/** Proposals for a round, and votes on proposals (protocol 3, table; 3.2). */

import { requireDefined } from "../base/assert.ts";
import type { Address, Millis } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { CheckResult } from "../base/refusal.ts";
import { type AccountSlot, isChainSlot, paddedNumber, type Slot, slotKey, type TokenSlot } from "../base/slot.ts";
import { castVote } from "../consensus/agreement.ts";
import { closesOf } from "../consensus/close.ts";
import type { Proposal } from "../consensus/message.ts";
import { proposalStatus, proposeIfDue } from "../consensus/round-change.ts";
import { roundValueIn } from "../consensus/slot-state.ts";
import { dueOperations, findAuthorised } from "../ledger/authorised.ts";
import { versionOf } from "../ledger/state.ts";
import { clockDelay, missingSlots } from "./check-chain.ts";
import { checkpointContent } from "./checkpoints/checkpoint.ts";
import {
  type ChainContent,
  type ClosingContent,
  type Content,
  isChainContent,
  isCheckpoint,
  isClosing,
} from "./content.ts";
import { closingContent, receiveCause, receiveClose } from "./epochs/closing.ts";
import { TOKEN_MS, WAIT_MS } from "./limits.ts";
import { setDisclosed } from "./mempool/pending.ts";
import { isNext } from "./slot-position.ts";
import { skipContent } from "./slots/reason-check.ts";
import { addWaiting, burnContent, warrantsOf } from "./slots/relay.ts";
import { deriveReasons } from "./slots/round-change-reasons.ts";
import { scheduleRetry, startTimer } from "./slots/slot-timers.ts";
import { firstProposal, onSlot, persist, receiveContent, setRecord } from "./slots/slots.ts";
import { slotState, type ValidatorState } from "./state.ts";
import { allPeers, coverage, type ProposeTask, report, type StepContext, setTimer, sign } from "./step-context.ts";
import { fetchSlots, mayFetch, requestContent } from "./sync/sync.ts";

/** Starts a token slot with due operations: its proposer proposes a list, the others start a timer (protocol 3.2). */
export function openToken(context: StepContext, token: Address): void {
  const { state } = context;
  if (state.epochs.closed !== undefined) return;
  const slot: TokenSlot = { kind: "token", token, version: versionOf(state.ledger, token) };
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    context.agenda.push({ do: "apply", slot });
    return;
  }
  if (dueOperations(state.ledger, slot).length === 0) return;
  if (current.round === 0) startTimer(context, { kind: "token", slot: slotKey(slot) }, TOKEN_MS);
  const task = firstProposal(state, slot);
  if (task !== undefined) propose(context, task);
}

/** Proposes: the forced value with its content, or an honest free choice (protocol 3.2). */
export function propose(context: StepContext, task: ProposeTask): void {
  const { state } = context;
  const { slot, round, forced, justification } = task;
  const current = slotState(state, slot);
  if (!state.environment.rules.validator.isOpen(state, slot)) return;
  if (current.decided !== undefined || current.round !== round || current.proposed?.round === round) return;
  const content = forced === undefined ? freeChoice(context, slot) : state.slots.contents.get(forced);
  if (content === undefined) {
    const holders = justification.flatMap(({ lock }) => lock?.seals.map((seal) => seal.signer) ?? []);
    if (forced !== undefined) requestContent(context, holders, slot, forced);
    return;
  }
  if (receiveContent(context, state.environment.self, slot, content) === undefined) return;
  setDisclosed(context, content.operations);
  if (forced !== undefined) coverage(context, "lock carried");
  const value = state.environment.hashes.value(content.value);
  setRecord(state, { ...slotState(state, slot), proposed: { round, value, justification } });
  persist(context, slot);
  const { epoch } = current;
  if (slot.kind === "checkpoint") coverage(context, "checkpoint proposed");
  if (slot.kind === "epoch") coverage(context, "closing proposed");
  sign(context, allPeers(context), { type: "proposal", epoch, slot, round, value, justification }, [content]);
  scheduleRetry(context, slotKey(slot), true);
}

/**
 * Resends its own unchanged proposal for the current round, also after a restart (protocol 3.1), or retries one that was
 * impossible when its round began.
 */
export function resendProposal(context: StepContext, slot: Slot): void {
  const { state } = context;
  const { round, proposed, epoch, decided } = slotState(state, slot);
  if (decided === undefined && proposed?.round === round) {
    const { value, justification } = proposed;
    const content = state.slots.contents.get(value);
    if (content !== undefined)
      sign(context, allPeers(context), { type: "proposal", epoch, slot, round, value, justification }, [content]);
  }
  if (slot.kind === "epoch") context.agenda.push({ do: "closing" });
  onSlot(context, slot, state.environment.self, proposeIfDue);
}

/**
 * Returns an honest proposer's choice if no value is forced: a due burn, else a cancellation, else a recovery (protocol
 * 3, table). After a burn it is the owner's turn (protocol 5): a skip of its nonce then precedes the next burn.
 */
function freeChoice(context: StepContext, slot: Slot): Content | undefined {
  const { state } = context;
  if (!isNext(state, slot)) return undefined;
  switch (slot.kind) {
    case "account":
      return accountChoice(context, slot);
    case "token":
      return listContent(context, slot);
    case "checkpoint":
      return checkpointContent(state, context.clock);
    case "epoch":
      return closingContent(context);
  }
}

function accountChoice(context: StepContext, slot: AccountSlot): Content | undefined {
  const { state, at } = context;
  deriveReasons(context, slot.address);
  const due = state.environment.rules.validator.nextBurn(state, slot);
  const mayBeSkip = due === undefined || state.environment.rules.validator.isOwnersTurn(state, at, slot.address);
  const skip = mayBeSkip ? skipChoice(state, slot) : undefined;
  return skip ?? (due && burnContent(state, slot.address, due));
}

/** Returns a skip for the account's next nonce, if a reason of the slot gives one. */
function skipChoice(state: ValidatorState, slot: AccountSlot): Content | undefined {
  const { environment, ledger } = state;
  for (const reason of environment.rules.validator.countingReasons(state, slot))
    if (reason.kind !== "burn") return skipContent(environment, ledger, reason);
  return undefined;
}

function listContent(context: StepContext, slot: TokenSlot): Content | undefined {
  const { state } = context;
  const age = (id: OperationId): number => context.at - (state.slots.dueSince.get(id) ?? context.at);
  const ids = state.environment.rules.ledger.chooseList(state.ledger, slot.token, age, state.ledger.listLimit);
  const entries = ids.map((id) => requireDefined(findAuthorised(state.ledger, id), `due operation ${id}`));
  if (ids.length < dueOperations(state.ledger, slot).length && ids.length === state.ledger.listLimit)
    coverage(context, "list full");
  if (ids.length === 0) return undefined;
  const operations = entries.map(({ signed }) => signed);
  return { value: { type: "list", ids }, operations, certificates: warrantsOf(state, entries) };
}

/** Votes on the current round's proposal: if forced at once, else after its own check (protocol 3.1, 1). */
export function voteOnProposal(context: StepContext, slot: Slot): void {
  const { state } = context;
  const current = slotState(state, slot);
  if (current.proposals.size === 0) return;
  if (current.decided !== undefined || roundValueIn(current.votes, current.round) !== undefined) return;
  const proposal = current.proposals.get(paddedNumber(current.round));
  if (proposal === undefined || !isWillingToVote(context, slot, proposal)) return;
  onSlot(context, slot, proposal.signer, castVote, proposal.round, proposal.value);
}

function isWillingToVote(context: StepContext, slot: Slot, proposal: Proposal): boolean {
  const { state } = context;
  const { rules } = state.environment;
  // protocol 3.1, a: every earlier slot of the sequence is applied, even for a forced value.
  if (!rules.validator.mayVoteInSlot(state, slot)) return false;
  if (proposalStatus({ rules: rules.consensus }, proposal) === "forced") return true;
  const content = state.slots.contents.get(proposal.value);
  if (content === undefined) {
    // A proposal shows its content, again at each repetition; that of the chain was not kept before its slot was the next.
    if (isChainSlot(slot)) requestContent(context, [proposal.signer], slot, proposal.value);
    return false;
  }
  if (isClosing(content)) learnFromClosing(context, proposal.signer, content);
  if (slot.kind === "account") deriveReasons(context, slot.address);
  const at = isChainSlot(slot) ? context.clock : context.at;
  const verdict = rules.validator.checkContent(state, at, slot, content, proposal.round);
  const { signer: from, value } = proposal;
  if (verdict.answer === "wait") {
    const missing = isCheckpoint(content) ? missingSlots(state, content) : [];
    const [lacking] = missing.map(slotKey);
    addWaiting(context, { slot, value, from, until: (context.at + WAIT_MS) as Millis, lacking });
    if (missing.length > 0 && mayFetch(context, `${from} ${slotKey(slot)}`)) fetchSlots(context, from, missing);
  }
  if (isChainContent(content)) answerLink(context, slot, proposal, content, verdict);
  return verdict.answer === "accept";
}

/** Learns from a closing: the cause of the epoch's end, and the closes of others. */
function learnFromClosing(context: StepContext, from: Address, { value, closing }: ClosingContent): void {
  receiveCause(context, closing.cause);
  for (const close of closesOf(closing, value.epoch) ?? []) receiveClose(context, from, close);
}

/** Waits for the time of a chain link, or reports why it is false, unless its proposer may be honest (protocol 3.4, 6.1, 6.3). */
function answerLink(
  context: StepContext,
  slot: Slot,
  { signer }: Proposal,
  content: ChainContent,
  verdict: CheckResult,
): void {
  const { type } = content.value;
  if (verdict.answer === "refuse") {
    const { refusal } = verdict;
    coverage(context, `${type} refused`);
    const reason = "reason" in refusal ? refusal.reason : refusal.code;
    if (verdict.mayBeHonest !== true) report(context, signer, `false ${type}`, slotKey(slot), reason);
  } else if (verdict.answer === "wait") {
    coverage(context, `${type} waited`);
    const ahead = clockDelay(context.clock, content.value);
    // The wait for a timestamp has the same bound as other waits, for any timestamp.
    if (ahead > 0 && ahead <= WAIT_MS) setTimer(context, { kind: "judge", slot: slotKey(slot) }, ahead);
  }
}
