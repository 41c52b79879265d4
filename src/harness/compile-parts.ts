/** What steps and triggers share when they are compiled: ranges, ratios, patterns. */
import { present } from "../core/base/assert.ts";
import type { CheckpointNumber } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import type { MessagePattern, Range, Ratio } from "../simulator/plan.ts";
import type { Directory } from "./directory.ts";
import type { Chance, Delay, PatternPart, Scenario } from "./scenario.ts";
import type { Named } from "./submissions.ts";

/** What steps are compiled with. */
export interface CompileContext {
  readonly scenario: Scenario;
  readonly directory: Directory;
  readonly chainId: number;
  readonly submissions: readonly (Named | undefined)[];
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

/** A pattern of messages in the simulator's terms. */
export function patternOf(part: PatternPart, { directory, operations }: CompileContext): MessagePattern {
  const { from, to, kinds, of, account, token, checkpoint, round } = part;
  const slot =
    account !== undefined
      ? `account/${directory.account(account)}/`
      : token !== undefined
        ? `token/${directory.token(token).address}/`
        : checkpoint !== undefined
          ? checkpointKey(checkpoint)
          : undefined;
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(kinds === undefined ? {} : { kinds }),
    ...(of === undefined ? {} : { operation: present(operations.get(of), of) }),
    ...(slot === undefined ? {} : { slot }),
    ...(round === undefined ? {} : { round }),
  };
}
