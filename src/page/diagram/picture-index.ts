/** Index of a run for its pictures: messages by the positions of their ends, and the mark of each event. */
import type { LinkMessage, Timeline } from "../../report/timeline/model.ts";
import { markNumbers } from "./marks.ts";

const BLOCK = 256;

/** Finds the messages in view without reading all. */
export class PictureIndex {
  readonly #messages: readonly LinkMessage[];
  readonly #end: number;
  /** By block of messages: position of the last end. */
  readonly #lastEnds: Float64Array;

  /** Number of the mark of each event, -1 for none. */
  readonly marks: Int8Array;

  /** O(events). */
  constructor({ events, messages }: Timeline) {
    const end = events.length;
    this.marks = markNumbers(events);
    this.#messages = messages;
    this.#end = end;
    this.#lastEnds = new Float64Array(Math.ceil(messages.length / BLOCK));
    for (const [at, message] of messages.entries()) {
      const block = Math.floor(at / BLOCK);
      this.#lastEnds[block] = Math.max(this.#lastEnds[block] ?? 0, message.end ?? end);
    }
  }

  /**
   * Calls with messages that are sent before `right` and end after `left`: with about `most` of them if there are more.
   * Returns the share.
   */
  some(left: number, right: number, most: number, call: (message: LinkMessage) => void): number {
    const stride = Math.max(1, Math.floor(this.countBetween(left, right) / most));
    for (let block = 0; block < this.#lastEnds.length; block++) {
      const first = block * BLOCK;
      if ((this.#messages[first]?.sent ?? 0) > right) break;
      if ((this.#lastEnds[block] ?? 0) < left) continue;
      for (let at = first; at < Math.min(first + BLOCK, this.#messages.length); at += stride) {
        const message = this.#messages[at] as LinkMessage;
        if (message.sent <= right && (message.end ?? this.#end) >= left) call(message);
      }
    }
    return 1 / stride;
  }

  /** Returns the number of messages in a stretch, rounded up to whole blocks. */
  countBetween(left: number, right: number): number {
    let count = 0;
    for (let block = 0; block < this.#lastEnds.length; block++) {
      if ((this.#messages[block * BLOCK]?.sent ?? 0) > right) break;
      if ((this.#lastEnds[block] ?? 0) >= left) count += BLOCK;
    }
    return count;
  }
}
