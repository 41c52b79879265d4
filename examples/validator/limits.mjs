// Constants of the protocol, in milliseconds where they are times (protocol 14).
export const TAKEOVER_MS = 600;
export const TAKEOVER_STAGGER_MS = 40;
const RELAY_MS = 300;
const BACKOFFS = 4;
export const EVIDENCE_MS = 500;
export const TOKEN_MS = 500;
export const CHECKPOINT_ROUND_MS = 1000;
export const CLOSING_ROUND_MS = 1000;
const ROUND_MS = 400;
const ROUND_CAP_MS = 6400;
export const ROUNDS_AHEAD = 8;
export const WAIT_MS = 5000;
export const CANCELLATION_MS = 2000;
export const BURN_RELAY_MS = 400;
export const FAILED_BURN_MS = 1000;
export const OWNERS_TURN_MS = 4000;
export const LIST_WAIT_MS = 5000;
export const FETCH_MS = 200;
export const FETCH_COUNT = 64;
export const SYNC_MS = 1000;
export const SYNC_IDLE_MS = 16000;
export const STATUS_SLOTS = 4096;
export const CLOCK_AHEAD_MS = 5000;
export const CLOCK_POLL_MS = 5000;
export const TRANSFER_MS = 2000;
export const PIECE_ENTRIES = 256;
export const PIECES_REQUESTED = 128;
export const RESPONSE_ENTRIES = 32768;
export const PENDING_PER_ACCOUNT = 256;
export const PENDING = 16384;
export const PEER_BUDGET = 16384;
export const SUBSCRIBERS = 64;
export const EXTRA_DATA_BYTES = 256;
export const CHECKPOINTS_KEPT = 8;

/** The pause before the next repetition: 300 ms, then 600 ms to 9.6 s. */
export function retryPause(attempt) {
  return attempt === 0 ? RELAY_MS : TAKEOVER_MS * 2 ** Math.min(attempt - 1, BACKOFFS);
}

/** How long a round lasts: 400 ms times 1.5 for each round, in integers. */
export function roundLength(round) {
  let length = ROUND_MS;
  for (let r = 0; r < round && length < ROUND_CAP_MS; r++) length = Math.floor((length * 3) / 2);
  return Math.min(length, ROUND_CAP_MS);
}
