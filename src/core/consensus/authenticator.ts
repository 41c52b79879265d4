/**
 * Statements: the bytes that validators sign, and their verification by signer, with a bounded table of the statements of
 * one world. The bytes are the RLP of (tag, chain id, epoch, slot, round, value or content), hashed. Each kind has a tag
 * of its own, so a vote is never a commit (protocol 3.0).
 */

import { hex, type Item, text, uint } from "../base/encoding.ts";
import { entryOf } from "../base/entry.ts";
import type { Address, Hash, Signature } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import { type Slot, slotItem, slotKey, slotNumber } from "../base/slot.ts";
import { taggedHash } from "../crypto/hash.ts";
import { KeyedMix } from "../crypto/keyed-hash.ts";
import { createVerifier, type Scheme, type Verifier } from "../crypto/scheme.ts";
import { KNOWN_SIGNATURES } from "./limits.ts";
import type { Close, StatementContent } from "./message.ts";

/** Content of a signature, without the parts that prove themselves (justifications, certificates). */
export type Statement = StatementContent;

/** Hash that is signed for a statement on a chain. */
export type StatementDigest = (chainId: number, body: Statement) => Hash;

/** Returns the digest that a validator signs for this body on this chain. */
export function statementDigest(chainId: number, body: Statement): Hash {
  return taggedHash(
    body.type,
    uint(chainId),
    uint(body.epoch),
    slotItem(body.slot),
    uint(body.round),
    contentItem(body),
  );
}

/** The digest under the stand-in for secp256k1: as unambiguous, and a twentieth of the cost. */
export function standInDigest(chainId: number, body: Statement): Hash {
  const mix = new KeyedMix();
  mix.integer(chainId);
  mix.word(STATEMENT_WORDS[body.type]);
  mix.integer(body.epoch);
  mixSlot(mix, body.slot);
  mix.integer(body.round);
  mixContent(mix, body);
  return mix.hash();
}

const STATEMENT_WORDS = { vote: 1, commit: 2, roundChange: 3, proposal: 4, close: 5, lock: 6, finality: 7 } as const;
const SLOT_WORDS = { account: 1, token: 2, checkpoint: 3, epoch: 4 } as const;

function mixSlot(mix: KeyedMix, slot: Slot): void {
  mix.word(SLOT_WORDS[slot.kind]);
  if (slot.kind === "account") mix.hex(slot.address);
  else if (slot.kind === "token") mix.hex(slot.token);
  mix.integer(slotNumber(slot));
}

function mixContent(mix: KeyedMix, body: Statement): void {
  switch (body.type) {
    case "roundChange":
      mix.integer(body.lock?.round ?? -1);
      if (body.lock !== undefined) mix.hex(body.lock.value);
      return;
    case "close":
      for (const { type, slot, round, value } of body.claims) {
        mix.word(STATEMENT_WORDS[type]);
        mixSlot(mix, slot);
        mix.integer(round);
        mix.hex(value);
      }
      return;
    default:
      mix.hex(body.value);
  }
}

/** Returns the function that makes the digests of a scheme. */
export function digestOfScheme({ name }: Pick<Scheme, "name">): StatementDigest {
  return name === "keyed-hash" ? standInDigest : statementDigest;
}

/** Returns a text that is equal exactly for equal statements. A lock counts by round and value: any q votes prove it. */
export function statementKey(body: Statement): string {
  return `${body.type} ${body.epoch} ${slotKey(body.slot)} ${body.round} ${contentText(body)}`;
}

/** Returns a text that is equal exactly for certificates of one type, slot, round and value: any q signatures prove it. */
export function claimKey({ type, slot, round, value }: Close["claims"][number]): string {
  return `${type} ${slotKey(slot)} ${round} ${value}`;
}

function contentText(body: Statement): string {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? "" : `${body.lock.round}:${body.lock.value}`;
    case "close":
      return body.claims.map(claimKey).join(";");
    default:
      return body.value;
  }
}

function contentItem(body: Statement): Item {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? [] : [uint(body.lock.round), hex(body.lock.value)];
    case "close":
      return body.claims.map(({ type, slot, round, value }) => [text(type), slotItem(slot), uint(round), hex(value)]);
    default:
      return hex(body.value);
  }
}

/** One statement on one chain, and the signatures of it that are known to be genuine. */
export class KnownStatement {
  readonly digest: Hash;
  readonly #verifier: Verifier;
  readonly #genuine = new Map<Address, Signature>();

