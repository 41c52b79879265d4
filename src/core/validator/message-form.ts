/**
 * Form of what peers send: the one place where texts and numbers of a message become those that the types promise. Past
 * it an address, a hash or a count is a key, an item to encode, or a part of a timer's name (protocol 3.4).
 */
import { MemoTable } from "../base/memo-table.ts";
import { LAYOUTS } from "../base/operation.ts";
import { BURN_OUTCOMES } from "../base/slot.ts";
import { OPERATION_KINDS } from "../ledger/operations/kinds.ts";
import { STATE_PARTS } from "../ledger/roots.ts";
import { FETCH_COUNT, PIECES_REQUESTED, RESPONSE_ENTRIES, STATUS_SLOTS } from "./limits.ts";
import type { PeerMessage, UnsignedMessage } from "./message.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^0x[0-9a-f]{64}$/;

/** Forms of the texts that have one, by the names of their members. */
const FORMS = new Map<string, RegExp>([
  ...["address", "token", "signer", "sender", "account", "recipient", "from", "reward", "feeToken"].map(
    (name) => [name, ADDRESS] as const,
  ),
  ...["authorityAddress", "masterAuthority"].map((name) => [name, ADDRESS] as const),
  ...listOf("value id ids values copies parts left right root warrant listedRoot displaced").map(
    (name) => [name, HASH] as const,
  ),
  ...["parentHash", "stateRoot", "transactionsRoot", "receiptsRoot"].map((name) => [name, HASH] as const),
  // Of a member of a committee, or of a signer set.
  ["key", /^0x([0-9a-f]{40}|0[23][0-9a-f]{64})$/],
  ["part", wordsOf(STATE_PARTS)],
  ["outcome", wordsOf(BURN_OUTCOMES)],
  ["by", wordsOf(["cancellation", "recovery"])],
]);

/** Words that say what a part is, by the member that holds the part, or the list that does; a message is held by none. */
const WORDS = new Map<string, readonly (readonly [member: string, words: readonly unknown[]])[]>([
  ["", [["type", listOf("consensus offer disclosure fetch decisions status snapshot stateRequest statePieces")]]],
  ["body", [["type", listOf("vote commit lock finality roundChange proposal close")]]],
  ["value", [["type", listOf("operation burn skip list checkpoint closing")]]],
  ...["slot", "slots", "applied"].map(
    (holder) => [holder, [["kind", listOf("account token checkpoint epoch")]]] as const,
  ),
  [
    "operation",
    [
      ["kind", OPERATION_KINDS],
      ["layout", LAYOUTS],
    ],
  ],
  ["reason", [["kind", listOf("cancellation equivocation burn closing")]]],
  ["cause", [["kind", listOf("checkpoint proposal")]]],
  ["piece", [["type", listOf("entries branch")]]],
]);
const NO_WORDS: readonly (readonly [string, readonly unknown[]])[] = [];

function listOf(words: string): readonly string[] {
  return words.split(" ");
}

function wordsOf(words: readonly string[]): RegExp {
  return new RegExp(`^(${words.join("|")})$`);
}

/** Most entries of the lists that have a bound of their own, by their names; the rules bound the others. */
const LENGTHS = new Map([
  ["slots", FETCH_COUNT],
  ["applied", STATUS_SLOTS],
  ["values", FETCH_COUNT],
  ["decided", FETCH_COUNT],
  ["contents", FETCH_COUNT],
  ["places", PIECES_REQUESTED],
  ["pieces", RESPONSE_ENTRIES],
  ["parts", STATE_PARTS.length],
]);

/** Most characters of a text without a form: more than the rules of operations allow (wire 5). */
const TEXT_LENGTH = 16_384;

/** Most parts within one another, at least twice as many as an honest validator sends. */
const DEPTH = 32;

/** Tables in a state: the decoder of messages checks their entries, and hashes cover them. */
const TABLES: ReadonlySet<string> = new Set(["roles", "fees"]);

/**
 * Heights of well-formed parts: how many parts lie within one another below each. A message to many is one object, and so
 * is a content or a certificate in several messages; the height says whether a part is too deep where it stands.
 */
const heights = new MemoTable<object, number>();

/** Height of what is malformed, or too deep. */
const MALFORMED = -1;

/**
 * Returns true if each text and number of a message has the form that its type promises, the words that say what a part is
 * are known, and no list is longer than an honest validator sends. That the members of a type are there is up to the
 * decoder. Cost: O(size), once for each part.
 */
export function isWellFormed(message: PeerMessage | UnsignedMessage): boolean {
  return heightOfPart("", message, 0) !== MALFORMED;
}

/** Returns the height of a part at a depth. What is found never depends on what was judged before. */
function heightOfPart(holder: string, part: object, depth: number): number {
  for (const [member, words] of WORDS.get(holder) ?? NO_WORDS)
    if (!words.includes(part[member as keyof typeof part])) return MALFORMED;
  const cachedHeight = heights.get(part);
  if (cachedHeight !== undefined) return depth + cachedHeight <= DEPTH ? cachedHeight : MALFORMED;
  if (depth > DEPTH) return MALFORMED;
  let height = 0;
  for (const name in part) {
    const below = heightBelow(name, part[name as keyof typeof part], depth + 1);
    if (below === MALFORMED) return MALFORMED;
    height = Math.max(height, below);
  }
  // To read a part without parts again costs less than to keep its height.
  if (height > 0) heights.set(part, height);
  return height;
}

/** Returns 0 for a member that is no part, 1 and its height for one that is. */
function heightBelow(name: string, member: unknown, depth: number): number {
  if (typeof member !== "object") return isScalar(name, member) ? 0 : MALFORMED;
  if (member === null) return MALFORMED;
  if (TABLES.has(name) && !Array.isArray(member)) return 0;
  const height = Array.isArray(member) ? heightOfList(name, member, depth) : heightOfPart(name, member, depth);
  return height === MALFORMED ? MALFORMED : 1 + height;
}

function heightOfList(name: string, entries: readonly unknown[], depth: number): number {
  if (depth > DEPTH || entries.length > (LENGTHS.get(name) ?? entries.length)) return MALFORMED;
  let height = 0;
  for (const entry of entries) {
    const below = heightBelow(name, entry, depth + 1);
    if (below === MALFORMED) return MALFORMED;
    height = Math.max(height, below);
  }
  return height;
}

function isScalar(name: string, member: unknown): boolean {
  switch (typeof member) {
    case "string":
      return isText(name, member);
    case "number":
      return Number.isSafeInteger(member) && member >= 0;
    case "bigint":
      // A balance that owes a fee is below zero (protocol 4.4).
      return member >= 0n || name === "entries";
    default:
      return true;
  }
}

function isText(name: string, text: string): boolean {
  return FORMS.get(name)?.test(text) ?? text.length <= TEXT_LENGTH;
}
