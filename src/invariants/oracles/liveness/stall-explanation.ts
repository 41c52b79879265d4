/**
 * Explanation of an operation undecided at the end, and its excuses (protocol 7.8): those too by which honest nodes no
 * longer vote for it, by the newest policies and balances of any of them (protocol 3.2, 4.2).
 */
import { fillerAmount } from "../../../core/base/fillers.ts";
import type { Address, Hash, Round } from "../../../core/base/ids.ts";
import { MemoTable } from "../../../core/base/memo-table.ts";
import { isRecovery, isSkip, type Recovery, type SignedOperation } from "../../../core/base/operation.ts";
import { type LedgerSlot, slotKey } from "../../../core/base/slot.ts";
import { type Chronicle, currentEpoch, type SignatureRecord, signaturesOf } from "../../history/chronicle.ts";
import type { OpenEpoch } from "../../history/epochs.ts";
import type { RoundSignatures, SlotSignatures, ValueSigners } from "../../history/slot-signatures.ts";
import { coreOf, missingSignatures, type SlotContext, signatureSummary } from "../../history/stall-text.ts";
import { spentAmount } from "../../reference/epoch.ts";
import {
  accountOf,
  isCancellation,
  isForcedDebit,
  isSpending,
  nonceOfSubmission,
  tokenOf,
} from "../../reference/operation-meaning.ts";
import { genesisPolicy, type Policy, type TokenTerms } from "../../reference/policy.ts";
import { forbidsVote, isOfPermission, policyRefusals } from "../../reference/token-rules.ts";
import { countText, joinNames, shortId, tokenName } from "../../text.ts";
import { boundOf, nextSlots, openSlot } from "./bound.ts";
import {
  isRememberedInCore,
  type OpenSubmission,
  type OpenSubmissions,
  submissionsAt,
  submissionsOf,
} from "./open-submissions.ts";

/** Facts for the explanation and the excuses. */
export interface StallContext extends SlotContext {
  readonly cases: OpenSubmissions;
  /** The open epoch; signatures of earlier epochs for a slot are void. */
  readonly epoch: OpenEpoch;
  /** Signatures to judge without, as if they had not been made yet. */
  readonly without?: readonly SignatureRecord[];
}

/** Returns the facts for excuses and explanations in an epoch, by default the one that is open. */
export function createStallContext(
  chronicle: Chronicle,
  cases: OpenSubmissions,
  epoch: OpenEpoch = currentEpoch(chronicle),
): StallContext {
  return { chronicle, cases, epoch, core: coreOf(chronicle, cases.healed?.core ?? [], epoch) };
}

/**
 * Returns true if no decision is owed: no live node received the submission, its multisig account is not created, or a
 * restriction bars the account's open slot and the client knows. Validators then refuse every operation for the nonce,
 * perhaps after some voted without knowledge of the restriction, and only the owner's cancellation or the epoch's close
 * frees it.
 */
export function isExcused(background: StallContext, openSubmission: OpenSubmission): boolean {
  const account = accountOf(openSubmission.submission);
  const { chronicle, cases } = background;
  const { nonce } = cases.accounts.get(account) ?? { nonce: 0 };
  const waiting = submissionsAt(cases, account, nonce);
  const head = waiting.find(({ submission }) => !isSkip(submission));
  const blocked = head === undefined || isRecovery(head.submission) ? undefined : head.submission;
  const { rounds } = openBook(background, account);
  const { round: first = FIRST_ROUND, votes = [] } = rounds[0] ?? {};
  const isVotedFor = votes.some((voted) => countHonestSigners(background, "vote", first, voted) > 0);
  // The votes of the open slot show nothing of a later nonce.
  const isLost = (open: OpenSubmission): boolean =>
    isUnheard(background, open, isVotedFor && nonceOfSubmission(open.submission) === nonce, rounds);
  if (isLost(openSubmission) || isNotCreated(cases, openSubmission)) return true;
  // protocol 7.8: behind a nonce of which no live node has a submission nothing proceeds, even if a Byzantine validator
  // disclosed it.
  if (nonceOfSubmission(openSubmission.submission) > nonce && waiting.every(isLost)) return true;
  const skips = waiting.filter((open) => isSkip(open.submission) && !isLost(open));
  // protocol 4.2: an unpaired cancellation is refused by its entry validator, and may still be paired elsewhere.
  if (skips.some(({ submission }) => !isRecovery(submission))) return !isVotedFor && head === undefined;
  // protocol 3.2: a recovery frees an account only where votes have been cast.
  if (skips.length > 0 && isVotedFor) return false;
  if (isRecovery(openSubmission.submission)) return true;
  const { quorum } = background.epoch.committee.bounds;
  // A forced burn that is to be decided uses no nonce: what waits behind it waits for the same as before.
  const isBurn = (value: Hash): boolean => chronicle.contents.get(value)?.value.type === "burn";
  if (votes.some((vote) => countHonestSigners(background, "vote", first, vote) >= quorum && !isBurn(vote.value)))
    return false;
  // Its lock reaches the rest of the core, whichever votes it has from outside.
  const isLocked = ({ round, commits }: RoundSignatures): boolean =>
    commits.some((commit) => countHonestSigners(background, "commit", round, commit) > 0 && !isBurn(commit.value));
  if (rounds.some(isLocked)) return false;
  const voted = votedOperations(background, account);
  const stuck = blocked === undefined ? voted : [blocked, ...voted];
  if (stuck.some((signed) => isUnfundedNow(background, signed))) return true;
  return stuck.some((signed) => isBarredNow(background, signed)) && isClientNext(cases, waiting);
}

