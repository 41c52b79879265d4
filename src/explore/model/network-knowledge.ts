/** Knowledge of the network at a point of an exploration: honest statements, and the contents of values. */

import { entryOf } from "../../core/base/entry.ts";
import type { Epoch, Hash, Round } from "../../core/base/ids.ts";
import { parseSlotKey, type Slot, type SlotKey, slotKey } from "../../core/base/slot.ts";
import { type AnyCertificate, finalityOf, lockOf } from "../../core/consensus/certificate.ts";
import type { LockCertificate, RoundChange, Seal } from "../../core/consensus/message.ts";
import type { Content } from "../../core/validator/content.ts";
import { atLeast, disjunction, type Guard } from "./guard.ts";
import type { UntimedInput } from "./local-state.ts";
import type { HighestLock, SignedStatement, StatementTable } from "./statements.ts";
import type { System } from "./system.ts";

/** Returns true if a statement exists in the current run. */
export type IsSigned = (statement: number) => boolean;

export interface SlotRound {
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
}

/** Equal votes or commits, with the statements of their honest signers. */
export interface BallotGroup extends SlotRound {
  readonly kind: "vote" | "commit";
  readonly value: Hash;
  readonly statements: readonly number[];
}

/** Value that may be decided in a slot, with its content. */
export interface DecidableValue {
  readonly slot: SlotKey;
  readonly hash: Hash;
  /** Returns its content, with existing certificates if it needs any. */
  readonly content: (isSigned: IsSigned) => Content;
  /** Guard of its disclosure. */
  readonly guard: Guard;
  readonly name: string;
  /** Names of the operations that take effect with it, for lists only. */
  readonly carries: readonly string[];
}

/** q closes with equal lists, and the closing that they form. */
export interface DecidableClosing {
  readonly epoch: Epoch;
  /** The closes as messages, with the contents of the listed values. */
  readonly inputs: readonly UntimedInput[];
  readonly value: DecidableValue;
}

/** Round changes of different validators for one round, identified by their locks. */
export interface Justification {
  readonly locks: readonly HighestLock[];
  readonly guard: Guard;
  /** Returns the first such set that exists, highest locks first. */
  readonly makeInputs: (isSigned: IsSigned) => readonly RoundChange[];
}

export interface NetworkKnowledge {
  readonly system: System;
  /** True if the Byzantine validator is silent: whatever needs its signature is left out. */
  readonly isSilent: boolean;
  readonly statements: StatementTable;
  /** Returns the guard of the disclosure of an operation. */
  readonly release: (name: string) => Guard;
  readonly values: ReadonlyMap<string, DecidableValue>;
  readonly ballots: readonly BallotGroup[];
  readonly changes: readonly SignedStatement[];
  readonly closings: readonly DecidableClosing[];
}

/** Returns the votes and commits so far, grouped by equal content. */
export function ballotsIn(statements: StatementTable): readonly BallotGroup[] {
  const groups = new Map<string, BallotGroup & { readonly statements: number[] }>();
  for (const { number, message, slot: key } of statements.all) {
    const { body } = message;
    if (body.type !== "vote" && body.type !== "commit") continue;
    const { epoch, round, value, slot } = body;
    const name = `${body.type} ${epoch} ${key} ${round} ${value}`;
    const ballot = entryOf(groups, name, () => ({ kind: body.type, epoch, slot, round, value, statements: [] }));
    ballot.statements.push(number);
  }
  return [...groups.values()];
}

/**
 * Returns the guard of a certificate. The Byzantine validator signs everything; if it is silent, an honest one may hold
 * its earlier signature.
 */
export function certificateGuard(knowledge: NetworkKnowledge, ballot: BallotGroup): Guard {
  const { quorum } = knowledge.system.committee;
  if (!knowledge.isSilent) return atLeast(ballot.statements, quorum - 1);
  const quorumGuard = atLeast(ballot.statements, quorum);
  return ballot.kind === "commit" ? quorumGuard : disjunction([quorumGuard, holdersOf(knowledge, ballot)]);
}

/**
 * Returns the guard that a commit on a lock, or a round change that carries it, exists; its signer can forward the
 * lock.
 */
