/**
 * Bounds of a served network: HTTP, websocket, real clock, admin API, bodies, options and ready accounts. Times are real
 * milliseconds unless stated otherwise.
 */

export const HTTP_LIMITS = {
  /** Bytes of one body; a write of full texts and a memo needs a quarter of it. */
  bodyBytes: 65_536,
  /** Bytes of a request's first line and headers together. */
  headerBytes: 16_384,
  /** Open connections of one validator's interface; more are closed at once. */
  connections: 2_048,
  /** Requests of one connection before it is closed. */
  requestsPerConnection: 100_000,
  /** Requests of one connection that wait behind the one in progress; a connection with more is closed. */
  pipelined: 32,
  /** Unread bytes of answers of all connections; past it those with the most are closed. */
  unreadBytes: 67_108_864,
  /** Time without progress after which a connection with an unread answer is closed. */
  unreadMs: 30_000,
  /** Time limit for the headers of a request. */
  headersMs: 10_000,
  /** Time limit for a complete request. */
  requestMs: 30_000,
  /** Interval between checks for late requests. */
  checkMs: 5_000,
  /** Longest idle time of a connection between two requests. */
  idleMs: 72_000,
  /** Token accounts in one list (wire 1.1, R22). */
  tokenAccounts: 1_000,
  /** Writes that wait for their response at one time. */
  waiting: 2_048,
  /** Reads that wait for their `min_receipt` at one time. */
  waitingReads: 1_024,
  /** Refused writes that are remembered, some hundred bytes each: at least the last half of them. */
  refusedWrites: 2_000,
  /** Writes of one account that wait for their response at one time. */
  waitingPerAccount: 32,
  /** Time limit of a read for its `min_receipt`. */
  minReceiptMs: 5_000,
  /** Time limit of the shutdown for requests in progress: a process ends within a second. */
  shutdownMs: 500,
  /** Addresses whose requests are counted at one time, if the request rate is limited. */
  clientsCounted: 5_000,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;

/** Time limit of an interface to get ready before it listens. None: a busy machine is no reason not to start. */
export const START_MS = 0;

/** Time of a client to read the last answer of its connection. */
export const LINGER_MS = 2_000;

/** The window of the request rate (specification 14.4: requests per minute). */
export const MINUTE_MS = 60_000;

/** Valid values of `x-request-id`; others are replaced, so that logs stay readable. */
export const REQUEST_ID: RegExp = /^[\w.:-]{1,64}$/;

export const SOCKET_LIMITS = {
  /** Open sockets of one validator's interface; each has at most one subscription a stream. */
  sockets: 256,
  /** Bytes of one frame of a client. */
  frameBytes: 16_384,
  /** Addresses, and tokens, of one filter. */
  filterEntries: 100,
  /** Unread bytes of one reader before it is dropped; a full checkpoint must fit. */
  bufferedBytes: 4_194_304,
  /** Bytes of all frames that some reader has not read; past it the slowest readers are dropped. */
  waitingBytes: 67_108_864,
  /** Interval of Pings (wire 4). */
  pingMs: 20_000,
  /** Time without a Pong after which a socket is closed (wire 4). */
  pongMs: 60_000,
  /** Time limit of a dropped reader to read its Close frame. */
  dropMs: 2_000,
  /** Time limit of the shutdown for replies to the Close frame (wire 4). */
  shutdownMs: 500,
};

export type SocketLimits = Readonly<typeof SOCKET_LIMITS>;

/** Time limit of the entry validator's first response, as in the handlers of the real network (wire 2.4). */
export const ANSWER_MS = 10_000;
/** Events of the world between two turns of the event loop: some 15 ms of work, since a signature takes about 1 ms. */
export const SLICE_EVENTS = 40;
/** Looks at a condition in a slice. */
export const SLICE_ROUNDS = 64;
/** Lag behind the clock (virtual) above which the difference is given up: the world is slower, no event is skipped. */
export const LAG_MS = 500;
/** Longest lag of the oracles; some dozen payments at once take them less time than one after the other. */
export const JUDGE_MS = 25;
/** Longest sleep: clocks of machines jump. */
export const SLEEP_MS = 1_000;
/** Time after a write in which reads, traces and advances take at most half of the thread. */
export const BUSY_MS = 100;
/** Longest advance at once: a day (virtual). */
export const ADVANCE_MS = 86_400_000;
/** Events of one advance at most, so that a world without quiescence still responds. */
export const ADVANCE_EVENTS = 5_000_000;
/** Requests that wait for a condition at the same time. */
export const WAITING_MAX = 10_000;
/** Operations of the server itself, of the faucet or the admin interface, that are under way: one after the other. */
export const SIGNED_WAITING = 64;
/** Snapshots kept of a network. */
export const SNAPSHOTS_MAX = 1_000;
/** Events of a network that are repeated for the trace of an operation: some ten seconds of work. */
export const TRACED_EVENTS = 200_000;
/** Traces under way and waiting. */
export const TRACES_WAITING = 8;
/** Events between two snapshots beside a recording, if the last one is written by then: a second or two of a restart. */
export const SNAPSHOT_EVENTS = 10_000;
/** Times the work of a slice of a snapshot that pass before the next slice: a ninth of the thread at most. */
export const SNAPSHOT_REST = 8;

/** Longest time that an entry of a state file waits for the disk under `--fsync interval`. */
export const FSYNC_MS: number = 1_000;
/** Bytes of the body of one request of the admin API. */
export const ADMIN_BODY_BYTES: number = 256 * 1_024;
/** Time limit of an operation that the server itself signs. */
export const TOOL_MS: number = 10_000;
/** Time limit of a checkpoint or an epoch's end beyond its interval (virtual milliseconds). */
export const CHAIN_MS: number = 30_000;
/** Default amount of one faucet call, in whole tokens. */
export const FAUCET_TOKENS: bigint = 100n;
/** Largest amount of one faucet call, in whole tokens. */
export const FAUCET_TOKENS_MAX: bigint = 1_000_000n;

/** Nesting depth of a JSON text: bodies have at most four levels, and the parser recurses. */
export const JSON_DEPTH = 32;
/** Digits of one JSON number; 2^256 has 78. */
export const JSON_DIGITS = 100;
/** Characters of a received value quoted in an error. */
export const VALUE_CHARACTERS = 80;
/** Characters of a received member's name quoted in a path. */
export const NAME_CHARACTERS = 40;
/** Unknown members listed for one body. */
export const IGNORED_LISTED = 16;

/**
 * Slots that one checkpoint lists unless a file says otherwise: more than a server decides between two checkpoints, since
 * each that no checkpoint lists stays in the memory of all validators and oracles. A full one fits `bufferedBytes`.
 */
export const SERVED_LISTED = 2_000;
/**
 * Slots that make a checkpoint due at once unless a file says otherwise. A checkpoint's work stands between a request and its
 * answer, so it lists few; the last eight last longer than the transfer of a state.
 */
export const SERVED_SLOTS = 100;
/** Validators of one served network: each is simulated and observed by the oracles. */
export const SERVED_VALIDATORS_MAX = 128;
/** Ready tokens. */
export const READY_TOKENS_MAX = 100;
/** Digits of an amount before its point; with 18 after it, more than 2^256 - 1 of the smallest unit. */
export const AMOUNT_DIGITS = 78;
/** Characters of an option's text that a message quotes. */
export const QUOTED_MAX = 80;
/** Validators named in the startup text. */
export const VALIDATORS_PRINTED = 16;
/** Characters of a seed. */
export const SEED_MAX = 128;

/** Accounts derived from one mnemonic: each takes about a millisecond at the start. */
export const ACCOUNTS_MAX = 1_000;
/** Characters of a mnemonic: more than 24 words need. */
export const MNEMONIC_MAX = 512;
