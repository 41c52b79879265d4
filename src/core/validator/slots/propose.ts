/** Proposing for a round, and voting on proposals (protocol 3, table; 3.2). */
import type { Address, Millis, Nonce, Round } from "../../base/ids.ts";
import type { SignedOperation } from "../../base/operation.ts";
import type { Verdict } from "../../base/refusal.ts";
import {
  type AccountSlot,
  digits,
  isChainSlot,
  type SkipValue,
  type Slot,
  slotKey,
  type TokenSlot,
} from "../../base/slot.ts";
import { castVote } from "../../consensus/agreement.ts";
import type { FinalityCertificate, Proposal } from "../../consensus/message.ts";
import { standingOf } from "../../consensus/round-change.ts";
import { castIn } from "../../consensus/slot-state.ts";
import { recoveryId } from "../../ledger/identity.ts";
import { accountOf, dueFor, findAuthorised, versionOf } from "../../ledger/state.ts";
import type { Task, Turn } from "../agenda.ts";
import { checkpointContent } from "../checkpoints/checkpoint.ts";
import { clockWait, lackingOf } from "../checkpoints/judge-checkpoint.ts";
import { takeCause, takeClose } from "../epochs/close-epoch.ts";
import { closingContent } from "../epochs/closing.ts";
import { TOKEN_MS, WAIT_MS } from "../limits.ts";
import { noteShown, wantedFor } from "../mempool/pending.ts";
import { everyone, mark, report, setTimer, sign } from "../speak.ts";
import type { ValidatorState } from "../state.ts";
import { fetchSlots, wantContent } from "../sync/sync.ts";
import {
  type ChainContent,
  type ClosingContent,
  type Content,
  isChainContent,
  isCheckpoint,
  isClosing,
} from "./content.ts";
import { takeContent } from "./contents.ts";
import { isNextHere } from "./place.ts";
import { burnContent, keepWaiting, warrantOf } from "./relay.ts";
import { evidenceFor, nextSlot } from "./rounds.ts";
import { keepTrying, onSlot, persist, reasonsOf, slotState } from "./slots.ts";

/** A token has due operations: its proposer proposes a list, everybody else gives it a bounded time (protocol 3.2). */
export function openToken(turn: Turn, token: Address): void {
  const { state } = turn;
  if (state.closed !== undefined) return;
  const slot: TokenSlot = { kind: "token", token, version: versionOf(state.ledger, token) };
  const key = slotKey(slot);
  const current = slotState(state, slot);
  if (current.decided !== undefined) {
    turn.agenda.push({ do: "apply", slot });
    return;
  }
  if (dueFor(state.ledger, slot).length === 0) return;
  const timer = `token ${key}`;
  if (current.round === 0 && !state.roundTimers.has(timer)) {
    state.roundTimers = state.roundTimers.set(timer, true);
    setTimer(turn, timer, TOKEN_MS);
  }
  const { rules, committee, self } = state.environment;
  if (current.round > 0 || current.proposed !== undefined) return;
  if (rules.consensus.proposerOf(committee, slot, 0 as Round) !== self) return;
  propose(turn, { do: "propose", slot, round: 0 as Round, forced: undefined, justification: [] });
}

/** Carries out a proposer's duty: the forced value with its content, or an honest free choice (protocol 3.2). */
export function propose(turn: Turn, task: Extract<Task, { do: "propose" }>): void {
  const { state } = turn;
  const { slot, round, forced, justification } = task;
  const current = slotState(state, slot);
  if (!state.environment.rules.validator.isOpen(state, slot)) return;
  if (current.decided !== undefined || current.round !== round || current.proposed?.round === round) return;
  const content = forced === undefined ? freeChoice(turn, slot) : state.contents.get(forced);
  if (content === undefined) {
    if (forced !== undefined)
      wantContent(
        turn,
        justification.flatMap(({ lock }) => lock?.seals.map((seal) => seal.signer) ?? []),
        slot,
        forced,
      );
    return;
  }
  if (takeContent(turn, state.environment.self, content) === undefined) return;
  noteShown(turn, content.operations);
  if (forced !== undefined) mark(turn, "lock carried");
  const value = state.environment.hashes.value(content.value);
  state.slots = state.slots.set(slotKey(slot), {
    ...slotState(state, slot),
    proposed: { round, value, justification },
  });
  persist(turn, slot);
  const { epoch } = current;
  if (slot.kind === "checkpoint") mark(turn, "checkpoint proposed");
  if (slot.kind === "epoch") mark(turn, "closing proposed");
  sign(turn, everyone(turn), { type: "proposal", epoch, slot, round, value, justification }, [content]);
  keepTrying(turn, slotKey(slot), true);
}

