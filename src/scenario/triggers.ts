/** Triggers (`after:`): checks that an event can happen, and compilation. */
import { requireDefined, unreachable } from "../core/base/assert.ts";
import { definedMembers } from "../core/base/defined-members.ts";
import type { StatementContent } from "../core/consensus/message.ts";
import { issueAtKey, type Path, type ScenarioIssue } from "../schema/problem.ts";
import type { Trigger } from "../simulator/plan.ts";
import { checkCheckpointNumbers, checkEpochNumbers, checkNames } from "./check/name-check.ts";
import type { CompileContext } from "./compile/context.ts";
import { patternOf, slotOf } from "./compile/parts.ts";
import type { Declarations } from "./names.ts";
import type { Scenario } from "./scenario.ts";
import type { Step } from "./schema/step.ts";
import { TRIGGER_EVENTS, type TriggerEvent, type TriggerSpec } from "./schema/trigger.ts";

/** Subject of an event; a sequence is that of an account or token. */
type EventSubject = "operation" | "rule" | "node" | "point" | "sequence" | "checkpoint" | "epoch";

/** The events of the simulator behind those of the language. */
const EVENTS: Readonly<
  Record<
    TriggerEvent,
    { readonly about: EventSubject; readonly on: Trigger["on"]; readonly kind?: StatementContent["type"] }
  >
> = {
  submitted: { about: "operation", on: "delivered" },
  voted: { about: "operation", on: "signed", kind: "vote" },
  committed: { about: "operation", on: "signed", kind: "commit" },
  proposed: { about: "operation", on: "signed", kind: "proposal" },
  decided: { about: "operation", on: "decided" },
  applied: { about: "operation", on: "applied" },
  responded: { about: "operation", on: "responded" },
  round_change: { about: "sequence", on: "signed", kind: "roundChange" },
  held: { about: "rule", on: "held" },
  crashed: { about: "node", on: "crashed" },
  restarted: { about: "node", on: "restarted" },
  coverage: { about: "point", on: "coverage" },
  checkpoint_proposed: { about: "checkpoint", on: "signed", kind: "proposal" },
  checkpoint_voted: { about: "checkpoint", on: "signed", kind: "vote" },
  checkpoint_committed: { about: "checkpoint", on: "signed", kind: "commit" },
  checkpoint_decided: { about: "checkpoint", on: "decided" },
  checkpointed: { about: "checkpoint", on: "checkpointed" },
  close_signed: { about: "epoch", on: "signed", kind: "close" },
  closing_proposed: { about: "epoch", on: "signed", kind: "proposal" },
  closing_voted: { about: "epoch", on: "signed", kind: "vote" },
  closing_committed: { about: "epoch", on: "signed", kind: "commit" },
  closing_decided: { about: "epoch", on: "decided" },
  closed: { about: "epoch", on: "closed" },
};

/** The issues of `at` and `after`. */
export function checkTriggers(scenario: Scenario, declared: Declarations): readonly ScenarioIssue[] {
  const steps = scenario.steps ?? [];
  const single = steps.flatMap((step, index) => checkWhen(step, ["steps", index], declared));
  return single.length > 0 ? single : checkReachable(steps);
}

function checkWhen(step: Step, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  if (step.at !== undefined && step.after !== undefined)
    return [issueAtKey(path, "after", "expected `at` or `after`, got both")];
  if (step.after === undefined)
    return step.at === undefined ? [{ path, message: "expected `at` with a time or `after` with an event" }] : [];
  return checkTrigger(step.after, [...path, "after"], declared);
}

/** The event of a trigger. */
function eventOf(trigger: TriggerSpec): TriggerEvent {
  return TRIGGER_EVENTS.find((event) => trigger[event] !== undefined) ?? "coverage";
}

function checkTrigger(trigger: TriggerSpec, path: Path, declared: Declarations): readonly ScenarioIssue[] {
  const event = eventOf(trigger);
  const named = String(trigger[event] ?? "");
  const here = [...path, event];
  const by = checkNames(declared, "party", [...path, "by"], trigger.by);
  const { about } = EVENTS[event];
  switch (about) {
    case "operation":
    case "rule":
    case "node":
      return [...checkNames(declared, about, here, named), ...by];
    case "sequence":
      return declared.tokens.has(named) ? by : [...checkNames(declared, "account", here, named), ...by];
    case "checkpoint":
      return [...checkCheckpointNumbers(declared, path, event), ...by];
    case "epoch":
      return [...checkEpochNumbers(declared, path, event), ...by];
    default:
      return by;
  }
}

/** Fires enabled triggers up to a fixed point; the remaining ones are cyclic or wait for an event that never occurs. */
function checkReachable(steps: readonly Step[]): readonly ScenarioIssue[] {
  const fired = new Set<number>();
  for (let before = -1; before < fired.size; ) {
    before = fired.size;
    for (const [index, step] of steps.entries()) if (!fired.has(index) && canFire(step, steps, fired)) fired.add(index);
  }
  return steps.flatMap((step, index) => {
    if (fired.has(index) || step.after === undefined) return [];
    const event = eventOf(step.after);
    const providers = steps.flatMap((candidate, at) =>
      canCause(candidate, step.after as TriggerSpec) ? [at + 1] : [],
    );
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
  if (isSpontaneous(event)) return true;
  return steps.some((candidate, index) => fired.has(index) && canCause(candidate, after));
}

/** True for events that need no particular step. */
function isSpontaneous(event: TriggerEvent): boolean {
  return !["operation", "rule", "node"].includes(EVENTS[event].about);
}

/** True if a step can cause the event of a trigger, which needs one. */
function canCause(step: Step, trigger: TriggerSpec): boolean {
  const event = eventOf(trigger);
  switch (event) {
    case "held":
      return step.hold?.rule === trigger.held;
    case "crashed":
      return [step.crash?.node, step.wipe, step.restore].includes(trigger.crashed);
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
  const event = eventOf(part);
  const { on, kind, about } = EVENTS[event];
  const subject = subjectOf(about, requireDefined(part[event], event), context);
  if (on === "delivered")
    return {
      on,
      messages: definedMembers({ kinds: ["submit"], ...subject, to: by === undefined ? undefined : [by] }),
      ...definedMembers({ times }),
    };
  if (on === "held") return { on, ...subject, ...definedMembers({ times }) } as Trigger;
  const party = on === "responded" ? { client: by } : { node: by };
  return { on, ...definedMembers({ kind, ...party, ...subject, times }) } as Trigger;
}

/** The members of a trigger that say what it is about. */
function subjectOf(
  about: EventSubject,
  named: string | number,
  context: CompileContext,
): Readonly<Record<string, unknown>> {
  const { operations, directory } = context;
  const name = String(named);
  switch (about) {
    case "operation":
      return { operation: requireDefined(operations.get(name), `operation ${name}`) };
    case "rule":
      return { messages: heldPattern(name, context) };
    case "node":
      return { node: name };
    case "point":
      return { point: name };
    case "sequence":
      return { slot: slotOf(directory.tokens.has(name) ? { token: name } : { account: name }, context) };
    case "checkpoint":
      return { slot: slotOf({ checkpoint: Number(named) }, context) };
    case "epoch":
      return { slot: slotOf({ epoch: Number(named) }, context) };
    default:
      return unreachable(about);
  }
}

/** The message pattern of a `hold` rule. */
function heldPattern(rule: string, context: CompileContext): ReturnType<typeof patternOf> {
  const step = (context.scenario.steps ?? []).find(({ hold }) => hold?.rule === rule);
  return patternOf(requireDefined(step?.hold, `rule ${rule}`), context);
}
