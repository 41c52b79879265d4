/**
 * Rolling hash over every event, and digests of the plain data that enter it: texts, numbers, bigints, booleans, arrays,
 * records, tries of these.
 */

import { AssertionError, unreachable } from "../core/base/assert.ts";
import { entryOf } from "../core/base/entry.ts";
import type { Hash } from "../core/base/ids.ts";
import { MemoTable } from "../core/base/memo-table.ts";
import type { OperationId } from "../core/base/operation.ts";
import { type Slot, slotNumber } from "../core/base/slot.ts";
import { Trie } from "../core/base/trie.ts";
import type { AnyCertificate } from "../core/consensus/certificate.ts";
import type { SignedMessage } from "../core/consensus/message.ts";
import { hexWord } from "../core/crypto/words.ts";
import type { Content } from "../core/validator/content.ts";
import type { ConsensusEnvelope, PeerMessage, Reason } from "../core/validator/message.ts";
import type { Reply } from "../core/validator/output.ts";
import { type Lanes, lanesHex, Mix } from "./random.ts";

/**
 * Caches by identity the digests of objects that many messages share, recognised by `isShared`; they are immutable.
 * Results never depend on the cache, so forks share one.
 */
export class Digester {
  readonly #known = new MemoTable<object, Lanes>();

  /** @throws AssertionError for functions and symbols, which are not data. */
  digestOf(value: unknown): Lanes {
    if (typeof value === "object" && value !== null)
      return isShared(value) ? this.#cachedLanes(value) : this.#digestValue(value);
    const mix = new Mix();
    this.#scalar(mix, value);
    return mix;
  }

  /**
   * Returns the digest of a message that a node has just signed. Of a ballot, which most messages are, the digest that
   * was signed and the signer stand for the signature: a key has one of a digest.
   */
  digestOfSigned(message: ConsensusEnvelope<SignedMessage>, statement: Hash): Lanes {
    const { body, contents, reason } = message;
    if (body.type !== "vote" && body.type !== "commit") return this.digestOfMessage(message);
    const mix = new Mix();
    mix.hex(statement, 2);
    mix.hex(statement, 34);
    // A variant may sign less than it sends.
    mix.block(ownerWord(body.slot), slotNumber(body.slot), body.round, hexWord(body.value, 2));
    mix.block(body.type === "vote" ? VOTE : COMMIT, hexWord(body.signer, 2), body.epoch, contents.length);
    this.#mixContents(mix, contents, reason);
    return mix;
  }

  /** Returns the digest of a message. Of certificates, which most others are, no fields are walked. */
  digestOfMessage(message: PeerMessage): Lanes {
    if (message.type !== "consensus" || !("seals" in message.body)) return this.digestOf(message);
    const { body, contents, reason } = message;
    const mix = new Mix();
    mix.lanes(this.#cachedLanes(body));
    mix.word(contents.length);
    this.#mixContents(mix, contents, reason);
    return mix;
  }

  /** Returns the digest of a reply about an operation. */
  digestOfReply(id: OperationId, reply: Reply): Lanes {
    const mix = new Mix();
    mix.hex(id, 2);
    this.#members(mix, reply);
    return mix;
  }

  #mixContents(mix: Mix, contents: readonly Content[], reason: Reason | undefined): void {
    for (const content of contents) mix.lanes(this.#cachedLanes(content));
    if (reason !== undefined) this.#absorb(mix, reason);
  }

  #cachedLanes(value: object): Lanes {
    return entryOf(this.#known, value, () => this.#digestValue(value));
  }

  #digestValue(value: object): Lanes {
    const mix = new Mix();
    if ("seals" in value) mixCertificate(mix, value as AnyCertificate);
    else this.#members(mix, value);
    return mix;
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
        mix.text(key);
        this.#absorb(mix, (value as Record<string, unknown>)[key]);
      }
      mix.word(OBJECT_END);
    }
  }

  #absorb(mix: Mix, value: unknown): void {
    if (typeof value !== "object" || value === null) this.#scalar(mix, value);
    else if (isShared(value)) mix.lanes(this.#cachedLanes(value));
    else this.#members(mix, value);
  }

  #scalar(mix: Mix, value: unknown): void {
    if (typeof value === "string") mix.text(value);
    else if (typeof value === "number") mix.integer(value);
    else if (typeof value === "bigint") mix.text(value.toString(16));
    else if (typeof value === "boolean") mix.word(value ? 1 : 2);
    else if (value === undefined || value === null) mix.word(3);
    else throw new AssertionError(`digest: expected plain data, got a ${typeof value}`);
  }
}

