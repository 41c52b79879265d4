/** Compilation of steps to actions of the simulator. */

import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/given.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { Action, PlannedAction } from "../../simulator/plan.ts";
import { compileFault } from "../faults/registry.ts";
import { verbOf } from "../members.ts";
import type { Step } from "../schema/step.ts";
import { compileTrigger } from "../triggers.ts";
import { compileWorkload } from "../workload.ts";
import type { CompileContext } from "./context.ts";

/** The planned actions of all steps, in the order of the file. */
export function compileActions(context: CompileContext): readonly PlannedAction[] {
  return (context.scenario.steps ?? []).flatMap((step, index) => {
    const actions = actionsOf(step, index, context);
    return actions.map((action): PlannedAction => {
      if (step.after === undefined) return { at: (step.at ?? 0) as Millis, action };
      const { plus_ms } = step.after;
      return { when: compileTrigger(step.after, context), ...definedMembers({ afterMs: plus_ms }), action };
    });
  });
}

function actionsOf(step: Step, index: number, context: CompileContext): readonly Action[] {
  const verb = verbOf(step);
  switch (verb) {
    case "submit":
      return submitActions(step, index, context);
    case "workload":
      return [{ do: "workload", workload: compileWorkload(requireDefined(step.workload, verb), index, context) }];
    case "govern": {
      const signed = requireDefined(context.proposals[index], `proposal of step ${index + 1}`);
      return [{ do: "govern", to: step.govern?.to ?? ["v1"], signed }];
    }
    default:
      return [compileFault(verb, requireDefined(step[verb], verb), context, index + 1)];
  }
}

function submitActions(step: Step, index: number, context: CompileContext): readonly Action[] {
  const { submission, client } = requireDefined(context.submissions[index], `submission of step ${index + 1}`);
  const action: Action = { do: "submit", client, submission, ...definedMembers({ to: step.only }) };
  return Array.from({ length: step.submit?.times ?? 1 }, () => action);
}