/**
 * Returns how many honest validators of the core signed. Only their votes make a lock that others must obtain; other votes
 * may never be delivered.
 */
function countHonestSigners(
  { core, chronicle: { directory }, without = NO_RECORDS }: StallContext,
  kind: "vote" | "commit",
  round: Round,
  { value, signers }: ValueSigners,
): number {
  const isLeftOut = (index: number): boolean =>
    without.some(
      ({ signer, statement: signerStatement }) =>
        signer === index &&
        signerStatement.kind === kind &&
        signerStatement.round === round &&
        signerStatement.value === value,
    );
  return signers.filter(
    (index) => core.includes(index) && directory.isHonestKey(directory.keyAt(index)) && !isLeftOut(index),
  ).length;
}

const NO_RECORDS: readonly SignatureRecord[] = [];
const FIRST_ROUND = 0 as Round;

/** Returns the operations for which honest validators of the core voted first in the open slot of an account. */
export function votedOperations(background: StallContext, account: Address): readonly SignedOperation[] {
  const { round = FIRST_ROUND, votes = [] } = openBook(background, account).rounds[0] ?? {};
  return votes.flatMap((voted) => {
    const content = background.chronicle.contents.get(voted.value);
    return countHonestSigners(background, "vote", round, voted) > 0 && content?.value.type === "operation"
      ? content.operations.slice(0, 1)
      : [];
  });
}

/**
 * protocol 4.2: each validator of the core that received a disclosed operation and has not crashed since reports to the
 * client that a restriction bars it; from then on only the client's cancellation frees the nonce.
 */
function isClientNext(cases: OpenSubmissions, waiting: readonly OpenSubmission[]): boolean {
  return waiting.every((open) => isSkip(open.submission) || open.knowsBarred || !isRememberedInCore(cases, open));
}

/**
 * Returns true if no validator of the core has it: its receivers refused it, lost it or are down for good, and disclosed
 * it to none. Its client gave up too soon. A vote in round 0 shows one operation, a later round what cancels it; the
 * proof of a recovery takes both of its own.
 */
function isUnheard(
  background: StallContext,
  openSubmission: OpenSubmission,
  isVotedFor: boolean,
  rounds: readonly RoundSignatures[],
): boolean {
  const { cases } = background;
  const { submission } = openSubmission;
  const isShown = isRecovery(submission)
    ? isProofVotedFor(background, submission)
    : isVotedFor && (!isCancellation(submission) || rounds.some(({ round }) => round > FIRST_ROUND));
  return !cases.due.has(openSubmission.id) && !isShown && !isRememberedInCore(cases, openSubmission);
}

function isProofVotedFor(background: StallContext, { account, evidence: { first, second } }: Recovery): boolean {
  const voted = votedOperations(background, account).map(({ signature }) => signature);
  return voted.includes(first.signature) && voted.includes(second.signature);
}

/** specification 5.18: nothing of a multisig account counts before its creation, its cancellations included. */
function isNotCreated({ created }: OpenSubmissions, { submission }: OpenSubmission): boolean {
  const { operation } = isRecovery(submission) ? submission.evidence.first : submission;
  return operation.account !== undefined && !created.has(operation.account);
}

/**
 * Returns true if the newest balance at any honest node does not cover an operation, which then waits for funds (4.2).
 */
function isUnfundedNow(background: StallContext, signed: SignedOperation): boolean {
  const { operation, sender } = signed;
  if (isSpending(operation))
    return !holdsAmount(background, sender, operation.token, spentAmount(background.epoch.parameters.fees, operation));
  const debits = operation.kind === "burn" || operation.kind === "clawback";
  // protocol 5: the debited account's order decides about the funds of a forced burn.
  return debits && !isForcedDebit(signed) && !holdsAmount(background, sender, operation.token, operation.value);
}