  constructor(digest: Hash, verifier: Verifier) {
    this.digest = digest;
    this.#verifier = verifier;
  }

  /** Returns true if exactly `signer` signed it. Costs a comparison for a signature that was seen or made before. */
  verifies(signer: Address, signature: Signature): boolean {
    if (this.#genuine.get(signer) === signature) return true;
    if (this.#verifier.recover(this.digest, signature) !== signer) return false;
    this.noteOwnSignature(signer, signature);
    return true;
  }

  /** Notes a signature that the caller has just made with the signer's key: nobody here needs to check it. */
  noteOwnSignature(signer: Address, signature: Signature): void {
    this.#genuine.set(signer, signature);
  }
}

/** Verifies statements. Results are pure. */
export interface Authenticator {
  readonly scheme: Scheme["name"];
  readonly verifier: Verifier;
  /** Returns the one record of a statement. */
  statement(statement: Statement): KnownStatement;
  /** Returns the digest of a statement on this chain. */
  digest(statement: Statement): Hash;
  /** Returns true if exactly `signer` signed the statement. */
  verifies(statement: Statement, signer: Address, signature: Signature): boolean;
  /** Returns the result of `judge` for an immutable record under an immutable `yardstick`, computed once for each pair. */
  once(yardstick: object, record: object, judge: () => string): string;
}

/** Parts of an authenticator that variants replace, and the limit of its tables. */
export interface AuthenticatorParts {
  /** The bytes that are signed. */
  readonly digestOf: StatementDigest;
  /** Entries of each table, at most. */
  readonly limit: number;
}

/** Returns an authenticator with tables of its own. */
export function createAuthenticator(
  chainId: number,
  scheme: Scheme,
  parts: Partial<AuthenticatorParts> = {},
): Authenticator {
  const { digestOf = digestOfScheme(scheme), limit = KNOWN_SIGNATURES } = parts;
  const verifier = createVerifier(scheme);
  const table = new StatementTable((body) => new KnownStatement(digestOf(chainId, body), verifier), limit);
  const byYardstick = new WeakMap<object, MemoTable<object, string>>();
  const statement = (body: Statement): KnownStatement => table.knownStatement(body);
  return {
    scheme: scheme.name,
    verifier,
    statement,
    digest: (body) => statement(body).digest,
    verifies: (body, signer, signature) => statement(body).verifies(signer, signature),
    once: (yardstick, record, judge) =>
      entryOf(byYardstick, yardstick, () => new MemoTable<object, string>()).getOrCompute(record, judge),
  };
}

/** Most statements about a slot hold one object for it. */
function isSameSlot(a: Slot, b: Slot): boolean {
  return a === b || slotKey(a) === slotKey(b);
}

interface StatementRow {
  readonly type: Statement["type"];
  readonly epoch: number;
  readonly round: number;
  readonly slot: Slot;
  readonly content: string;
  readonly knownStatement: KnownStatement;
}

/** Statements that one key of the table leads to, at most: a Byzantine validator can name a value in any round. */
const ROWS_OF_A_KEY = 32;

/**
 * Recent statements. The key is the value that a statement names, or the slot of one that names none: both are texts that
 * exist already, where a key of all fields would have to be built each time.
 */
class StatementTable {
  readonly #make: (body: Statement) => KnownStatement;
  readonly #rows: MemoTable<string, StatementRow[]>;

  constructor(make: (body: Statement) => KnownStatement, limit: number) {
    this.#make = make;
    this.#rows = new MemoTable(limit);
  }

  knownStatement(body: Statement): KnownStatement {
    const content = contentText(body);
    const key = body.type === "roundChange" || body.type === "close" ? slotKey(body.slot) : content;
    const rows = this.#rows.getOrCompute(key, noRows);
    for (const row of rows) {
      const { type, epoch, round } = row;
      if (round === body.round && type === body.type && epoch === body.epoch)
        if (row.content === content && isSameSlot(row.slot, body.slot)) return row.knownStatement;
    }
    const knownStatement = this.#make(body);
    if (rows.length >= ROWS_OF_A_KEY) rows.shift();
    rows.push({ type: body.type, epoch: body.epoch, round: body.round, slot: body.slot, content, knownStatement });
    return knownStatement;
  }
}

function noRows(): StatementRow[] {
  return [];
}
