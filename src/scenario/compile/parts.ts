/** Compilation of ranges, ratios and patterns, for steps and triggers. */

import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Address, CheckpointNumber, Epoch } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import { slotKey } from "../../core/base/slot.ts";
import type { MessagePattern } from "../../simulator/plan.ts";
import type { Range, Ratio } from "../../simulator/settings.ts";
import type { Chance, Delay } from "../schema/scalars.ts";
import type { PatternSpec } from "../schema/trigger.ts";

/** Context of the compilation of message patterns: the addresses and operations behind names. */
export interface PatternContext {
  readonly directory: {
    account(name: string): Address;
    token(name: string): { readonly address: Address };
  };
  readonly operations: ReadonlyMap<string, OperationId>;
}

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

/** The key of a checkpoint's slot. */
export function checkpointKey(number: number): string {
  return slotKey({ kind: "checkpoint", number: number as CheckpointNumber });
}

/** The key of the slot in which an epoch closes. */
export function epochKey(epoch: number): string {
  return slotKey({ kind: "epoch", epoch: epoch as Epoch });
}

/** The message pattern of the simulator. */
export function patternOf(part: PatternSpec, { directory, operations }: PatternContext): MessagePattern {
  const { from, to, kinds, tags, of, round } = part;
  const operation = of === undefined ? undefined : requireDefined(operations.get(of), of);
  return definedMembers({ from, to, kinds, tags, operation, slot: slotOf(part, directory), round });
}

/** The slot key of a pattern, or the common prefix of the slot keys of a sequence. */
function slotOf(
  { account, token, checkpoint, epoch }: PatternSpec,
  directory: PatternContext["directory"],
): string | undefined {
  if (account !== undefined) return `account/${directory.account(account)}/`;
  if (token !== undefined) return `token/${directory.token(token).address}/`;
  if (checkpoint !== undefined) return checkpointKey(checkpoint);
  return epoch === undefined ? undefined : epochKey(epoch);
}
