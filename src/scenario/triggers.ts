/** Triggers (`after:`): checks that an event can happen, and compilation. */
import { required, unreachable } from "../core/base/assert.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { Trigger } from "../simulator/plan.ts";
import {
  checkAccountName,
  checkCheckpointNumbers,
  checkEpochNumbers,
  checkNodeName,
  checkOperationName,
  checkPartyName,
  checkRuleName,
} from "./check/name-check.ts";
import type { CompileContext } from "./compile/context.ts";
import { checkpointKey, epochKey, patternOf } from "./compile/parts.ts";
import type { Declared } from "./names.ts";
import type { Issue, Path } from "./problem.ts";
import type { Scenario } from "./scenario.ts";
import type { Step } from "./schema/step.ts";
import { TRIGGER_EVENTS, type TriggerEvent, type TriggerSpec } from "./schema/trigger.ts";

/** The issues of `at` and `after`. */
export function checkTriggers(scenario: Scenario, declared: Declared): readonly Issue[] {
  const steps = scenario.steps ?? [];
  const single = steps.flatMap((step, index) => checkWhen(step, ["steps", index], declared));
  return single.length > 0 ? single : checkReachable(steps);
}

function checkWhen(step: Step, path: Path, declared: Declared): readonly Issue[] {
  if (step.at !== undefined && step.after !== undefined)
    return [{ path: [...path, "after"], atKey: true, message: "expected `at` or `after`, got both" }];
  if (step.after === undefined)
    return step.at === undefined ? [{ path, message: "expected `at` with a time or `after` with an event" }] : [];
  return checkTrigger(step.after, [...path, "after"], declared);
}

/** The event of a trigger. */
function eventOf(trigger: TriggerSpec): TriggerEvent {
  return TRIGGER_EVENTS.find((event) => trigger[event] !== undefined) ?? "coverage";
}

function checkTrigger(trigger: TriggerSpec, path: Path, declared: Declared): readonly Issue[] {
  const event = eventOf(trigger);
  const named = String(trigger[event] ?? "");
  const here = [...path, event];
  const by = trigger.by === undefined ? [] : checkPartyName(declared, [...path, "by"], trigger.by);
  switch (event) {
    case "held":
      return [...checkRuleName(declared, here, named), ...by];
    case "crashed":
    case "restarted":
      return [...checkNodeName(declared, here, named), ...by];
    case "round_change":
      return declared.tokens.has(named) ? by : [...checkAccountName(declared, here, named), ...by];
    case "coverage":
      return by;
    case "checkpoint_proposed":
    case "checkpoint_voted":
    case "checkpoint_committed":
    case "checkpoint_decided":
    case "checkpointed":
      return [...checkCheckpointNumbers(declared, path, event), ...by];
    case "close_signed":
    case "closing_proposed":
    case "closing_voted":
    case "closing_committed":
    case "closing_decided":
    case "closed":
      return [...checkEpochNumbers(declared, path, event), ...by];
    default:
      return [...checkOperationName(declared, here, named), ...by];
  }
}

/** Fires enabled triggers up to a fixed point; the remaining ones are cyclic or wait for an event that never occurs. */
function checkReachable(steps: readonly Step[]): readonly Issue[] {
  const fired = new Set<number>();
  for (let before = -1; before < fired.size; ) {
    before = fired.size;
    for (const [index, step] of steps.entries()) if (!fired.has(index) && canFire(step, steps, fired)) fired.add(index);
  }
  return steps.flatMap((step, index) => {
    if (fired.has(index) || step.after === undefined) return [];
    const event = eventOf(step.after);
    const providers = steps.flatMap((other, at) => (provides(other, step.after as TriggerSpec) ? [at + 1] : []));
    const why =
      providers.length === 0
        ? `no step makes "${step.after[event]}" ${event}`
        : `cyclic dependency: it waits for step ${providers.join(" or ")}, which waits for this step`;
    return [{ path: ["steps", index, "after"], message: `this step can never happen: ${why}` }];
  });
}

function canFire(step: Step, steps: readonly Step[], fired: ReadonlySet<number>): boolean {
  const { after } = step;
  if (after === undefined) return true;
  const event = eventOf(after);
  if (comesByItself(event)) return true;
  return steps.some((other, index) => fired.has(index) && provides(other, after));
}

/** True for events that need no particular step. */
function comesByItself(event: TriggerEvent): boolean {
  return event === "coverage" || event === "round_change" || event.startsWith("checkpoint") || event.startsWith("clos");
}

