/** Actions that wait for an event. */
import type { Hash } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { Content } from "../../core/validator/content.ts";
import type { CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { UnsignedMessage } from "../../core/validator/message.ts";
import type { ValidatorEvent } from "../../core/validator/output.ts";
import type { ArmedTrigger, Engine } from "../engine.ts";
import type { Parcel } from "../listener.ts";
import type { Trigger } from "../plan.ts";
import type { Party } from "../settings.ts";
import { bodyValues, hashOf } from "./message-content.ts";
import { isValueOf, matchesParcel, mentionsOperation } from "./pattern.ts";

/** Event that a trigger may wait for. */
export type TriggerEvent =
  | { readonly on: "signed"; readonly node: string; readonly message: UnsignedMessage }
  | { readonly on: "delivered" | "held"; readonly from: Party; readonly to: Party; readonly parcel: Parcel }
  | { readonly on: ValidatorEvent["type"]; readonly node: string; readonly event: ValidatorEvent }
  | { readonly on: "responded"; readonly client: string; readonly id: OperationId }
  | { readonly on: "persisted" | "crashed" | "restarted"; readonly node: string }
  | { readonly on: "coverage"; readonly node: string; readonly point: CoveragePoint };

/** Arms a trigger. @throws RangeError unless `times` is at least 1. */
export function armTrigger(engine: Engine, planned: ArmedTrigger["planned"]): void {
  const left = planned.when.times ?? 1;
  if (!Number.isSafeInteger(left) || left < 1) throw new RangeError(`trigger: expected times from 1, got ${left}`);
  engine.armed = [...engine.armed, { left, planned, values: [] }];
}

/**
 * Fires the matching triggers. An action without `afterMs` takes effect at once, inside the event that fires it: a
 * crash precedes the next output.
 */
export function fireTriggers(engine: Engine, notice: TriggerEvent): void {
  if (notice.on === "signed" && notice.message.body.type === "proposal") learnValues(engine, notice.message.contents);
  if (!engine.armed.some((armed) => matchesTrigger(armed, notice))) return;
  const hit = engine.armed.filter((armed) => matchesTrigger(armed, notice));
  engine.armed = engine.armed.flatMap((armed) => (hit.includes(armed) ? rearm(armed) : [armed]));
  for (const { left, planned } of hit) {
    if (left > 1) continue;
    if (planned.afterMs === undefined) engine.config.act(engine, planned.action);
    else engine.schedule(engine.now + planned.afterMs, { type: "action", action: planned.action });
  }
}

/** Notes the lists and skips that a proposal shows at the triggers whose operation they hold. */
function learnValues(engine: Engine, contents: readonly Content[]): void {
  for (const content of contents) {
    const isNews = ({ planned: { when: trigger }, values }: ArmedTrigger): boolean =>
      trigger.on === "signed" &&
      trigger.operation !== undefined &&
      mentionsOperation(content.value, trigger.operation) &&
      !values.includes(hashOf(content));
    if (engine.armed.some(isNews))
      engine.armed = engine.armed.map((armed) =>
        isNews(armed) ? { ...armed, values: [...armed.values, hashOf(content)] } : armed,
      );
  }
}

function rearm(armed: ArmedTrigger): ArmedTrigger[] {
  return armed.left > 1 ? [{ ...armed, left: armed.left - 1 }] : [];
}

function matchesTrigger({ planned: { when: trigger }, values }: ArmedTrigger, notice: TriggerEvent): boolean {
  if (trigger.on !== notice.on) return false;
  if ("node" in trigger && "node" in notice && !matchesWanted(trigger.node, notice.node)) return false;
  switch (notice.on) {
    case "signed":
      return trigger.on === "signed" && matchesMessage(trigger, values, notice.message);
    case "delivered":
    case "held":
      return trigger.on === notice.on && matchesParcel(trigger.messages, notice.from, notice.to, notice.parcel);
    case "responded":
      return (
        trigger.on === "responded" &&
        matchesWanted(trigger.client, notice.client) &&
        matchesWanted(trigger.operation, notice.id)
      );
    case "persisted":
    case "crashed":
    case "restarted":
      return true;
    case "coverage":
      return trigger.on === "coverage" && matchesWanted(trigger.point, notice.point);
    default:
      return trigger.on === notice.on && matchesEvent(trigger, notice.event);
  }
}

function matchesWanted<T>(wanted: T | undefined, got: T): boolean {
  return wanted === undefined || wanted === got;
}

function matchesMessage(
  trigger: Extract<Trigger, { on: "signed" }>,
  values: readonly Hash[],
  { body }: UnsignedMessage,
): boolean {
  const { operation } = trigger;
  return (
    matchesWanted(trigger.kind, body.type) &&
    slotKey(body.slot).startsWith(trigger.slot ?? "") &&
    (operation === undefined || bodyValues(body).some((named) => isValueOf(named, operation) || values.includes(named)))
  );
}

function matchesEvent(
  trigger: { readonly slot?: string; readonly operation?: OperationId },
  event: ValidatorEvent,
): boolean {
  const slot = event.type === "applied" || event.type === "halted" ? event.slot : event.certificate.slot;
  if (!slotKey(slot).startsWith(trigger.slot ?? "")) return false;
  const { operation } = trigger;
  if (operation === undefined) return true;
  if (event.type === "halted") return false;
  if (event.type === "applied") return mentionsOperation(event.value, operation);
  return event.content === undefined
    ? isValueOf(event.certificate.value, operation)
    : mentionsOperation(event.content.value, operation);
}
