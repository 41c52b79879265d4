/** Bounds of one validator. Times are in virtual milliseconds. */
import { PIECE_ENTRIES } from "../ledger/limits.ts";

/** Operations of one account that clients submitted to this validator; the same bound holds for disclosed ones. */
export const PENDING_PER_ACCOUNT = 256;
/** Operations of all accounts that clients submitted here: keys cost nothing, and a cancellation needs no funds. */
export const PENDING = 16_384;
/** Slots of an epoch without checkpoints, past which no client's operation is admitted: what was decided is kept whole. */
export const EPOCH_SLOTS = 65_536;
/** Disclosed operations of one nonce that count: one digest read as three kinds, and one that conflicts with it. */
export const DISCLOSED_PER_NONCE = 4;
/** Budget of each peer: operations, legs, certificates and records that are kept because it showed them (protocol 9.2). */
export const PEER_BUDGET = 16_384;
/** Requests to one peer within `FETCH_MS` whose times are kept; past them it is not asked. */
export const FETCHES_PER_PEER = 64;
/** Clients subscribed to one operation. */
export const SUBSCRIBERS = 64;
/** Pause of a relay before it offers again. */
export const RELAY_MS = 300;
/** Wait of a validator that has voted for a finality certificate, before it relays itself (protocol 3.1). */
export const TAKEOVER_MS = 600;
/** Validators take over one after the other, so that two rarely do. */
export const TAKEOVER_STAGGER_MS = 40;
/** Number of times that the pause of retries doubles. */
export const BACKOFFS = 4;
/** Wait of an equivocation proof before a validator acts on it (protocol 3.2, b). */
export const EVIDENCE_MS = 500;
/** Time of a token slot's first proposer before the others change round (protocol 3.2). */
export const TOKEN_MS = 500;
/** Wait of a cancellation for the operation that it cancels (protocol 4.2). */
export const CANCELLATION_MS = 2_000;
/** Wait of an offer that cannot be checked yet (protocol 4.2). */
export const WAIT_MS = 5_000;
/** Time of a due checkpoint's first proposer before the others change round (protocol 3.2). */
export const CHECKPOINT_ROUND_MS = 1_000;
/** Time of a closing's first proposer, counted from one's own close, before the others change round (protocol 6.3). */
export const CLOSING_ROUND_MS = 1_000;
/** Committees that a world caches, each with the checks made against it. */
export const COMMITTEES = 64;
/** Largest lead of a checkpoint's timestamp over the clock of a validator that votes for it (protocol 6.1). */
export const CLOCK_AHEAD_MS = 5_000;
/** Polling interval of a validator that waits for its clock: setting a clock causes no input. */
export const CLOCK_POLL_MS = 5_000;
/** Locations of a state in one request. */
export const PIECES_REQUESTED = 128;
/** Entries in one response with pieces of a state; a branch counts as one. */
export const RESPONSE_ENTRIES: number = PIECES_REQUESTED * PIECE_ENTRIES;
/** Time of a source of pieces for one response, after which another source is asked. */
export const TRANSFER_MS = 2_000;
/** Final checkpoints that a validator keeps whole for later ones, with the outcomes of their operations. */
export const CHECKPOINTS_KEPT = 8;
/** The owner's turn after a forced burn that displaced an operation of the owner (protocol 5). */
export const OWNERS_TURN_MS = 4_000;
/** Time that a burn is due before `failed` gets votes in round 0 (protocol 5). */
export const FAILED_BURN_MS = 1_000;
/** Time after which the holders of a due burn relay it (protocol 5). */
export const BURN_RELAY_MS = 400;
/** Pause before the same gap is fetched again. */
export const FETCH_MS = 200;
/** Slots or values in one fetch, and decisions in one response. */
export const FETCH_COUNT = 64;
/** Pause between two status exchanges after an application; doubles while nothing is applied, up to the next. */
export const SYNC_MS = 1_000;
export const SYNC_IDLE_MS = 16_000;
/** Size of what a peer is served in a second: operations, certificates, and entries of a state. */
export const SERVED_PER_SECOND = 262_144;
/** Applied slots in one status. */
export const STATUS_SLOTS = 4_096;

/**
 * Sizes of a validator's two queues, submissions of its clients and disclosed ones, and the number of slots that only
 * the end of the epoch will list, since no checkpoint does.
 */
export type QueueSizes = Readonly<{
  submitted: number;
  disclosed: number;
  submittedByAccount: number;
  untilEpochEnd: number;
}>;

/**
 * Returns the bound that one more submission of an account would exceed, or `undefined`. Disclosed operations count
 * against no bound here: one Byzantine relay can disclose any number, signed with keys that cost nothing.
 */
export function exceededLimit({
  submitted: asked,
  submittedByAccount: askedOfAccount,
  untilEpochEnd,
}: QueueSizes): number | undefined {
  if (askedOfAccount >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  if (untilEpochEnd >= EPOCH_SLOTS) return EPOCH_SLOTS;
  return asked >= PENDING ? PENDING : undefined;
}