/** True if a step can cause the event of a trigger. */
function provides(step: Step, trigger: TriggerSpec): boolean {
  const event = eventOf(trigger);
  if (comesByItself(event)) return true;
  switch (event) {
    case "held":
      return step.hold?.rule === trigger.held;
    case "crashed":
      return step.crash?.node === trigger.crashed || step.wipe === trigger.crashed;
    case "restarted":
      return (
        step.restart === trigger.restarted ||
        (step.crash?.node === trigger.restarted && step.crash?.restart_after_ms !== undefined)
      );
    default:
      return step.submit?.id === trigger[event];
  }
}

/** The trigger of a step. */
export function compileTrigger(part: TriggerSpec, context: CompileContext): Trigger {
  const { by, times } = part;
  const often = times === undefined ? {} : { times };
  const node = by === undefined ? {} : { node: by };
  const event = eventOf(part);
  switch (event) {
    case "submitted":
      return {
        on: "delivered",
        messages: {
          kinds: ["submit"],
          operation: idOf(part.submitted, context),
          ...(by === undefined ? {} : { to: [by] }),
        },
        ...often,
      };
    case "voted":
      return { on: "signed", kind: "vote", operation: idOf(part.voted, context), ...node, ...often };
    case "committed":
      return { on: "signed", kind: "commit", operation: idOf(part.committed, context), ...node, ...often };
    case "proposed":
      return { on: "signed", kind: "proposal", operation: idOf(part.proposed, context), ...node, ...often };
    case "decided":
    case "applied":
      return { on: event, operation: idOf(part[event], context), ...node, ...often };
    case "responded":
      return {
        on: "responded",
        operation: idOf(part.responded, context),
        ...(by === undefined ? {} : { client: by }),
        ...often,
      };
    case "round_change":
      return {
        on: "signed",
        kind: "roundChange",
        slot: slotPrefix(part.round_change ?? "", context),
        ...node,
        ...often,
      };
    case "held":
      return { on: "held", messages: heldBy(part.held ?? "", context), ...often };
    case "crashed":
    case "restarted":
      return { on: event, node: required(part[event], event), ...often };
    case "coverage":
      return { on: "coverage", point: required(part.coverage, event), ...node, ...often };
    case "checkpoint_proposed":
      return { on: "signed", kind: "proposal", slot: checkpointKey(required(part[event], event)), ...node, ...often };
    case "checkpoint_voted":
      return { on: "signed", kind: "vote", slot: checkpointKey(required(part[event], event)), ...node, ...often };
    case "checkpoint_committed":
      return { on: "signed", kind: "commit", slot: checkpointKey(required(part[event], event)), ...node, ...often };
    case "checkpoint_decided":
      return { on: "decided", slot: checkpointKey(required(part[event], event)), ...node, ...often };
    case "checkpointed":
      return { on: "checkpointed", slot: checkpointKey(required(part[event], event)), ...node, ...often };
    case "close_signed":
      return { on: "signed", kind: "close", slot: epochKey(required(part[event], event)), ...node, ...often };
    case "closing_proposed":
      return { on: "signed", kind: "proposal", slot: epochKey(required(part[event], event)), ...node, ...often };
    case "closing_voted":
      return { on: "signed", kind: "vote", slot: epochKey(required(part[event], event)), ...node, ...often };
    case "closing_committed":
      return { on: "signed", kind: "commit", slot: epochKey(required(part[event], event)), ...node, ...often };
    case "closing_decided":
      return { on: "decided", slot: epochKey(required(part[event], event)), ...node, ...often };
    case "closed":
      return { on: "closed", slot: epochKey(required(part[event], event)), ...node, ...often };
    default:
      return unreachable(event);
  }
}

function idOf(name: string | undefined, { operations }: CompileContext): OperationId {
  return required(operations.get(name ?? ""), `operation ${name}`);
}

function slotPrefix(name: string, { directory }: CompileContext): string {
  return directory.tokens.has(name) ? `token/${directory.token(name).address}/` : `account/${directory.account(name)}/`;
}

/** The message pattern of a `hold` rule. */
function heldBy(rule: string, context: CompileContext): ReturnType<typeof patternOf> {
  const step = (context.scenario.steps ?? []).find(({ hold }) => hold?.rule === rule);
  return patternOf(required(step?.hold, `rule ${rule}`), context);
}
