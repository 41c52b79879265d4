/** Explanation of an operation undecided at the end, and its excuses (protocol 7.8). */
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

/** Facts for the explanation and the excuses. */
export interface Background extends Telling, Showing {
  /** The open epoch; signatures of earlier epochs for a slot are void. */
  readonly epoch: OpenEpoch;
}

/**
 * Returns true if no decision is owed: no live node received the submission, or a restriction bars the account's open
 * slot and the client knows. Validators then refuse every operation for the nonce, perhaps after some voted without
 * knowledge of the restriction, and only the owner's cancellation or the epoch's close frees it.
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
  // protocol 7.8: behind a nonce without a submission nothing proceeds, even if a Byzantine validator disclosed it.
  if (nonceAsked(one.submission) > nonce && !waiting.some(({ submission }) => nonceAsked(submission) === nonce))
    return true;
  // Only votes of honest validators in the core make a lock that others must obtain; other votes may never be
  // delivered.
  const honest = (signers: readonly number[]): number =>
    signers.filter((place) => background.core.includes(place) && who.isHonestKey(who.keyAt(place))).length;
  if (isCancelling) {
    const displaced = waiting.flatMap(({ submission }) => displacedBy(submission, nonce));
    // protocol 4.2: an unpaired cancellation is refused by its entry validator, and may still be paired elsewhere.
    if (displaced.length === 0) return round?.votes.some(({ signers }) => honest(signers) > 0) !== true;
    // protocol 3.2: it counts only if the displaced account pays for the round, or an authority asks.
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
 * protocol 4.2: each validator of the core that received a disclosed operation and has not crashed since reports to the
 * client that a restriction bars it; from then on only the client's cancellation frees the nonce.
 */
function isNextStepTheClients({ cases }: Background, account: Address, nonce: number): boolean {
  const core = cases.healed?.core ?? [];
  return waitingOf(cases, account)
    .filter(({ submission }) => isPlain(submission) && nonceAsked(submission) === nonce)
    .every(({ isToldBarred, remembered }) => isToldBarred || !remembered.some((node) => core.includes(node)));
}

/** Returns true if all receivers lost it or are down for good without disclosing it: its client gave up too soon. */
function isUnheard({ cases }: Background, { id, remembered }: Case, round: RoundBook | undefined): boolean {
  const core = cases.healed?.core ?? [];
  const isKnown = cases.due.has(id) || (round !== undefined && round.votes.length > 0);
  return !isKnown && !remembered.some((node) => core.includes(node));
}

/**
 * Returns the operations that a submission shows as displaceable at this nonce: the operation itself, both of a
 * recovery, none of a cancellation.
 */
function displacedBy(submission: Case["submission"], nonce: number): readonly SignedOperation[] {
  if (nonceAsked(submission) !== nonce) return [];
  if (isRecovery(submission)) return [submission.evidence.first, submission.evidence.second];
  return isCancellation(submission) ? [] : [submission];
}

/** Returns a sentence each on the submission, the slot and the missing signatures. */
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
    `Needed to proceed: ${whatWouldFree(background, book, reasonSeen(background, slot))}.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}

function whatWaits(background: Background, one: Case): string {
  const { submission, id, at, since, to } = one;
  const kind = isRecovery(submission) ? "recovery" : submission.operation.kind;
  const owner = clientName(background, accountOf(submission));
  const from = at > (background.cases.healed?.at ?? 0) ? since : "the healing";
  return (
    `${kind} ${short(id)} of ${owner} (nonce ${nonceAsked(submission)}), submitted to ${listed(to)}, is undecided; ` +
    `the bound is ${boundOf(background.setting, background.cases, one)} ms after ${from}.`
  );
}

/** Returns the best reason for a round change that any client submitted (protocol 3.2). */
function reasonSeen({ cases }: Background, slot: Slot): string {
  if (slot.kind !== "account") return "the timeout of the slot";
  const waiting = waitingOf(cases, slot.address);
  const recovery = waiting.find(({ submission }) => isRecovery(submission));
  if (recovery !== undefined) return `the proof of recovery ${short(recovery.id)}, submitted to ${listed(recovery.to)}`;
  const cancellation = waiting.find(({ submission }) => !isRecovery(submission) && isCancellation(submission));
  if (cancellation !== undefined)
    return `cancellation ${short(cancellation.id)}, submitted to ${listed(cancellation.to)}`;
  return "no reason submitted; the owner's cancellation is one";
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
