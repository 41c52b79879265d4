/** Statements that honest validators signed in any explored run, each once with a number. */
import { entryOf } from "../../core/base/entry.ts";
import type { Hash, Round } from "../../core/base/ids.ts";
import { type SlotKey, slotKey } from "../../core/base/slot.ts";
import { statementKey } from "../../core/consensus/authenticator.ts";
import type { SignedMessage, StatementContent } from "../../core/consensus/message.ts";
import type { ConsensusEnvelope } from "../../core/validator/message.ts";
import { STATEMENTS_MAX } from "../limits.ts";
import { NotExplorable, type Sign } from "./system.ts";

/** Statement of one honest validator. */
export interface SignedStatement {
  /** Its bit. */
  readonly number: number;
  /** Index of its signer among the honest validators. */
  readonly signer: number;
  readonly slot: SlotKey;
  /** Number of the statement's content, equal for all signers. */
  readonly kind: number;
  /** The message when it was first signed, with contents and reason. */
  readonly message: ConsensusEnvelope<SignedMessage>;
}

/** Numbers statements in the order in which they are first signed. */
export class StatementTable {
  readonly all: SignedStatement[] = [];
  /** Numbers of the statements signed in a single run. */
  readonly signedInRun: Set<number> = new Set();
  readonly #kinds = new Map<string, number>();
  readonly #byNumber: (SignedStatement | undefined)[] = [];
  readonly #byKind: number[][] = [];

  /** Returns a number for an event without a signature. @throws NotExplorable if there are too many. */
  reserve(): number {
    const number = this.#byNumber.length;
    if (number >= STATEMENTS_MAX)
      throw new NotExplorable(
        `more than ${STATEMENTS_MAX} different statements are signed: explore fewer operations, rounds or crashes`,
      );
    this.#byNumber.push(undefined);
    return number;
  }

  /**
   * Returns the number of a validator's statement, and signs it if it is new.
   * @throws NotExplorable if there are too many different ones.
   */
  numberOf(validator: number, message: ConsensusEnvelope<StatementContent>, sign: Sign): number {
    const kind = entryOf(this.#kinds, unsignedStatementKey(message.body), () => this.#kinds.size);
    const existing = this.ofKind(validator, kind);
    if (existing !== undefined) return existing;
    const number = this.reserve();
    const slot = slotKey(message.body.slot);
    const signed = { ...message, body: sign(message.body) };
    const statement: SignedStatement = { number, signer: validator, slot, kind, message: signed };
    this.all.push(statement);
    this.#byNumber[number] = statement;
    this.#byKind[validator] ??= [];
    (this.#byKind[validator] as number[])[kind] = number;
    return number;
  }

  /** Returns the number of a validator's statement of a kind; `undefined` if it has never signed it. */
  ofKind(validator: number, kind: number): number | undefined {
    return this.#byKind[validator]?.[kind];
  }

  get(number: number): SignedStatement {
    const statement = this.#byNumber[number];
    if (statement === undefined) throw new RangeError(`no statement has the number ${number}`);
    return statement;
  }
}

/** Justifications are identified by their locks and not by their signers. */
function unsignedStatementKey(body: StatementContent): string {
  if (body.type !== "proposal") return statementKey(body);
  return `${statementKey(body)} ${locksText(locksIn(body.justification))}`;
}

/** Round and value of a lock. */
export type HighestLock = Readonly<{ round: Round; value: Hash }>;

/** Returns the locks that round changes name, highest round first. */
export function locksIn(changes: readonly { readonly lock: HighestLock | undefined }[]): readonly HighestLock[] {
  const locks = changes.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
  return locks.sort((a, b) => b.round - a.round || (a.value < b.value ? -1 : 1));
}

export function locksText(locks: readonly HighestLock[]): string {
  return locks.map(({ round, value }) => `${round} ${value}`).join(",");
}
