/** Knowledge of the network at a point of an exploration: honest statements, and the contents of values. */
import { present } from "../core/base/assert.ts";
import type { Epoch, Hash, Round } from "../core/base/ids.ts";
import type { Slot } from "../core/base/slot.ts";
import { parseSlotKey, type SlotKey, slotKey } from "../core/base/slot.ts";
import { finalityOf, lockOf } from "../core/consensus/certificate.ts";
import type {
  Close,
  FinalityCertificate,
  LockCertificate,
  RoundChange,
  Seal,
  SignedMessage,
} from "../core/consensus/message.ts";
import type { Content } from "../core/validator/slots/content.ts";
import type { Arena } from "./arena.ts";
import type { Timeless } from "./life.ts";
import { anyOf, manyOf, type Need } from "./need.ts";
import type { Saying, Sayings } from "./sayings.ts";

/** Returns true if a statement exists in the current run. */
export type Has = (saying: number) => boolean;

/** Equal votes or commits, with the statements of their honest signers. */
export interface Ballot {
  readonly kind: "vote" | "commit";
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly value: Hash;
  readonly sayings: readonly number[];
}

/** Value that may be decided in a slot, with its content. */
export interface KnownValue {
  readonly slot: SlotKey;
  readonly hash: Hash;
  /** Returns its content, with existing certificates if it needs any. */
  readonly content: (has: Has) => Content;
  /** Guard of its disclosure. */
  readonly need: Need;
  readonly name: string;
  /** Names of the operations that take effect with it, for lists only. */
  readonly carries: readonly string[];
}

/** q closes with equal lists, and the closing that they form. */
export interface KnownClosing {
  readonly epoch: Epoch;
  readonly closes: readonly Close[];
  /** The closes as messages, with the contents of the listed values. */
  readonly inputs: readonly Timeless[];
  readonly need: Need;
  readonly value: KnownValue;
}

export interface Stage {
  readonly arena: Arena;
  /** True if the Byzantine validator is silent: whatever needs its signature is left out. */
  readonly isSilent: boolean;
  readonly sayings: Sayings;
  readonly values: ReadonlyMap<string, KnownValue>;
  readonly ballots: readonly Ballot[];
  readonly changes: readonly Saying[];
  readonly closings: readonly KnownClosing[];
}

/** Returns the votes and commits so far, grouped by equal content. */
export function ballotsIn(sayings: Sayings): readonly Ballot[] {
  const found = new Map<string, Ballot & { readonly sayings: number[] }>();
  for (const { number, message, slot: key } of sayings.all) {
    const { body } = message;
    if (body.type !== "vote" && body.type !== "commit") continue;
    const { epoch, round, value, slot } = body;
    const name = `${body.type} ${epoch} ${key} ${round} ${value}`;
    const ballot = found.get(name);
    if (ballot === undefined) found.set(name, { kind: body.type, epoch, slot, round, value, sayings: [number] });
    else ballot.sayings.push(number);
  }
  return [...found.values()];
}

/**
 * Returns the guard of a certificate. The Byzantine validator signs everything; if it is silent, an honest one may hold
 * its earlier signature.
 */
export function certificateNeed(stage: Stage, ballot: Ballot): Need {
  const { quorum } = stage.arena.committee;
  if (!stage.isSilent) return manyOf(ballot.sayings, quorum - 1);
  const own = manyOf(ballot.sayings, quorum);
  return ballot.kind === "commit" ? own : anyOf([own, holdersOf(stage, ballot)]);
}

/**
 * Returns the guard that a commit on a lock, or a round change that carries it, exists; its signer can forward the
 * lock.
 */
function holdersOf({ ballots, changes }: Stage, { epoch, slot, round, value }: Ballot): Need {
  const key = slotKey(slot);
  const commits = ballots.filter(
    (one) =>
      one.kind === "commit" &&
      one.epoch === epoch &&
      one.round === round &&
      one.value === value &&
      slotKey(one.slot) === key,
  );
  const carrying = changes.filter(({ message: { body }, slot: other }) => {
    if (body.type !== "roundChange" || body.epoch !== epoch || other !== key) return false;
    return body.lock?.round === round && body.lock.value === value;
  });
  return [...commits.flatMap(({ sayings }) => sayings), ...carrying.map(({ number }) => number)].map((one) => [one]);
}

/** Returns the lock certificate of a vote, with existing signatures. */
export function lockFrom(stage: Stage, ballot: Ballot, has: Has): LockCertificate {
  const { epoch, slot, round, value } = ballot;
  return lockOf({ type: "vote", epoch, slot, round, value }, sealsFrom(stage, ballot, has));
}

/** Returns the finality certificate of a commit, with existing signatures. */
export function finalityFrom(stage: Stage, ballot: Ballot, has: Has): FinalityCertificate {
  const { epoch, slot, round, value } = ballot;
  return finalityOf({ type: "commit", epoch, slot, round, value }, sealsFrom(stage, ballot, has));
}

/** Returns the signed votes or commits: the Byzantine validator's, and as many honest ones as complete a quorum. */
export function signedFrom({ arena, sayings }: Stage, ballot: Ballot, has: Has): readonly SignedMessage[] {
  const { kind, epoch, slot, round, value } = ballot;
  const honest = ballot.sayings.filter(has).slice(0, arena.committee.quorum - 1);
  const own = arena.liar.sign({ type: kind, epoch, slot, round, value });
  return [own, ...honest.map((number) => sayings.get(number).message.body)];
}

function sealsFrom(stage: Stage, ballot: Ballot, has: Has): readonly Seal[] {
  return signedFrom(stage, ballot, has).map(({ signer, signature }) => ({ signer, signature }));
}

/** Returns the votes that form a lock. */
export function voteBehind(
  { ballots }: Stage,
  slot: SlotKey,
  epoch: Epoch,
  top: { readonly round: Round; readonly value: Hash },
): Ballot {
  return present(
    ballots.find(
      (one) =>
        one.kind === "vote" &&
        one.epoch === epoch &&
        slotKey(one.slot) === slot &&
        one.round === top.round &&
        one.value === top.value,
    ),
    `votes for ${top.value} in round ${top.round} of ${slot}`,
  );
}

/** Returns a round change of the Byzantine validator, with a lock or without. */
export function liarsChange(
  stage: Stage,
  epoch: Epoch,
  slot: Slot,
  round: Round,
  lock: LockCertificate | undefined,
): RoundChange {
  return stage.arena.liar.sign({ type: "roundChange", epoch, slot, round, lock }) as RoundChange;
}

/** Returns a slot as text, with its owner's name instead of the key. */
export function slotName({ arena }: Pick<Stage, "arena">, key: SlotKey): string {
  const slot = parseSlotKey(key);
  const { directory } = arena.compiled;
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

/** A value in words: the names of its operations in the file. */
export function valueName({ values }: Pick<Stage, "values">, slot: SlotKey, hash: Hash): string {
  return values.get(`${slot} ${hash}`)?.name ?? `${hash.slice(0, 10)}…`;
}
