/** Why an operation is still undecided at the end, and whether anybody is to blame for it (protocol 7.8). */
import type { Address, Sequence, Version } from "../../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../../core/base/operation.ts";
import { type Slot, slotKey } from "../../core/base/slot.ts";
import { bookOf, contentOf } from "../history/chronicle.ts";
import type { OpenEpoch } from "../history/epochs.ts";
import type { RoundBook, SlotBook } from "../history/slot-book.ts";
import { signedSoFar, type Telling, whatWouldFree } from "../history/slot-story.ts";
import { debitedBy, effectPlace, isCancellation, tokenOf } from "../reference/meaning.ts";
import { tokenAddress } from "../token-address.ts";
import { counted, listed, short, tokenName } from "../words.ts";
import { accountOf, boundOf, type Case, type Cases, nonceAsked, waitingOf } from "./liveness-cases.ts";
import { isBarredNow, isPaidFor, isUnfundedNow, type Showing } from "./liveness-refused.ts";

/** What is told of a waiting operation, and judged by. */
export interface Background extends Telling, Showing {
  /** The one that is open: what was signed for a slot in those before it is void. */
  readonly epoch: OpenEpoch;
}

/**
 * Whether nobody owes a decision: nobody who is here was asked, or a restriction holds the account's open slot and the
 * client was told so. Then what wants its nonce is refused by now, perhaps after some have voted who did not see the
 * restriction in time, and only the owner's cancellation or the epoch's close frees it.
 */
export function isExcused(background: Background, one: Case): boolean {
  const account = accountOf(one.submission);
  const { who, seen, cases } = background;
  const { nonce } = cases.accounts.get(account) ?? { nonce: 0 };
  const waiting = waitingOf(cases, account);
  const head = waiting.map(({ submission }) => submission).find((one) => isPlain(one) && nonceAsked(one) === nonce);
  const blocked = head === undefined || isRecovery(head) ? undefined : head;
  const isCancelling = waiting.some(({ submission }) => !isPlain(submission) && nonceAsked(submission) === nonce);
  const round = openBook(background, account).rounds[0];
  if (isUnheard(background, one, round)) return true;
  // protocol 7.8: behind a nonce that nobody wants nothing has its turn; a liar may have shown it all the same.
  if (nonceAsked(one.submission) > nonce && !waiting.some(({ submission }) => nonceAsked(submission) === nonce))
    return true;
  // Only votes of honest validators in the core make a lock that somebody must come by: others may never be delivered.
  const honest = (signers: readonly number[]): number =>
    signers.filter((place) => background.core.includes(place) && who.isHonestKey(who.keyAt(place))).length;
  if (isCancelling) {
    const displaced = waiting.flatMap(({ submission }) => displacedBy(submission, nonce));
    // protocol 4.2: what nobody can pair is refused where it was asked for, and elsewhere it may yet be paired.
    if (displaced.length === 0) return round?.votes.some(({ signers }) => honest(signers) > 0) !== true;
    // protocol 3.2: it counts only where somebody pays for the round, or an authority asks.
    return displaced.every((signed) => !isPaidFor(background, signed));
  }
  const { quorum } = background.epoch.committee.bounds;
  if (round?.votes.some(({ signers }) => honest(signers) >= quorum) === true) return false;
  const voted = (round?.votes ?? []).flatMap(({ value, signers }) => {
    const content = contentOf(seen, value);
    return honest(signers) > 0 && content?.value.type === "operation" ? content.operations.slice(0, 1) : [];
  });
  const stuck = blocked === undefined ? voted : [blocked, ...voted];
  if (stuck.some((signed) => isUnfundedNow(background, signed))) return true;
  return stuck.some((signed) => isBarredNow(background, signed)) && isNextStepTheClients(background, account, nonce);
}

/**
 * protocol 4.2: a client whose disclosed operation a restriction bars is told so by each validator of the core that it
 * reached and that has not crashed since; from then on only its cancellation frees the nonce, and it knows.
 */
function isNextStepTheClients({ cases }: Background, account: Address, nonce: number): boolean {
  const core = cases.healed?.core ?? [];
  return waitingOf(cases, account)
    .filter(({ submission }) => isPlain(submission) && nonceAsked(submission) === nonce)
    .every(({ isToldBarred, remembered }) => isToldBarred || !remembered.some((node) => core.includes(node)));
}

