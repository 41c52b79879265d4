/** Compilation of ranges, ratios and patterns, for steps and triggers. */

import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import type { CheckpointNumber, Epoch } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { MessagePattern } from "../../simulator/plan.ts";
import type { Range, Ratio } from "../../simulator/settings.ts";
import type { FaultContext } from "../faults/fault.ts";
import type { Chance, Delay } from "../schema/scalars.ts";
import type { PatternSpec } from "../schema/trigger.ts";

/** A delay as a range of whole milliseconds. */
export function rangeOf(delay: Delay): Range {
  if (typeof delay === "number") return { from: delay, to: delay };
  const [from = "0", to = from] = delay.split("..");
  return { from: Number(from), to: Number(to) };
}

/** A chance as a ratio of integers. */
export function ratioOf(chance: Chance): Ratio {
  const [of, within] = chance.split("/");
  return { of: Number(of), in: Number(within) };
}

/** The message pattern of the simulator. */
export function patternOf(part: PatternSpec, context: FaultContext): MessagePattern {
  const { from, to, kinds, tags, of, round } = part;
  const operation = of === undefined ? undefined : requireDefined(context.operations.get(of), of);
  return definedMembers({ from, to, kinds, tags, operation, slot: slotOf(part, context), round });
}

/** The slot key of a pattern, or the common prefix of the slot keys of a sequence. */
export function slotOf(
  { account, token, checkpoint, epoch }: PatternSpec,
  { directory }: FaultContext,
): string | undefined {
  if (account !== undefined) return `account/${directory.account(account)}/`;
  if (token !== undefined) return `token/${directory.token(token).address}/`;
  if (checkpoint !== undefined) return slotKey({ kind: "checkpoint", number: checkpoint as CheckpointNumber });
  return epoch === undefined ? undefined : slotKey({ kind: "epoch", epoch: epoch as Epoch });
}
