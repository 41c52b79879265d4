/** Checks of triggers: steps without a time, with an event that never occurs, or with a cyclic dependency. */
import type { Declared } from "../declared.ts";
import type { Issue, Path } from "../problem.ts";
import type { Scenario, Step, TriggerEvent, TriggerSpec } from "../scenario.ts";
import { TRIGGER_EVENTS } from "../schema/step.ts";
import {
  checkAccountName,
  checkCheckpointNumbers,
  checkEpochNumbers,
  checkNodeName,
  checkOperationName,
  checkPartyName,
  checkRuleName,
} from "./name-check.ts";

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
export function eventOf(trigger: TriggerSpec): TriggerEvent {
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
