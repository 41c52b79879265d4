/** Compilation of steps to actions of the simulator. */
import { required, unreachable } from "../../core/base/assert.ts";
import type { Millis } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import type { Action, LinkSettings, Party, PlannedAction, StrategyPlan } from "../../simulator/plan.ts";
import { CHECKPOINT_MODES, CHOICE_MODES, JUSTIFICATION_MODES } from "../byzantine-modes.ts";
import type { ByzantineSpec, PatternSpec, Step } from "../scenario.ts";
import { verbOf } from "../submit-access.ts";
import { type CompileContext, patternOf, rangeOf, ratioOf } from "./parts.ts";
import { compileTrigger } from "./triggers.ts";
import { compileWorkload } from "./workload.ts";

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

function strategyOf(
  { strategy: name, towards, of, chance, lie }: ByzantineSpec,
  context: CompileContext,
): StrategyPlan {
  switch (name) {
    case "withhold-votes":
    case "withhold-commits":
      return { name, ...(towards === undefined ? {} : { towards }) };
    case "selective-silence":
      return { name, towards: towards ?? [] };
    case "replay-stale":
    case "invalid-signatures":
      return { name, chance: ratioOf(chance ?? "1/2") };
    case "false-justification":
      return { name, lie: JUSTIFICATION_MODES.find((one) => one === lie) ?? JUSTIFICATION_MODES[0] };
    case "false-choices":
      return { name, lie: CHOICE_MODES.find((one) => one === lie) ?? CHOICE_MODES[0] };
    case "false-checkpoint":
      return { name, lie: CHECKPOINT_MODES.find((one) => one === lie) ?? CHECKPOINT_MODES[0] };
    case "double-vote":
    case "double-commit":
    case "double-close":
    case "hide-locks":
    case "stale-locks":
    case "silence":
    case "false-refusal":
    case "double-proposal":
    case "inflated-rounds":
    case "false-answers":
    case "replay-changed":
    case "false-locks":
    case "forged-operations":
    case "false-state":
    case "careless-relay":
    case "worthless-reasons":
    case "false-contents":
    case "other-epoch":
    case "mutate":
      return { name };
    case "vote-for": {
      const { submission, id } = required(
        context.submissions.find((one) => one?.name === of),
        `operation ${of}`,
      );
      return { name, account: isRecovery(submission) ? submission.account : submission.sender, operation: id };
    }
    default:
      return unreachable(name);
  }
}