/** Sends its own proposal for the current round again, as it was: the same one, also after a restart (protocol 3.1). */
export function repeatProposal(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const { round, proposed, epoch, decided } = slotState(state, slot);
  if (decided !== undefined || proposed?.round !== round) return;
  const { value, justification } = proposed;
  const content = state.contents.get(value);
  if (content === undefined) return;
  sign(turn, everyone(turn), { type: "proposal", epoch, slot, round, value, justification }, [content]);
}

/**
 * What an honest proposer chooses where nothing is forced: a due burn, else a cancellation, else a recovery (protocol 3,
 * table). After a burn it is the owner's turn (protocol 5): then what skips its nonce comes before the next burn.
 */
function freeChoice(turn: Turn, slot: Slot): Content | undefined {
  const { state } = turn;
  if (!isNextHere(state, slot)) return undefined;
  switch (slot.kind) {
    case "account":
      return accountChoice(turn, slot);
    case "token":
      return listContent(turn, slot);
    case "checkpoint":
      return checkpointContent(state, turn.clock);
    case "epoch":
      return closingContent(turn);
  }
}

function accountChoice({ state, at }: Turn, slot: AccountSlot): Content | undefined {
  const { address } = slot;
  const due = state.environment.rules.validator.nextBurn(state, slot);
  const mayBeSkip = due === undefined || state.environment.rules.validator.isOwnersTurn(state, at, address);
  const skip = mayBeSkip ? skipChoice(state, address) : undefined;
  return skip ?? (due && burnContent(state, address, due));
}

/** What lets an account get past its nonce, where that is wanted. */
function skipChoice(state: ValidatorState, address: Address): Content | undefined {
  const { nonce } = accountOf(state.ledger, address);
  const cancelled = cancelledFor(state, address, nonce);
  if (cancelled !== undefined) {
    const [cancellation, displaced] = cancelled;
    const id = state.environment.hashes.operationId(cancellation);
    return skipContent(state, address, "cancellation", id, [cancellation, displaced], [displaced]);
  }
  const evidence = evidenceFor(state, address, nonce);
  if (evidence === undefined) return undefined;
  const { first, second } = evidence.proof;
  const id = recoveryId(state.ledger.chainId, address, nonce);
  return skipContent(state, address, "recovery", id, [first, second], [first, second]);
}

/** A cancellation and what it displaces: those that are pending, else those of the slot's reason, which is never evicted. */
function cancelledFor(
  state: ValidatorState,
  address: Address,
  nonce: Nonce,
): readonly [cancellation: SignedOperation, displaced: SignedOperation] | undefined {
  const { operations, cancellation } = wantedFor(state, address, nonce);
  const [displaced] = operations;
  if (cancellation !== undefined && displaced !== undefined) return [cancellation, displaced];
  const slot = nextSlot(state, address);
  for (const reason of reasonsOf(state, slot))
    if (reason.kind === "cancellation" && state.environment.rules.validator.reasonCounts(state, slot, reason))
      return [reason.cancellation, reason.displaced];
  return undefined;
}

function skipContent(
  state: ValidatorState,
  account: Address,
  by: SkipValue["by"],
  id: SkipValue["id"],
  operations: readonly SignedOperation[],
  displaced: readonly SignedOperation[],
): Content {
  const { feeToken, feeStep } = state.environment.rules.ledger.skipFee(state.ledger, account, by, displaced);
  return { value: { type: "skip", by, id, feeToken, feeStep }, operations, certificates: [] };
}