const VOTE = 0x766f7465;
const COMMIT = 0x636f6d6d;
const LOCK = 0x6c6f636b;
const FINALITY = 0x66696e61;
const OBJECT_END = 0x656e64;

/** Texts of known length enter by their digits. Signatures enter whole: nobody has checked them yet. */
function mixCertificate(mix: Mix, { type, epoch, slot, round, value, seals }: AnyCertificate): void {
  mix.block(type === "lock" ? LOCK : FINALITY, epoch, round, seals.length);
  mix.block(ownerWord(slot), slotNumber(slot), 0, 0);
  mix.hex(value, 2);
  for (const { signer, signature } of seals) {
    mix.hex(signer, 2);
    mix.text(signature);
  }
}

/** Returns a word of the owner of a slot; of one without an owner, one for its kind. */
export function ownerWord(slot: Slot): number {
  switch (slot.kind) {
    case "account":
      return hexWord(slot.address, 2);
    case "token":
      return ~hexWord(slot.token, 2);
    case "checkpoint":
      return 1;
    case "epoch":
      return 2;
    default:
      return unreachable(slot);
  }
}

/** Returns true for certificates, contents and signed operations: large, and part of many messages. */
function isShared(value: object): boolean {
  return "seals" in value || "operations" in value || "operation" in value;
}

/** Rolling hash over every event (architecture law 8). */
export class Trace {
  #mix = new Mix();

  /** Mixes one event: its kind, virtual time, party, a number (of its link, say), a digest of its content. */
  event(kind: number, at: number, party: number, number: number, content: Lanes): void {
    this.#mix.block(kind | (party << 8), at | 0, content.a, content.b);
    this.#mix.block(number, Math.floor(at / 4_294_967_296), content.c, content.d);
  }

  /** Mixes an event whose content is three integers of 32 bits. Its kind decides which further parts follow. */
  note(kind: number, party: number, a: number, b: number, c: number): void {
    this.#mix.block(kind | (party << 8), a, b, c);
  }

  /** Mixes one more part of the last note: four integers of 32 bits. */
  numbers(a: number, b: number, c: number, d: number): void {
    this.#mix.block(a, b, c, d);
  }

  /** Mixes an event by a text. */
  text(kind: number, party: number, text: string): void {
    this.#mix.word(kind | (party << 8));
    this.#mix.text(text);
  }

  /** Mixes an event by the digest of its content. */
  digest(kind: number, party: number, content: Lanes): void {
    this.#mix.word(kind | (party << 8));
    this.#mix.lanes(content);
  }

  /** 0x and 32 hex digits. */
  get hash(): string {
    return `0x${lanesHex(this.#mix.finish())}`;
  }

  /** Returns the running hash as it is, unstirred. */
  capture(): Lanes {
    const { a, b, c, d } = this.#mix;
    return { a, b, c, d };
  }

  restore(captured: Lanes): void {
    this.#mix = new Mix(captured);
  }
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
  report: 23,
  coverage: 24,
  erase: 25,
  lost: 32,
  held: 33,
  crashed: 34,
  restarted: 35,
  submitted: 36,
  decided: 40,
  applied: 41,
  checkpointed: 42,
  closed: 43,
  halted: 44,
  joined: 45,
} as const;
