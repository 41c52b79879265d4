/** Compilation of steps to actions of the simulator. */
import { required, unreachable } from "../../core/base/assert.ts";
import type { Millis } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import { STRATEGIES, type StrategyPlan } from "../../simulator/byzantine/registry.ts";
import { modeOf } from "../../simulator/byzantine/strategy.ts";
import type { Action, PlannedAction } from "../../simulator/plan.ts";
import type { LinkSettings, Party } from "../../simulator/settings.ts";
import { verbOf } from "../members.ts";
import type { ByzantineSpec } from "../schema/faults.ts";
import type { Step } from "../schema/step.ts";
import type { PatternSpec } from "../schema/trigger.ts";
import { compileTrigger } from "../triggers.ts";
import { compileWorkload } from "../workload.ts";
import { type CompileContext, patternOf, rangeOf, ratioOf } from "./parts.ts";

/** The planned actions of all steps, in the order of the file. */
export function compileActions(context: CompileContext): readonly PlannedAction[] {
  return (context.scenario.steps ?? []).flatMap((step, index) => {
    const actions = actionsOf(step, index, context);
    return actions.map((action): PlannedAction => {
      if (step.after === undefined) return { at: (step.at ?? 0) as Millis, action };
      const { plus_ms } = step.after;
      return {
        when: compileTrigger(step.after, context),
        ...(plus_ms === undefined ? {} : { afterMs: plus_ms }),
        action,
      };
    });
  });
}

function actionsOf(step: Step, index: number, context: CompileContext): readonly Action[] {
  const verb = verbOf(step);
  const rule = (part: PatternSpec): string => part.rule ?? `rule ${index + 1}`;
  switch (verb) {
    case "submit":
      return submitActions(step, index, context);
    case "crash": {
      const { node, outputs, after_output, restart_after_ms } = required(step.crash, verb);
      const when = {
        ...(outputs === undefined ? {} : { outputs }),
        ...(after_output === undefined ? {} : { output: { type: after_output } }),
      };
      return [
        { do: "crash", node, ...when, ...(restart_after_ms === undefined ? {} : { restartAfterMs: restart_after_ms }) },
      ];
    }
    case "restart":
    case "wipe":
      return [{ do: verb, node: required(step[verb], verb) }];
    case "clock": {
      const { node, ahead_ms } = required(step.clock, verb);
      return [{ do: "clock", node, aheadMs: ahead_ms }];
    }
    case "disk": {
      const { node, write_ms, loses_last } = required(step.disk, verb);
      const settings = {
        ...(write_ms === undefined ? {} : { writeMs: rangeOf(write_ms) }),
        ...(loses_last === undefined ? {} : { losesLast: loses_last }),
      };
      return [{ do: "disk", node, settings }];
    }
    case "partition":
      return [{ do: "partition", groups: required(step.partition, verb) }];
    case "cut":
      return [{ do: "cut", ...required(step.cut, verb) }];
    case "heal":
      return [step.heal === true || step.heal === undefined ? { do: "heal" } : { do: "heal", parties: step.heal }];
    case "delay":
      return [link(required(step.delay, verb), { delayMs: rangeOf(required(step.delay, verb).ms) })];
    case "loss":
    case "duplicate":
    case "reorder": {
      const part = required(step[verb], verb);
      return [link(part, { [verb]: ratioOf(part.chance) })];
    }
    case "drop": {
      const part = required(step.drop, verb);
      return [
        {
          do: "drop",
          rule: rule(part),
          messages: patternOf(part, context),
          ...(part.count === undefined ? {} : { count: part.count }),
        },
      ];
    }
    case "hold":
      return [
        { do: "hold", rule: rule(required(step.hold, verb)), messages: patternOf(required(step.hold, verb), context) },
      ];
    case "undrop":
    case "release":
      return [typeof step[verb] === "string" ? { do: verb, rule: step[verb] } : { do: verb }];
    case "byzantine": {
      const part = required(step.byzantine, verb);
      return [{ do: "byzantine", node: part.node, strategy: strategyOf(part, context) }];
    }
    case "behave": {
      const { node, strategy } = required(step.behave, verb);
      return [{ do: "behave", node, ...(strategy === undefined ? {} : { strategy }) }];
    }
    case "twin":
      return [{ do: "twins", routes: Object.entries(required(step.twin, verb)).map(([to, from]) => ({ from, to })) }];
    case "workload":
      return [{ do: "workload", workload: compileWorkload(required(step.workload, verb), index, context) }];
    case "govern": {
      const signed = required(context.proposals[index], `proposal of step ${index + 1}`);
      return [{ do: "govern", to: step.govern?.to ?? ["v1"], signed }];
    }
    default:
      return unreachable(verb);
  }
}

function submitActions(step: Step, index: number, context: CompileContext): readonly Action[] {
  const { submission, client } = required(context.submissions[index], `submission of step ${index + 1}`);
  const action: Action = { do: "submit", client, submission, ...(step.only === undefined ? {} : { to: step.only }) };
  return Array.from({ length: step.submit?.times ?? 1 }, () => action);
}

function link(
  part: { readonly from?: readonly Party[]; readonly to?: readonly Party[] },
  settings: Partial<LinkSettings>,
): Action {
  const { from, to } = part;
  return { do: "link", ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), settings };
}

/** The plan of a strategy, with the members that it reads. */
function strategyOf(
  { strategy: name, towards, of, chance, mode }: ByzantineSpec,
  { submissions }: CompileContext,
): StrategyPlan {
  const record = STRATEGIES[name];
  const victims = record.towards === "none" ? (towards ?? []) : towards;
  return {
    name,
    ...(record.towards === undefined || victims === undefined ? {} : { towards: victims }),
    ...(record.readsChance ? { chance: ratioOf(chance ?? "1/2") } : {}),
    ...(record.modes === undefined ? {} : { mode: modeOf(record.modes, mode) }),
    ...(record.readsOperation ? operationOf(of, submissions) : {}),
  };
}

function operationOf(of: string | undefined, submissions: CompileContext["submissions"]): Partial<StrategyPlan> {
  const { submission, id } = required(
    submissions.find((one) => one?.name === of),
    `operation ${of}`,
  );
  return { account: isRecovery(submission) ? submission.account : submission.sender, operation: id };
}