function listContent(turn: Turn, slot: TokenSlot): Content | undefined {
  const { state } = turn;
  const age = (id: SkipValue["id"]): number => turn.at - (state.dueSince.get(id) ?? turn.at);
  const ids = state.environment.rules.ledger.chooseList(state.ledger, slot.token, age, state.ledger.listLimit);
  const operations: SignedOperation[] = [];
  const certificates: FinalityCertificate[] = [];
  for (const id of ids) {
    const entry = findAuthorised(state.ledger, id);
    const certificate = entry && warrantOf(state, entry);
    if (entry === undefined || certificate === undefined) return undefined;
    operations.push(entry.signed);
    certificates.push(certificate);
  }
  if (ids.length < dueFor(state.ledger, slot).length && ids.length === state.ledger.listLimit) mark(turn, "list full");
  return ids.length === 0 ? undefined : { value: { type: "list", ids }, operations, certificates };
}

/** Votes on the proposal of the current round: forced values at once, free ones as this validator judges (protocol 3.1, 1). */
export function voteOnProposal(turn: Turn, slot: Slot): void {
  const { state } = turn;
  const current = slotState(state, slot);
  if (current.proposals.size === 0) return;
  const proposal = current.proposals.get(digits(current.round));
  if (current.decided !== undefined || proposal === undefined || castIn(current.votes, current.round) !== undefined)
    return;
  if (!isWillingToVote(turn, slot, proposal)) return;
  onSlot(turn, slot, proposal.signer, (context, transition) =>
    castVote(context, transition, proposal.round, proposal.value),
  );
}

function isWillingToVote(turn: Turn, slot: Slot, proposal: Proposal): boolean {
  const { state } = turn;
  const { rules } = state.environment;
  // protocol 3.1, a: every earlier slot of the sequence is applied, even for a forced value.
  if (!rules.validator.isReady(state, slot)) return false;
  if (standingOf({ rules: rules.consensus }, proposal) === "forced") return true;
  const content = state.contents.get(proposal.value);
  if (content === undefined) {
    wantContent(turn, [proposal.signer], slot, proposal.value);
    return false;
  }
  if (isClosing(content)) learnFromClosing(turn, proposal.signer, content);
  const at = isChainSlot(slot) ? turn.clock : turn.at;
  const verdict = rules.validator.judgeContent(state, at, slot, content, proposal.round);
  const { signer: from, value } = proposal;
  if (verdict.answer === "wait") keepWaiting(turn, { slot, value, from, until: (turn.at + WAIT_MS) as Millis });
  if (isChainContent(content)) answerLink(turn, slot, proposal, content, verdict);
  return verdict.answer === "accept";
}

/** A closing shows why its epoch closes, and what others closed it with. */
function learnFromClosing(turn: Turn, from: Address, { closing }: ClosingContent): void {
  takeCause(turn, closing.cause);
  for (const close of closing.closes) takeClose(turn, from, close);
}

/** Asks for what a checkpoint lists and is not here, waits for its time, or says why a link is false (protocol 6.1, 6.3). */
function answerLink(turn: Turn, slot: Slot, { signer }: Proposal, content: ChainContent, verdict: Verdict): void {
  const isCheckpointed = isCheckpoint(content);
  if (verdict.answer === "refuse") {
    const { refusal } = verdict;
    mark(turn, isCheckpointed ? "checkpoint refused" : "closing refused");
    const lie = isCheckpointed ? "false checkpoint" : "false closing";
    report(turn, signer, lie, slotKey(slot), "reason" in refusal ? refusal.reason : refusal.code);
  } else if (verdict.answer === "wait") {
    mark(turn, isCheckpointed ? "checkpoint waited" : "closing waited");
    if (isCheckpointed) fetchSlots(turn, signer, lackingOf(turn.state, content));
    const ahead = clockWait(turn.clock, content.value);
    // Nobody waits longer for its time than for anything else, whatever a proposer says.
    if (ahead > 0 && ahead <= WAIT_MS) setTimer(turn, `judge ${slotKey(slot)}`, ahead);
  }
}
