/** Knowledge that a strategy takes from the outputs of its honest program: next slots, operations that wait, skips. */
import { type Address, nextCount, type Sequence } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { AccountSlot } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { FinalityCertificate } from "../../core/consensus/message.ts";
import { operationId } from "../../core/ledger/identity.ts";
import type { EffectSlot } from "../../core/ledger/operations/kind.ts";
import { effectSlotOf, tokenOfOperation } from "../../core/ledger/operations/kinds.ts";
import type { Content } from "../../core/validator/content.ts";
import type { Output } from "../../core/validator/output.ts";
import { STRATEGY_MESSAGES_MAX } from "../settings.ts";
import { type InterceptedStep, offerContent } from "./strategy.ts";

/** By account; absent for an account without an applied slot. */
export type Sequences = Trie<Sequence>;

export const NO_SEQUENCES: Sequences = Trie.empty();

/** Returns the account slots that the program applies in this step. */
export function appliedIn({ outputs }: InterceptedStep): readonly AccountSlot[] {
  return outputs.flatMap((output) => {
    if (output.type !== "event" || output.event.type !== "applied") return [];
    return output.event.slot.kind === "account" ? [output.event.slot] : [];
  });
}

export function afterStep(sequences: Sequences, applied: readonly AccountSlot[]): Sequences {
  let known = sequences;
  for (const { address, sequence } of applied) known = known.set(address, nextCount(sequence));
  return known;
}

export function nextSlotOf(sequences: Sequences, address: Address): AccountSlot {
  return { kind: "account", address, sequence: sequences.get(address) ?? (0 as Sequence) };
}

export interface CertifiedOperation {
  readonly id: OperationId;
  readonly signed: SignedOperation;
  readonly certificate: FinalityCertificate;
  readonly target: EffectSlot;
}

/** Adds the operations decided in this step, in order, and removes those applied. */
export function certifiedAfter(
  known: readonly CertifiedOperation[],
  { outputs }: InterceptedStep,
): readonly CertifiedOperation[] {
  let waiting = known;
  for (const output of outputs) {
    if (output.type !== "event") continue;
    const { event } = output;
    if (event.type === "applied") waiting = waiting.filter(({ id }) => !takesEffect(event.content, id));
    else if (event.type !== "halted")
      waiting = [...waiting, ...certifiedIn(event.certificate, event.content)].slice(-STRATEGY_MESSAGES_MAX);
  }
  return waiting;
}

function takesEffect({ value }: Content, id: OperationId): boolean {
  return value.type === "list" ? value.ids.includes(id) : value.type === "burn" && value.id === id;
}

function certifiedIn(certificate: FinalityCertificate, content: Content | undefined): readonly CertifiedOperation[] {
  const [signed] = content?.operations ?? [];
  if (content?.value.type !== "operation" || signed === undefined) return [];
  const target = effectSlotOf(signed);
  return target.kind === "own" ? [] : [{ id: content.value.id, signed, certificate, target }];
}

/** Returns a list of these operations with their warrants. */
export function listOf(entries: readonly CertifiedOperation[]): Content {
  return {
    value: { type: "list", ids: entries.map(({ id }) => id) },
    operations: entries.map(({ signed }) => signed),
    certificates: entries.map(({ certificate }) => certificate),
  };
}

/** Offers the value of an operation to all peers, with the operation itself or another one as its content. */
export function offerOperation(
  step: InterceptedStep,
  slot: AccountSlot,
  named: SignedOperation,
  attached: SignedOperation = named,
): Output {
  const value = { type: "operation", id: operationId(named) } as const;
  return offerContent(step, slot, { value, operations: [attached], certificates: [] });
}

export function skipBy(cancellation: SignedOperation, displaced: SignedOperation): Content {
  const feeToken = tokenOfOperation(displaced.operation);
  const [id, displacedId] = [operationId(cancellation), operationId(displaced)];
  const value = { type: "skip", by: "cancellation", id, displaced: [displacedId], feeToken } as const;
  return { value, operations: [cancellation, displaced], certificates: [] };
}
