/** Strategies that serve states to validators that join: with an operation that hides another one, or slowly (protocol 6.2). */
import type { Millis } from "../../../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation } from "../../../core/base/operation.ts";
import { type Branch, isLeaf, Trie } from "../../../core/base/trie.ts";
import { childHashes } from "../../../core/crypto/merkle.ts";
import { operationId } from "../../../core/ledger/identity.ts";
import { effectSlotOf } from "../../../core/ledger/operations/kinds.ts";
import { PART_BYTES } from "../../../core/ledger/roots.ts";
import type { StatePieces } from "../../../core/validator/message.ts";
import type { Output } from "../../../core/validator/output.ts";
import { contentsOf } from "../../network/message-content.ts";
import { STRATEGY_VALUES_MAX } from "../../settings.ts";
import type { InterceptedStep, Strategy, StrategyRecord } from "../strategy.ts";

interface StateMemory {
  /** Operations that it received, the latest last: signed by their owners, and perhaps never decided. */
  readonly operations: readonly SignedOperation[];
}

export const falseState: StrategyRecord = {
  sentence:
    "Serves true pieces of states in which an operation of a client stands before an authorised one, under its key.",
  weight: 1,
  needs: "checkpoints",
  create: (): Strategy<StateMemory> => ({
    memory: { operations: [] },
    intercept: (step, before) => {
      const operations = [...before.operations, ...operationsIn(step)].slice(-STRATEGY_VALUES_MAX);
      const outputs = step.outputs.map((output) => {
        if (output.type !== "send" || output.message.type !== "statePieces") return output;
        const pieces = withShadow(output.message.pieces, operations) ?? output.message.pieces;
        return { ...output, message: { ...output.message, pieces } };
      });
      return { outputs, memory: { operations } };
    },
  }),
};

function operationsIn({ input }: InterceptedStep): readonly SignedOperation[] {
  if (input.type === "submit") return isRecovery(input.submission) ? [] : [input.submission];
  return input.type === "message" ? contentsOf(input.message).flatMap((content) => content.operations) : [];
}

/** Returns true pieces, of which that of authorised operations shows a key twice; `undefined` if none is there. */
function withShadow(
  pieces: StatePieces["pieces"],
  operations: StateMemory["operations"],
): StatePieces["pieces"] | undefined {
  for (const [at, { place, piece }] of pieces.entries()) {
    const entries = piece.type === "entries" ? shadowFirstEntry(piece.entries, operations) : undefined;
    if (entries !== undefined) return pieces.with(at, { place, piece: { type: "entries", entries } });
  }
  return undefined;
}

type PieceEntries = Extract<StatePiece["piece"], { readonly type: "entries" }>["entries"];

/**
 * Returns the entries of authorised operations, the first of them twice: first with another signed operation, which the
 * true entry then replaces, so that the hash is the same.
 */
function shadowFirstEntry(entries: PieceEntries, operations: StateMemory["operations"]): PieceEntries | undefined {
  const [key, entry] = entries[0] ?? [];
  const signed = operations.findLast(
    (operation) => effectSlotOf(operation).kind !== "own" && !isAmong(entries, operationId(operation)),
  );
  if (key === undefined || typeof entry !== "object" || !("signed" in entry) || signed === undefined) return undefined;
  return [[key, { ...entry, id: operationId(signed), signed }], ...entries];
}

function isAmong(entries: PieceEntries, id: OperationId): boolean {
  return entries.some(([, value]) => typeof value === "object" && "id" in value && value.id === id);
}

type StatePiece = StatePieces["pieces"][number];

interface SlowMemory {
  /** Responses that it has not sent yet, with the times from which it may. */
  readonly held: readonly { readonly from: Millis; readonly output: Output }[];
}

/** Time that a response waits: less than a validator that joins waits for one. */
const SLOW_MS = 1_900;

/** Sends what proves itself, and as little of it as it can. */
export const slowState: StrategyRecord = {
  sentence: "Serves one small piece of a state for each request of a validator that joins, almost 2 s late.",
  weight: 2,
  needs: "checkpoints",
  create: (): Strategy<SlowMemory> => ({
    memory: { held: [] },
    intercept: ({ now, outputs }, { held }) => {
      const [slow, others] = [outputs.filter(isPieces), outputs.filter((output) => !isPieces(output))];
      const all = [
        ...held,
        ...slow.map((output) => ({ from: (now + SLOW_MS) as Millis, output: withOnePiece(output) })),
      ];
      const due = all.filter(({ from }) => from <= now).map(({ output }) => output);
      const later = all.filter(({ from }) => from > now);
      return { outputs: [...others, ...due, ...wakeUp(slow, later)], memory: { held: later } };
    },
  }),
};

/** A status exchange makes a step at the time of the next response. */
function wakeUp(slow: readonly Output[], [next]: SlowMemory["held"]): readonly Output[] {
  if (slow.length === 0 || next === undefined) return [];
  return [{ type: "setTimer", name: "sync", at: next.from, background: false }];
}

function isPieces(output: Output): boolean {
  return output.type === "send" && output.message.type === "statePieces";
}

function withOnePiece(output: Output): Output {
  if (output.type !== "send" || output.message.type !== "statePieces") return output;
  return { ...output, message: { ...output.message, pieces: output.message.pieces.slice(0, 1).map(collapsePiece) } };
}

/** Returns the two hashes below a place in place of its entries. */
function collapsePiece({ place, piece }: StatePiece): StatePiece {
  const root = piece.type === "entries" ? Trie.of(piece.entries).root : undefined;
  if (root === undefined || isLeaf(root)) return { place, piece };
  const [left, right] = childHashes(root as Branch<never>, PART_BYTES[place.part]);
  return { place, piece: { type: "branch", bit: root.bit, left, right } };
}
