/**
 * Oracle of protocol 7.17: a recovery frees an account that is blocked and does nothing else. It uses up the one nonce
 * of its evidence, moves its fee alone, overrules nothing that was decided, and happens only where votes were cast or
 * the owner has asked for the skip of the nonce.
 */
import type { Address, Hash, Nonce } from "../../core/base/ids.ts";
import { isRecovery, type OperationId } from "../../core/base/operation.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Chronicle } from "../history/chronicle.ts";
import type { Application } from "../history/content.ts";
import type { SlotSignatures } from "../history/slot-signatures.ts";
import type { Change } from "../observation.ts";
import { shortId, slotName, subjectName } from "../text.ts";

interface RecoveryState {
  /** Operation or skip that an honest node has applied first in each slot of an account. */
  readonly decided: Map<SlotKey, OperationId>;
  /** Values of votes in round 0 that a node recorded, which it may have signed before it crashed. */
  readonly durableVotes: Map<SlotKey, readonly Hash[]>;
  /** Nonces, not used up yet, whose cancellation the owner has submitted. */
  readonly cancelled: Map<Address, readonly Nonce[]>;
}

/** Judges each recovery that an honest node applies. */
export function recovery(): Oracle {
  const start: RecoveryState = { decided: new Map(), durableVotes: new Map(), cancelled: new Map() };
  return oracle("recovery", start, {
    applied: judgeRecovery,
    forgotten: ({ decided, durableVotes }, { slots }) => {
      for (const slot of slots) {
        decided.delete(slot);
        durableVotes.delete(slot);
      }
    },
    restarted: ({ durableVotes }, { durableStatements }) => {
      for (const { kind, slot, round, value } of durableStatements)
        if (kind === "vote" && round === 0) durableVotes.set(slot, [...(durableVotes.get(slot) ?? []), value]);
    },
    submitted: ({ cancelled }, { submission }) => {
      if (isRecovery(submission) || submission.operation.kind !== "cancellation") return;
      const { sender, operation } = submission;
      const nonces = cancelled.get(sender) ?? [];
      if (!nonces.includes(operation.nonce)) cancelled.set(sender, [...nonces, operation.nonce]);
    },
  });
}

/** Returns true if the owner has submitted a cancellation for the nonce; drops it and those of earlier nonces. */
function takeCancellation({ cancelled }: RecoveryState, owner: Address, nonce: Nonce): boolean {
  const nonces = cancelled.get(owner);
  if (nonces === undefined) return false;
  const remaining = nonces.filter((other) => other > nonce);
  if (remaining.length === 0) cancelled.delete(owner);
  else cancelled.set(owner, remaining);
  return nonces.includes(nonce);
}

function judgeRecovery(
  state: RecoveryState,
  application: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { decided, durableVotes } = state;
  const { honest, slot, value } = application;
  if (!honest || slot.kind !== "account" || value.type === "list") return;
  const key = slotKey(slot);
  const first = decided.get(key);
  if (first === undefined) decided.set(key, value.id);
  const counters = application.changes.find((change) => change.of === "account");
  const isCancelled =
    counters?.of === "account" && takeCancellation(state, slot.address, (counters.nonce - 1) as Nonce);
  const say = (detail: string): void =>
    report(`at ${application.node} the recovery ${shortId(value.id)} in ${slotName(slot)} ${detail}`);
  if (value.type !== "skip" || value.by !== "recovery") return;
  report.judged();
  if (first !== undefined && first !== value.id) say(`overrules ${shortId(first)}, which was decided there`);
  for (const change of application.changes)
    if (!isOwnChange(application, change)) say(`changes ${subjectName(chronicle.setting.genesis, change)}`);
  const [evidence] = application.operations;
  if (evidence !== undefined && counters?.of === "account" && counters.nonce !== evidence.operation.nonce + 1)
    say(`leads to nonce ${counters.nonce}, and its evidence is of nonce ${evidence.operation.nonce}`);
  const durable = durableVotes.get(key) ?? [];
  const isKnown = first === undefined && !chronicle.isForgotten(key);
  if (isKnown && !isCancelled && !wasBlocked(chronicle, key, durable))
    say("frees an account that nothing blocked: nobody had voted for an operation of its nonce");
}

/** The counters of the account, and the fee. */
function isOwnChange({ slot, value }: Application, change: Change): boolean {
  if (slot.kind !== "account" || value.type !== "skip") return false;
  if (change.of === "account") return change.address === slot.address;
  if (change.of === "balance") return change.address === slot.address && change.token === value.feeToken;
  return change.of === "pool" && change.token === value.feeToken;
}

/**
 * Votes for a forced burn block no nonce. A Byzantine member that signs in the slot could have offered both operations,
 * which blocks the account.
 */
function wasBlocked({ directory, books, contents }: Chronicle, slot: SlotKey, durableVotes: readonly Hash[]): boolean {
  const isOfOwner = (value: Hash): boolean => contents.get(value)?.value.type !== "burn";
  if (durableVotes.some(isOfOwner)) return true;
  const isStarted = ({ rounds, bySigner }: SlotSignatures): boolean =>
    rounds.some(({ round, votes }) => round === 0 && votes.some(({ value }) => isOfOwner(value))) ||
    bySigner.some((statements, index) => statements !== undefined && !directory.isHonestKey(directory.keyAt(index)));
  return [...books.values()].some((book) => {
    const signatures = book.get(slot);
    return signatures !== undefined && isStarted(signatures);
  });
}
