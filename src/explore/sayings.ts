/** Everything that honest validators have signed in some explored run, each statement once and with a number. */
import type { Hash, Round } from "../core/base/ids.ts";
import { type SlotKey, slotKey } from "../core/base/slot.ts";
import type { SignedMessage } from "../core/consensus/message.ts";
import { statementKey } from "../core/consensus/statement.ts";
import type { Carried } from "../core/validator/message.ts";
import { NotExplorable } from "./arena.ts";
import { SAYINGS_MAX } from "./limits.ts";

/** One statement of one honest validator. */
export interface Saying {
  /** Its bit. */
  readonly number: number;
  /** The place of its signer among the honest ones. */
  readonly by: number;
  readonly slot: SlotKey;
  /** What is said: the same number whoever says it. */
  readonly kind: number;
  /** As it was sent when it was first said, with contents and reason. */
  readonly message: Carried<SignedMessage>;
}

/** Numbers statements in the order in which they are first said. */
export class Sayings {
  readonly all: Saying[] = [];
  /** Of a single run: what has been said in it. */
  readonly happened: Set<number> = new Set();
  readonly #numbers = new Map<string, number>();
  readonly #kinds = new Map<string, number>();
  readonly #byNumber: (Saying | undefined)[] = [];

  /** A number for something that happens and that nobody signs. @throws NotExplorable where there are too many. */
  reserve(): number {
    const number = this.#byNumber.length;
    if (number >= SAYINGS_MAX)
      throw new NotExplorable(
        `more than ${SAYINGS_MAX} different statements are signed: explore fewer operations or rounds`,
      );
    this.#byNumber.push(undefined);
    return number;
  }

  /** The number of what a validator says. @throws NotExplorable where there are too many different ones. */
  numberOf(by: number, message: Carried<SignedMessage>): number {
    const text = sayingKey(message.body);
    const key = `${by} ${text}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.reserve();
    this.#numbers.set(key, number);
    const kind = this.#kinds.get(text) ?? this.#kinds.size;
    this.#kinds.set(text, kind);
    const saying: Saying = { number, by, slot: slotKey(message.body.slot), kind, message };
    this.all.push(saying);
    this.#byNumber[number] = saying;
    return number;
  }

  get(number: number): Saying {
    const saying = this.#byNumber[number];
    if (saying === undefined) throw new RangeError(`no saying has the number ${number}`);
    return saying;
  }
}

/** Justifications count by the locks that they name, and not by who names them. */
function sayingKey(body: SignedMessage): string {
  const { signer: _, signature: __, ...unsigned } = body;
  if (body.type !== "proposal") return statementKey(unsigned as typeof body);
  return `${statementKey(body)} ${locksText(locksIn(body.justification))}`;
}

/** A lock by what it is for. */
export interface Top {
  readonly round: Round;
  readonly value: Hash;
}

/** The lock that forces a value: the first one of the highest round (protocol 3.2). */
export function topOf(locks: readonly (Top | undefined)[]): Top | undefined {
  let top: Top | undefined;
  for (const lock of locks) if (lock !== undefined && (top === undefined || lock.round > top.round)) top = lock;
  return top;
}

/** The locks that round changes name, those of the highest round first. */
export function locksIn(changes: readonly { readonly lock: Top | undefined }[]): readonly Top[] {
  const locks = changes.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
  return locks.sort((a, b) => b.round - a.round || (a.value < b.value ? -1 : 1));
}

export function locksText(locks: readonly Top[]): string {
  return locks.map(({ round, value }) => `${round} ${value}`).join(",");
}
