/**
 * Contradictions between the signatures of one validator (protocol 7.6), derived from the protocol and not from the
 * core.
 */
import { slotKey } from "../core/base/slot.ts";
import type { SignedMessage } from "../core/consensus/message.ts";
import type { StatementTable } from "./statements.ts";

/**
 * Describes the first contradiction between a new statement and an earlier one, as text that follows the signer's name.
 */
export function ruleViolationIn(
  statements: StatementTable,
  before: readonly number[],
  after: readonly number[],
): string | undefined {
  const earlier = before.map((number) => statements.get(number).message.body);
  for (const number of after) {
    if (before.includes(number)) continue;
    const { body } = statements.get(number).message;
    const text = earlier.map((one) => equivocation(one, body)).find((one) => one !== undefined);
    if (text !== undefined) return text;
    earlier.push(body);
  }
  return undefined;
}

function equivocation(before: SignedMessage, now: SignedMessage): string | undefined {
  if (before.epoch !== now.epoch) return undefined;
  if (before.type === "close" && now.slot.kind !== "epoch")
    return `signed in epoch ${now.epoch} after it had closed it`;
  if (before.type === "close" && now.type === "close" && claimsOf(before) !== claimsOf(now))
    return `closed epoch ${now.epoch} twice, with different claims`;
  if (now.type === "close") return hiddenInClose(before, now);
  if (slotKey(before.slot) !== slotKey(now.slot)) return undefined;
  return double(before, now) ?? late(before, now) ?? hidden(before, now) ?? hidden(now, before);
}

function double(before: SignedMessage, now: SignedMessage): string | undefined {
  if (before.type !== now.type || before.round !== now.round) return undefined;
  if (before.type === "roundChange" && now.type === "roundChange")
    return lockOf(before) === lockOf(now) ? undefined : `changed to round ${now.round} twice, with different locks`;
  const did = { vote: "voted", commit: "committed", proposal: "proposed" } as const;
  if (now.type === "roundChange" || now.type === "close" || before.type === "roundChange" || before.type === "close")
    return undefined;
  return before.value === now.value ? undefined : `${did[now.type]} twice in round ${now.round}`;
}

/** A validator neither votes nor commits below a round of its earlier ballots or round changes (protocol 3.2). */
function late(before: SignedMessage, now: SignedMessage): string | undefined {
  if (now.type !== "vote" && now.type !== "commit") return undefined;
  if (before.type === "proposal" || before.round <= now.round) return undefined;
  return `${now.type === "vote" ? "voted" : "committed"} in round ${now.round} after round ${before.round}`;
}

/** A commit and a change to a higher round with a lower lock contradict each other in any order (protocol 3.2). */
function hidden(commit: SignedMessage, change: SignedMessage): string | undefined {
  if (commit.type !== "commit" || change.type !== "roundChange" || commit.round >= change.round) return undefined;
  const { lock } = change;
  const shows =
    lock !== undefined && (lock.round > commit.round || (lock.round === commit.round && lock.value === commit.value));
  return shows
    ? undefined
    : `committed in round ${commit.round} and omitted that lock from its change to round ${change.round}`;
}

/** A close claims for each slot what its signer committed to, or something later (protocol 6.3). */
function hiddenInClose(
  before: SignedMessage,
  { claims, epoch }: Extract<SignedMessage, { type: "close" }>,
): string | undefined {
  if (before.type !== "commit" || before.slot.kind === "epoch") return undefined;
  const claim = claims.find(({ slot }) => slotKey(slot) === slotKey(before.slot));
  if (claim?.type === "finality") return undefined;
  const shows =
    claim !== undefined &&
    (claim.round > before.round || (claim.round === before.round && claim.value === before.value));
  return shows
    ? undefined
    : `committed in round ${before.round} of ${slotKey(before.slot)} and omitted that lock in closing epoch ${epoch}`;
}

function lockOf({ lock }: Extract<SignedMessage, { type: "roundChange" }>): string {
  return lock === undefined ? "" : `${lock.round} ${lock.value}`;
}

function claimsOf({ claims }: Extract<SignedMessage, { type: "close" }>): string {
  return claims.map(({ type, slot, round, value }) => `${type} ${slotKey(slot)} ${round} ${value}`).join(";");
}