/** Returns true if the newest policy at any honest node refuses an operation, whatever earlier ones allowed. */
function isBarredNow(background: StallContext, signed: SignedOperation): boolean {
  const { operation } = signed;
  const policy = policyOf(background, tokenOf(operation));
  // The token of a payment may still be issued.
  if (policy === undefined && isSpending(operation)) return false;
  const refusals = policyRefusals(policy, signed, background.chronicle.setting.genesis);
  return refusals.some((code) => isOfPermission(code) && forbidsVote(signed, code));
}

/** Policies by what nodes show, and the genesis says, of a token. */
const policies = new MemoTable<TokenTerms, Policy>();

/** Returns the newest policy of a token at any honest node; `undefined` if it is not issued. */
function policyOf({ cases, chronicle: { setting } }: StallContext, token: Address | undefined): Policy | undefined {
  if (token === undefined) return undefined;
  const observedToken = cases.tokens.get(token) ?? setting.genesis.tokens.find((other) => other.token === token);
  return observedToken && policies.getOrCompute(observedToken, (terms) => genesisPolicy(terms, 0n));
}

/** Returns true if an account holds a value, by the newest balance at any honest node. */
function holdsAmount({ cases, chronicle }: StallContext, account: Address, token: Address, value: bigint): boolean {
  const { genesis } = chronicle.setting;
  const start = genesis.balances.find((balance) => balance.address === account && balance.token === token);
  const amount = cases.balances.get(account)?.get(token) ?? start?.amount ?? fillerAmount(genesis, token, account);
  return amount >= value;
}

/** Returns a sentence each on the submission, the slot and the missing signatures. */
export function explainStall(background: StallContext, openSubmission: OpenSubmission): string {
  const { cases, chronicle } = background;
  const { submission, id } = openSubmission;
  const account = accountOf(submission);
  const due = cases.due.has(id);
  const [signedFor, changed = signedFor] = nextSlots(openSubmission, cases);
  const slot = due ? changed : signedFor;
  const ahead = due ? 0 : nonceOfSubmission(submission) - (cases.accounts.get(account)?.nonce ?? 0);
  const signatures = signaturesOf(chronicle, slotKey(slot), background.epoch.epoch);
  const sentences = [
    submissionText(background, openSubmission),
    due ? "It is authorised and due." : undefined,
    ahead > 0 ? `It waits behind ${countText(ahead, "earlier nonce")}.` : undefined,
    ...(background.chronicle.setting.isOpaque
      ? [`${slotWords(background, slot)}: no honest validator has applied anything there.`]
      : [
          `${slotWords(background, slot)}: ${signatureSummary(background, signatures)}.`,
          `Needed to proceed: ${missingSignatures(background, signatures, reasonSeen(background, slot))}.`,
        ]),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(" ");
}

function submissionText(background: StallContext, openSubmission: OpenSubmission): string {
  const { submission, id, at, since, receivers: to } = openSubmission;
  const kind = isRecovery(submission) ? "recovery" : submission.operation.kind;
  const owner = clientName(background, accountOf(submission));
  const from = at > (background.cases.healed?.at ?? 0) ? since : "the healing";
  return (
    `${kind} ${shortId(id)} of ${owner} (nonce ${nonceOfSubmission(submission)}), submitted to ${joinNames(to)}, is undecided; ` +
    `the bound is ${boundOf(background.chronicle.setting, background.cases, openSubmission)} ms after ${from}.`
  );
}

/** Returns the best reason for a round change that any client submitted (protocol 3.2). */
function reasonSeen({ cases }: StallContext, slot: LedgerSlot): string {
  if (slot.kind !== "account") return "the timeout of the slot";
  const waiting = submissionsOf(cases, slot.address);
  const recovery = waiting.find(({ submission }) => isRecovery(submission));
  if (recovery !== undefined)
    return `the proof of recovery ${shortId(recovery.id)}, submitted to ${joinNames(recovery.receivers)}`;
  const cancellation = waiting.find(({ submission }) => !isRecovery(submission) && isCancellation(submission));
  if (cancellation !== undefined)
    return `cancellation ${shortId(cancellation.id)}, submitted to ${joinNames(cancellation.receivers)}`;
  return "no reason submitted; the owner's cancellation is one";
}

function openBook({ cases, chronicle, epoch }: StallContext, account: Address): SlotSignatures {
  return signaturesOf(chronicle, slotKey(openSlot(cases, account)), epoch.epoch);
}

function clientName({ chronicle }: StallContext, account: Address): string {
  return chronicle.clients.get(account) ?? shortId(account);
}

function slotWords(background: StallContext, slot: LedgerSlot): string {
  if (slot.kind === "token")
    return `Version ${slot.version} of ${tokenName(background.chronicle.setting.genesis, slot.token)}`;
  return `Slot ${slot.sequence} of ${clientName(background, slot.address)}'s account`;
}
