/**
 * Operations that wait for their effect slot, as a strategy learns them from the decisions and applications of its
 * honest program (protocol 4.1).
 */
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import type { FinalityCertificate } from "../../core/consensus/message.ts";
import { type EffectSlot, effectSlotOf } from "../../core/ledger/effect-slot.ts";
import type { Content } from "../../core/validator/content.ts";
import { STRATEGY_MESSAGES_MAX } from "../limits.ts";
import type { InterceptedStep } from "./strategy.ts";

export interface Authorised {
  readonly id: OperationId;
  readonly signed: SignedOperation;
  readonly certificate: FinalityCertificate;
  readonly target: EffectSlot;
}

/** Adds the operations decided in this step, in order, and removes those applied. */
export function authorisedAfter(known: readonly Authorised[], { outputs }: InterceptedStep): readonly Authorised[] {
  let waiting = known;
  for (const output of outputs) {
    if (output.type !== "event") continue;
    const { event } = output;
    if (event.type === "applied") waiting = waiting.filter(({ id }) => !takesEffect(event.content, id));
    else if (event.type !== "halted")
      waiting = [...waiting, ...entered(event.certificate, event.content)].slice(-STRATEGY_MESSAGES_MAX);
  }
  return waiting;
}

function takesEffect({ value }: Content, id: OperationId): boolean {
  return value.type === "list" ? value.ids.includes(id) : value.type === "burn" && value.id === id;
}

function entered(certificate: FinalityCertificate, content: Content | undefined): readonly Authorised[] {
  const [signed] = content?.operations ?? [];
  if (content?.value.type !== "operation" || signed === undefined) return [];
  const target = effectSlotOf(signed);
  return target.where === "own" ? [] : [{ id: content.value.id, signed, certificate, target }];
}

/** Returns a list of these operations with their warrants. */
export function listOf(entries: readonly Authorised[]): Content {
  return {
    value: { type: "list", ids: entries.map(({ id }) => id) },
    operations: entries.map(({ signed }) => signed),
    certificates: entries.map(({ certificate }) => certificate),
  };
}
