/** Compilation of steps to actions of the simulator. */
import { present, unreachable } from "../../core/base/assert.ts";
import type { Millis } from "../../core/base/ids.ts";
import { isRecovery } from "../../core/base/operation.ts";
import type { Action, LinkSettings, Party, Planned, StrategyPlan } from "../../simulator/plan.ts";
import { CHECKPOINT_LIES, CHOICE_LIES, JUSTIFICATION_LIES } from "../lies.ts";
import type { ByzantinePart, PatternPart, Step } from "../scenario.ts";
import { verbOf } from "../submit-parts.ts";
import { type CompileContext, patternOf, rangeOf, ratioOf } from "./parts.ts";
import { compileTrigger } from "./triggers.ts";
import { compileWorkload } from "./workload.ts";

/** The planned actions of all steps, in the order of the file. */
export function compileActions(context: CompileContext): readonly Planned[] {
  return (context.scenario.steps ?? []).flatMap((step, index) => {
    const actions = actionsOf(step, index, context);
    return actions.map((action): Planned => {
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
  const rule = (part: PatternPart): string => part.rule ?? `rule ${index + 1}`;
  switch (verb) {
    case "submit":
      return submitActions(step, index, context);
    case "crash": {
      const { node, outputs, after_output, restart_after_ms } = present(step.crash, verb);
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
      return [{ do: verb, node: present(step[verb], verb) }];
    case "clock": {
      const { node, ahead_ms } = present(step.clock, verb);
      return [{ do: "clock", node, aheadMs: ahead_ms }];
    }
    case "disk": {
      const { node, write_ms, loses_last } = present(step.disk, verb);
      const settings = {
        ...(write_ms === undefined ? {} : { writeMs: rangeOf(write_ms) }),
        ...(loses_last === undefined ? {} : { losesLast: loses_last }),
      };
      return [{ do: "disk", node, settings }];
    }
    case "partition":
      return [{ do: "partition", groups: present(step.partition, verb) }];
    case "cut":
      return [{ do: "cut", ...present(step.cut, verb) }];
    case "heal":
      return [step.heal === true || step.heal === undefined ? { do: "heal" } : { do: "heal", parties: step.heal }];
    case "delay":
      return [link(present(step.delay, verb), { delayMs: rangeOf(present(step.delay, verb).ms) })];
    case "loss":
    case "duplicate":
    case "reorder": {
      const part = present(step[verb], verb);
      return [link(part, { [verb]: ratioOf(part.chance) })];
    }
    case "drop": {
      const part = present(step.drop, verb);
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
        { do: "hold", rule: rule(present(step.hold, verb)), messages: patternOf(present(step.hold, verb), context) },
      ];
    case "undrop":
    case "release":
      return [typeof step[verb] === "string" ? { do: verb, rule: step[verb] } : { do: verb }];
    case "byzantine": {
      const part = present(step.byzantine, verb);
      return [{ do: "byzantine", node: part.node, strategy: strategyOf(part, context) }];
    }
    case "behave": {
      const { node, strategy } = present(step.behave, verb);
      return [{ do: "behave", node, ...(strategy === undefined ? {} : { strategy }) }];
    }
    case "twin":
      return [{ do: "twins", routes: Object.entries(present(step.twin, verb)).map(([to, from]) => ({ from, to })) }];
    case "workload":
      return [{ do: "workload", workload: compileWorkload(present(step.workload, verb), index, context) }];
    case "govern": {
      const signed = present(context.proposals[index], `proposal of step ${index + 1}`);
      return [{ do: "govern", to: step.govern?.to ?? ["v1"], signed }];
    }
    default:
      return unreachable(verb);
  }
}

function submitActions(step: Step, index: number, context: CompileContext): readonly Action[] {
  const { submission, client } = present(context.submissions[index], `submission of step ${index + 1}`);
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
  { strategy: name, towards, of, chance, lie }: ByzantinePart,
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
      return { name, lie: JUSTIFICATION_LIES.find((one) => one === lie) ?? JUSTIFICATION_LIES[0] };
    case "false-choices":
      return { name, lie: CHOICE_LIES.find((one) => one === lie) ?? CHOICE_LIES[0] };
    case "false-checkpoint":
      return { name, lie: CHECKPOINT_LIES.find((one) => one === lie) ?? CHECKPOINT_LIES[0] };
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
      const { submission, id } = present(
        context.submissions.find((one) => one?.name === of),
        `operation ${of}`,
      );
      return { name, account: isRecovery(submission) ? submission.account : submission.sender, operation: id };
    }
    default:
      return unreachable(name);
  }
}
