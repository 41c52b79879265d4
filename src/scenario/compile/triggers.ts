/** Compilation of `after:` to triggers of the simulator. */
import { required, unreachable } from "../../core/base/assert.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Trigger } from "../../simulator/plan.ts";
import { eventOf } from "../check/triggers.ts";
import type { TriggerSpec } from "../scenario.ts";
import { type CompileContext, checkpointKey, epochKey, patternOf } from "./parts.ts";

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