function holdersOf({ ballots, changes }: NetworkKnowledge, { epoch, slot, round, value }: BallotGroup): Guard {
  const key = slotKey(slot);
  const commits = ballots.filter(
    (ballot) =>
      ballot.kind === "commit" &&
      ballot.epoch === epoch &&
      ballot.round === round &&
      ballot.value === value &&
      slotKey(ballot.slot) === key,
  );
  const carrying = changes.filter(({ message: { body }, slot: other }) => {
    if (body.type !== "roundChange" || body.epoch !== epoch || other !== key) return false;
    return body.lock?.round === round && body.lock.value === value;
  });
  return [...commits.flatMap(({ statements }) => statements), ...carrying.map(({ number }) => number)].map(
    (statement) => [statement],
  );
}

/** Returns the certificate of a vote or commit, with existing signatures. */
export function certificateFrom(knowledge: NetworkKnowledge, ballot: BallotGroup, isSigned: IsSigned): AnyCertificate {
  return certificateOf(ballot, sealsFrom(knowledge, ballot, isSigned));
}

function certificateOf({ kind, epoch, slot, round, value }: BallotGroup, seals: readonly Seal[]): AnyCertificate {
  return kind === "vote"
    ? lockOf({ type: kind, epoch, slot, round, value }, seals)
    : finalityOf({ type: kind, epoch, slot, round, value }, seals);
}

/**
 * Returns a certificate that proves nothing: with one signature too few, or with one of them twice in place of the last.
 * Its guard is `weakGuard`.
 */
export function weakCertificate(
  knowledge: NetworkKnowledge,
  ballot: BallotGroup,
  isSigned: IsSigned,
  isRepeated = false,
): AnyCertificate {
  const few = sealsFrom(knowledge, ballot, isSigned).slice(0, knowledge.system.committee.quorum - 1);
  return certificateOf(ballot, isRepeated ? [...few, ...few.slice(-1)] : few);
}

/** Returns the guard of a certificate with one signature too few, one of them the Byzantine validator's. */
export function weakGuard({ system }: NetworkKnowledge, { statements }: BallotGroup): Guard {
  return atLeast(statements, system.committee.quorum - 2);
}

/** Returns the seals of a vote or commit: the Byzantine validator's, and as many honest ones as complete a quorum. */
function sealsFrom({ system, statements }: NetworkKnowledge, ballot: BallotGroup, isSigned: IsSigned): readonly Seal[] {
  const { kind, epoch, slot, round, value } = ballot;
  const honest = ballot.statements.filter(isSigned).slice(0, system.committee.quorum - 1);
  const byzantineBallot = system.byzantine.sign({ type: kind, epoch, slot, round, value });
  const signed = [byzantineBallot, ...honest.map((number) => statements.get(number).message.body)];
  return signed.map(({ signer, signature }) => ({ signer, signature }));
}

/** Returns a round change of the Byzantine validator, with a lock or without. */
export function byzantineRoundChange(
  { system }: NetworkKnowledge,
  { epoch, slot, round }: SlotRound,
  lock?: LockCertificate,
): RoundChange {
  return system.byzantine.sign({ type: "roundChange", epoch, slot, round, lock }) as RoundChange;
}

/** Returns a slot as text, with its owner's name instead of the key. */
export function slotName({ system }: Pick<NetworkKnowledge, "system">, key: SlotKey): string {
  const slot = parseSlotKey(key);
  const { directory } = system.compiled;
  switch (slot.kind) {
    case "account":
      return `slot ${slot.sequence} of ${directory.nameOf(slot.address)}`;
    case "token": {
      const [name] = [...directory.tokens].find(([, { address }]) => address === slot.token) ?? ["token"];
      return `version ${slot.version} of ${name}`;
    }
    case "checkpoint":
      return `checkpoint ${slot.number}`;
    case "epoch":
      return `the closing of epoch ${slot.epoch}`;
  }
}

/** Returns the text of a value of any slot. */
export function nameOfHash({ values }: Pick<NetworkKnowledge, "values">, hash: Hash): string {
  const decidable = [...values.values()].find((value) => value.hash === hash);
  return decidable?.name ?? `${hash.slice(0, 10)}…`;
}

/** Returns the text of a value: the names of its operations in the file. */
export function valueName({ values }: Pick<NetworkKnowledge, "values">, slot: SlotKey, hash: Hash): string {
  return values.get(`${slot} ${hash}`)?.name ?? `${hash.slice(0, 10)}…`;
}
