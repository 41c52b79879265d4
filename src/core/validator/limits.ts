/** Every bound of one validator. Times are in virtual milliseconds. */

/** Operations of one account that clients submitted here, and as many that others disclosed. */
export const PENDING_PER_ACCOUNT = 256;
/** Operations of all accounts that clients submitted here: keys cost nothing, and a cancellation needs no funds. */
export const PENDING = 16_384;
/** Operations of all accounts that others disclosed: they fill a queue of their own. */
export const SEEN = 4_096;
/** Disclosed operations of one nonce that count: one digest read as three kinds, and one that conflicts with it. */
export const SEEN_PER_NONCE = 4;
/** Entries of a full queue that one arrival looks at. */
export const EVICTION_TRIES = 8;
/** Accounts of which a validator remembers that it evicted an operation; beyond them it assumes so of every account. */
export const EVICTED_ACCOUNTS = 4_096;
/** Undecided slots of which others may make this validator keep a record, but for those that are shown to be at work. */
export const OPEN_SLOTS = 4_096;
/** Offers and proposals that wait for funds, an earlier nonce or a policy, over all accounts. */
export const WAITING = 4_096;
/** Clients that want to hear of one operation. */
export const LISTENERS = 64;
/** How long a relay waits before it offers again. */
export const RELAY_MS = 300;
/** How long a validator that has voted waits for a finality certificate before it relays itself (protocol 3.1). */
export const TAKEOVER_MS = 600;
/** Validators take over one after the other, so that seldom two do. */
export const TAKEOVER_STAGGER_MS = 40;
/** Retries double their pause this often. */
export const BACKOFFS = 4;
/** How long an equivocation proof waits for a lock certificate before it counts (protocol 3.2, b). */
export const EVIDENCE_MS = 500;
/** The same where this validator holds a lock: its value may be about to be decided. */
export const EVIDENCE_LOCKED_MS = 2_000;
/** How long a token slot's first proposer has before the others change round (protocol 3.2). */
export const TOKEN_MS = 500;
/** How long a cancellation waits for the operation that it cancels (protocol 4.2). */
export const CANCELLATION_MS = 2_000;
/** How long an offer waits for what cannot be judged yet (protocol 4.2). */
export const WAIT_MS = 5_000;
/** How long a due checkpoint's first proposer has before the others change round (protocol 3.2). */
export const CHECKPOINT_ROUND_MS = 1_000;
/** How long the first proposer of a closing has, from one's own close on, before the others change round (protocol 6.3). */
export const CLOSING_ROUND_MS = 1_000;
/** Committees that a world remembers, each with what was judged by it. */
export const COMMITTEES = 64;
/** How far a checkpoint's timestamp may be ahead of the clock of one who votes for it (protocol 6.1). */
export const CLOCK_AHEAD_MS = 5_000;
/** How often one who waits for its clock looks at it: nobody says when a clock is set. */
export const CLOCK_LOOK_MS = 5_000;
/** Pieces of a state in one request: the largest are about 10 MB each, entries of one account and token 1 kB. */
export const PIECES_ASKED = 16;
/** How long a source of pieces may be silent before another one is asked. */
export const TRANSFER_MS = 2_000;
/** Final checkpoints that a validator keeps whole, for those that come after it; and the endings of what they list. */
export const CHECKPOINTS_KEPT = 8;
/** The owner's turn after a forced burn that displaced nothing (protocol 5). */
export const OWNERS_IDLE_MS = 250;
/** The owner's turn after a burn that displaced an operation of the owner. */
export const OWNERS_TURN_MS = 1_000;
/** That turn doubles with each such burn in a row, up to this: delays are not known in advance. */
export const OWNERS_TURN_CAP_MS = 8_000;

/** The length of the owner's turn after so many burns in a row that displaced an operation of the owner, 0 included. */
export function ownersTurn(displaced: number): number {
  if (displaced === 0) return OWNERS_IDLE_MS;
  return Math.min(OWNERS_TURN_MS << Math.min(displaced - 1, 16), OWNERS_TURN_CAP_MS);
}
/** How long a burn is due before `failed` is voted for in round 0 (protocol 5). */
export const FAILED_BURN_MS = 1_000;
/** A due burn's holders relay it after this long (protocol 5). */
export const BURN_RELAY_MS = 400;
/** The pause before the same gap is fetched again. */
export const FETCH_MS = 200;
/** Slots or values in one fetch, and decisions in one answer. */
export const FETCH_COUNT = 64;
/** Pause between two comparisons with a peer after something was applied; doubles while nothing happens. */
export const SYNC_MS = 1_000;
export const SYNC_IDLE_MS = 16_000;
/** Slots in one page of an application log. */
export const LOG_PAGE = 256;
