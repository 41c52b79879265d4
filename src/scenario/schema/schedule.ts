/** Schema, checks and compilation of `schedule:` (simulator/schedule). */
import { unreachable } from "../../core/base/assert.ts";
import type { SchedulePlan } from "../../simulator/plan.ts";
import {
  DEPTH_DEFAULT,
  DEPTH_MAX,
  DEVIATIONS_DEFAULT,
  DEVIATIONS_MAX,
  STEPS_DEFAULT,
  STEPS_MAX,
  WINDOW_DEFAULT_MS,
  WINDOW_MAX_MS,
} from "../../simulator/schedule/limits.ts";
import type { Issue } from "../problem.ts";
import type { Scenario, SchedulePart } from "../scenario.ts";
import { choice, maybe, object, type Shape, whole } from "./shape.ts";

export const SCHEDULE_METHODS: readonly SchedulePlan["method"][] = ["random", "pct", "delay-bounded"];

/** Which members go with which methods; `method` goes with all. */
const MEMBERS: Readonly<Record<SchedulePlan["method"], readonly (keyof SchedulePart)[]>> = {
  random: [],
  pct: ["depth", "steps", "window_ms"],
  "delay-bounded": ["deviations", "steps", "window_ms"],
};

export const schedule: Shape<SchedulePart> = object<SchedulePart>(
  "Who goes next, until the healing; a served network goes by its clock. Example: schedule: { method: pct, depth: 3, steps: 20, window_ms: 20 }",
  {
    method: choice(
      "random: as the delays fall. pct: random priorities of links, clocks and clients, a few of which change. delay-bounded: round robin with a few departures",
      SCHEDULE_METHODS,
    ),
    depth: maybe(
      whole(`of pct: how many events the order hangs on: 1 to ${DEPTH_MAX}; default ${DEPTH_DEFAULT}`, 1, DEPTH_MAX),
    ),
    deviations: maybe(
      whole(
        `of delay-bounded: how many departures from round robin: 0 to ${DEVIATIONS_MAX}; default ${DEVIATIONS_DEFAULT}`,
        0,
        DEVIATIONS_MAX,
      ),
    ),
    steps: maybe(
      whole(
        `among how many events of a link, clock or client the changes lie: 1 to ${STEPS_MAX}; default ${STEPS_DEFAULT}`,
        1,
        STEPS_MAX,
      ),
    ),
    window_ms: maybe(
      whole(
        `how much later than in time something may happen, virtual milliseconds: 0 to ${WINDOW_MAX_MS}; default ${WINDOW_DEFAULT_MS}`,
        0,
        WINDOW_MAX_MS,
      ),
    ),
  },
);

/** Members that do not go with the method. */
export function checkSchedule({ schedule: part }: Scenario): readonly Issue[] {
  if (part === undefined) return [];
  const { method, ...rest } = part;
  const fitting = MEMBERS[method];
  return (Object.keys(rest) as (keyof SchedulePart)[])
    .filter((key) => !fitting.includes(key))
    .map((key): Issue => {
      const expected = fitting.length === 0 ? "nothing beside it" : fitting.map((one) => `\`${one}\``).join(", ");
      return {
        path: ["schedule", key],
        atKey: true,
        message: `\`${key}\` does not go with ${method}: expected ${expected}`,
      };
    });
}

/** The schedule with its defaults. */
export function schedulePlan({ method, depth, deviations, steps, window_ms }: SchedulePart): SchedulePlan {
  const common = { steps: steps ?? STEPS_DEFAULT, windowMs: window_ms ?? WINDOW_DEFAULT_MS };
  switch (method) {
    case "random":
      return { method };
    case "pct":
      return { method, depth: depth ?? DEPTH_DEFAULT, ...common };
    case "delay-bounded":
      return { method, deviations: deviations ?? DEVIATIONS_DEFAULT, ...common };
    default:
      return unreachable(method);
  }
}