/** Whether whoever was asked has lost it, or is away for good, and has told nobody: its client gave up too soon. */
function isUnheard({ cases }: Background, { id, remembered }: Case, round: RoundBook | undefined): boolean {
  const core = cases.healed?.core ?? [];
  const isKnown = cases.due.has(id) || (round !== undefined && round.votes.length > 0);
  return !isKnown && !remembered.some((node) => core.includes(node));
}

/** What a submission shows that could be displaced at this nonce: an operation itself, a recovery's two; a cancellation nothing. */
function displacedBy(submission: Case["submission"], nonce: number): readonly SignedOperation[] {
  if (nonceAsked(submission) !== nonce) return [];
  if (isRecovery(submission)) return [submission.evidence.first, submission.evidence.second];
  return isCancellation(submission) ? [] : [submission];
}

/** One sentence on what waits, one on the slot, one on the way out. */
export function explained(background: Background, one: Case): string {
  const { cases, seen } = background;
  const { submission, id } = one;
  const account = accountOf(submission);
  const due = !isRecovery(submission) && cases.due.has(id);
  const slot = due ? effectSlot(cases, submission) : openSlot(cases, account);
  const ahead = due ? 0 : nonceAsked(submission) - (cases.accounts.get(account)?.nonce ?? 0);
  const book = bookOf(seen, slotKey(slot), background.epoch.epoch);
  const sentences = [
    whatWaits(background, one),
    due ? "It is authorised and due." : undefined,
    ahead > 0 ? `It waits behind ${counted(ahead, "earlier nonce")}.` : undefined,
    `${slotWords(background, slot)}: ${signedSoFar(background, book)}.`,
    `What would free it: ${whatWouldFree(background, book, reasonSeen(background, slot))}.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}

function whatWaits(background: Background, one: Case): string {
  const { submission, id, at, since, to } = one;
  const kind = isRecovery(submission) ? "recovery" : submission.operation.kind;
  const owner = clientName(background, accountOf(submission));
  const from = at > (background.cases.healed?.at ?? 0) ? since : "the healing";
  return (
    `${kind} ${short(id)} of ${owner} (nonce ${nonceAsked(submission)}), handed to ${listed(to)}, is undecided; ` +
    `the bound is ${boundOf(background.setting, background.cases, one)} ms after ${from}.`
  );
}

/** What could make validators change round, as far as any client gave it (protocol 3.2). */
function reasonSeen({ cases }: Background, slot: Slot): string {
  if (slot.kind !== "account") return "the timeout of the slot";
  const waiting = waitingOf(cases, slot.address);
  const recovery = waiting.find(({ submission }) => isRecovery(submission));
  if (recovery !== undefined) return `the proof of recovery ${short(recovery.id)}, handed to ${listed(recovery.to)}`;
  const cancellation = waiting.find(({ submission }) => !isRecovery(submission) && isCancellation(submission));
  if (cancellation !== undefined) return `cancellation ${short(cancellation.id)}, handed to ${listed(cancellation.to)}`;
  return "no reason seen; the owner's cancellation would be one";
}

function isPlain(submission: Case["submission"]): boolean {
  return !isRecovery(submission) && !isCancellation(submission);
}

function openSlot(cases: Cases, address: Address): Slot {
  return { kind: "account", address, sequence: (cases.accounts.get(address)?.sequence ?? 0) as Sequence };
}

function effectSlot(cases: Cases, signed: SignedOperation): Slot {
  const { operation, sender } = signed;
  const token = tokenOf(operation, tokenAddress);
  if (effectPlace(signed) === "token" && token !== undefined) {
    return { kind: "token", token, version: (cases.tokens.get(token)?.version ?? 0) as Version };
  }
  return openSlot(cases, operation.kind === "burn" ? debitedBy(operation, sender) : sender);
}

function openBook({ cases, seen, epoch }: Background, account: Address): SlotBook {
  return bookOf(seen, slotKey(openSlot(cases, account)), epoch.epoch);
}

function clientName({ seen }: Background, account: Address): string {
  return seen.clients.get(account) ?? short(account);
}

function slotWords(background: Background, slot: Slot): string {
  if (slot.kind === "checkpoint") return `Checkpoint ${slot.number}`;
  if (slot.kind === "epoch") return `The closing of epoch ${slot.epoch}`;
  if (slot.kind === "token") return `Version ${slot.version} of ${tokenName(background.setting.genesis, slot.token)}`;
  return `Slot ${slot.sequence} of ${clientName(background, slot.address)}'s account`;
}
