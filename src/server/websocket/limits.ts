/** Bounds of the websocket. Times are real milliseconds. */

export interface SocketLimits {
  /** Open sockets of one validator's interface; each has at most one subscription a stream. */
  readonly sockets: number;
  /** Bytes of one frame of a client. */
  readonly frameBytes: number;
  /** Addresses, and tokens, of one filter. */
  readonly filterEntries: number;
  /** Unread bytes of one reader before it is dropped; a full checkpoint must fit. */
  readonly bufferedBytes: number;
  /** Interval of Pings (wire 4). */
  readonly pingMs: number;
  /** Time without a Pong after which a socket is closed (wire 4). */
  readonly pongMs: number;
  /** Time limit of a dropped reader to read its Close frame. */
  readonly dropMs: number;
  /** Time limit of the shutdown for replies to the Close frame (wire 4). */
  readonly shutdownMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  sockets: 256,
  frameBytes: 16_384,
  filterEntries: 100,
  bufferedBytes: 8_388_608,
  pingMs: 20_000,
  pongMs: 60_000,
  dropMs: 2_000,
  shutdownMs: 20_000,
};
