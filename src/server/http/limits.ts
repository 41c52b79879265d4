/** Bounds of the HTTP interface. Times are real milliseconds. */

export interface HttpLimits {
  /** Bytes of one body; a write of full texts and a memo needs a quarter of it. */
  readonly bodyBytes: number;
  /** Bytes of a request's first line and headers together. */
  readonly headerBytes: number;
  /** Open connections of one validator's interface; more are closed at once. */
  readonly connections: number;
  /** Requests of one connection before it is closed. */
  readonly requestsPerConnection: number;
  /** Time limit for the headers of a request. */
  readonly headersMs: number;
  /** Time limit for a complete request. */
  readonly requestMs: number;
  /** Interval between checks for late requests. */
  readonly checkMs: number;
  /** Longest idle time of a connection between two requests. */
  readonly idleMs: number;
  /** Requests that wait for the network at one time: writes for their response, reads for `min_receipt`. */
  readonly waiting: number;
  /** Writes of one account that wait for their response at one time. */
  readonly waitingPerAccount: number;
  /** Time limit of a read for its `min_receipt`. */
  readonly minReceiptMs: number;
  /** Time limit of the shutdown for requests in progress. */
  readonly shutdownMs: number;
  /** Addresses whose requests are counted at one time, if the request rate is limited. */
  readonly clientsCounted: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 65_536,
  headerBytes: 16_384,
  connections: 2_048,
  requestsPerConnection: 100_000,
  headersMs: 10_000,
  requestMs: 30_000,
  checkMs: 5_000,
  idleMs: 72_000,
  waiting: 2_048,
  waitingPerAccount: 32,
  minReceiptMs: 5_000,
  shutdownMs: 15_000,
  clientsCounted: 5_000,
};

/** The window of the request rate (specification 14.4: requests per minute). */
export const MINUTE_MS = 60_000;

/** Valid values of `x-request-id`; others are replaced, so that logs stay readable. */
export const REQUEST_ID: RegExp = /^[\w.:-]{1,64}$/;
