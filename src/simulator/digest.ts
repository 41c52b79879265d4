/** Digests of plain data for the rolling hash: texts, numbers, bigints, booleans, arrays, records, tries of these. */
import { AssertionError } from "../core/base/assert.ts";
import { IdentityMemo } from "../core/base/identity-memo.ts";
import { slotKey } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import type { PeerMessage } from "../core/validator/message.ts";
import { type Lanes, Mix } from "./random.ts";

/**
 * Caches by identity the digests of objects that many messages share, recognised by `isShared`; they are immutable.
 * Results never depend on the cache, so forks share one.
 */
export class Digester {
  readonly #known = new IdentityMemo<object, Lanes>();

  /** @throws AssertionError for functions and symbols, which are not data. */
  of(value: unknown): Lanes {
    if (typeof value === "object" && value !== null)
      return isShared(value) ? this.#remembered(value) : this.#whole(value);
    const mix = new Mix();
    this.#scalar(mix, value);
    return mix.finish();
  }

  /** Returns the digest of a message. Of ballots, which are most messages, the fields are mixed without a walk. */
  ofMessage(message: PeerMessage): Lanes {
    if (message.type !== "consensus") return this.of(message);
    const { body, contents, reason } = message;
    if (body.type !== "vote" && body.type !== "commit") return this.of(message);
    const mix = new Mix();
    mix.name(body.type);
    mix.name(slotKey(body.slot));
    mix.block(body.epoch, body.round, contents.length, BALLOT);
    mix.name(body.value);
    mix.name(body.signer);
    mix.name(body.signature);
    if (contents.length > 0) this.#absorb(mix, contents);
    if (reason !== undefined) this.#absorb(mix, reason);
    return mix.finish();
  }

  #remembered(value: object): Lanes {
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const made = this.#whole(value);
    this.#known.set(value, made);
    return made;
  }

  #whole(value: object): Lanes {
    const mix = new Mix();
    this.#members(mix, value);
    return mix.finish();
  }

  #members(mix: Mix, value: object): void {
    if (Array.isArray(value)) {
      mix.word(value.length);
      for (const item of value) this.#absorb(mix, item);
    } else if (value instanceof Trie || value instanceof Map || value instanceof Set) {
      mix.word(value.size);
      for (const item of value.entries()) for (const part of item) this.#absorb(mix, part);
    } else {
      for (const key in value) {
        mix.name(key);
        this.#absorb(mix, (value as Record<string, unknown>)[key]);
      }
      mix.word(OBJECT_END);
    }
  }

  #absorb(mix: Mix, value: unknown): void {
    if (typeof value !== "object" || value === null) this.#scalar(mix, value);
    else if (isShared(value)) {
      const inner = this.#remembered(value);
      mix.block(inner.a, inner.b, inner.c, inner.d);
    } else this.#members(mix, value);
  }

  #scalar(mix: Mix, value: unknown): void {
    if (typeof value === "string") mix.name(value);
    else if (typeof value === "number") mix.integer(value);
    else if (typeof value === "bigint") mix.text(value.toString(16));
    else if (typeof value === "boolean") mix.word(value ? 1 : 2);
    else if (value === undefined || value === null) mix.word(3);
    else throw new AssertionError(`digest: expected plain data, got a ${typeof value}`);
  }
}

const BALLOT = 0x62616c6c;
const OBJECT_END = 0x656e64;

/** Returns true for certificates, contents and signed operations: large, and part of many messages. */
function isShared(value: object): boolean {
  return "seals" in value || "operations" in value || "operation" in value;
}

export const EVENT_KIND = {
  start: 1,
  arrival: 2,
  timer: 3,
  written: 4,
  clientTimeout: 5,
  action: 6,
  order: 7,
  govern: 8,
  persist: 16,
  sign: 17,
  send: 18,
  setTimer: 19,
  cancelTimer: 20,
  reply: 21,
  event: 22,
  report: 23,
  coverage: 24,
  erase: 25,
  lost: 32,
  held: 33,
  crashed: 34,
  restarted: 35,
  submitted: 36,
} as const;
