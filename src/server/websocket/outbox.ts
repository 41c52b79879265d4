/** Frames that wait for the readers of a websocket endpoint: each is in memory once, however many readers wait for it. */
import type { WebSocket } from "ws";

/** One frame to any number of readers. */
export class OutgoingFrame {
  readonly bytes: Buffer;
  /** Readers that wait for it. */
  readers = 0;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }
}

/** Bytes of all frames that some reader waits for. */
export class WaitingBytes {
  total = 0;

  hold(frame: OutgoingFrame): void {
    if (frame.readers++ === 0) this.total += frame.bytes.length;
  }

  release(frame: OutgoingFrame): void {
    if (--frame.readers === 0) this.total -= frame.bytes.length;
  }
}

/** Unread bytes above which frames are kept here: in the socket each costs some hundred bytes more, and cannot be taken back. */
const IN_SOCKET = 65_536;

/** Frames that one reader has not read. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #waiting: WaitingBytes;
  readonly #frames: OutgoingFrame[] = [];
  /** Frames in the socket, the one that is being sent first. */
  readonly #sent: OutgoingFrame[] = [];
  #bytes = 0;

  constructor(socket: WebSocket, waiting: WaitingBytes) {
    this.#socket = socket;
    this.#waiting = waiting;
  }

  /** Unread bytes. */
  get bytes(): number {
    return this.#bytes + this.#socket.bufferedAmount;
  }

  /** Unread bytes behind the frame that is being sent, which may be of any size. */
  get backlog(): number {
    return Math.max(0, this.bytes - (this.#sent[0]?.bytes.length ?? 0));
  }

  push(frame: OutgoingFrame): void {
    this.#waiting.hold(frame);
    this.#frames.push(frame);
    this.#bytes += frame.bytes.length;
    this.#flush();
  }

  /** Forgets what is not yet in the socket. */
  clear(): void {
    for (const frame of this.#frames) this.#waiting.release(frame);
    this.#frames.length = 0;
    this.#bytes = 0;
  }

  #flush(): void {
    while (this.#socket.bufferedAmount < IN_SOCKET) {
      const frame = this.#frames.shift();
      if (frame === undefined) return;
      this.#bytes -= frame.bytes.length;
      this.#sent.push(frame);
      // Also called when the socket closes before the frame is sent.
      this.#socket.send(frame.bytes, { binary: false }, () => {
        this.#sent.shift();
        this.#waiting.release(frame);
        this.#flush();
      });
    }
  }
}
