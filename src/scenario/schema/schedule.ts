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
} from "../../simulator/schedule/methods.ts";
import type { Issue } from "../problem.ts";
import { defaulting, meaning, object, optional, type Shape, wholeNumber } from "./shape.ts";

/** The schedule until the healing; members of other methods are errors. */
export interface ScheduleSpec {
  readonly method: SchedulePlan["method"];
  readonly depth?: number;
  readonly deviations?: number;
  readonly steps?: number;
  readonly window_ms?: number;
}

const METHODS: Readonly<Record<SchedulePlan["method"], string>> = {
  random: "Events follow the random delays.",
  pct: "Links, clocks and clients have random priorities, of which a few change during the run.",
  "delay-bounded": "Links, clocks and clients take turns, with a few departures from round robin.",
};

/** Which members go with which methods; `method` goes with all. */
const MEMBERS: Readonly<Record<SchedulePlan["method"], readonly (keyof ScheduleSpec)[]>> = {
  random: [],
  pct: ["depth", "steps", "window_ms"],
  "delay-bounded": ["deviations", "steps", "window_ms"],
};

export const schedule: Shape<ScheduleSpec> = object<ScheduleSpec>(
  "The choice of the next event until the healing; a served network follows its clock. Example: schedule: { method: pct, depth: 3, steps: 20, window_ms: 20 }",
  {
    method: meaning("the method that orders them", METHODS),
    depth: optional(
      defaulting(
        DEPTH_DEFAULT,
        wholeNumber(
          `of pct: the number of events on which the order depends: 1 to ${DEPTH_MAX}; default ${DEPTH_DEFAULT}`,
          1,
          DEPTH_MAX,
        ),
      ),
    ),
    deviations: optional(
      defaulting(
        DEVIATIONS_DEFAULT,
        wholeNumber(
          `of delay-bounded: the number of departures from round robin: 0 to ${DEVIATIONS_MAX}; default ${DEVIATIONS_DEFAULT}`,
          0,
          DEVIATIONS_MAX,
        ),
      ),
    ),
    steps: optional(
      defaulting(
        STEPS_DEFAULT,
        wholeNumber(
          `the number of events of a link, clock or client among which the changes lie: 1 to ${STEPS_MAX}; default ${STEPS_DEFAULT}`,
          1,
          STEPS_MAX,
        ),
      ),
    ),
    window_ms: optional(
      defaulting(
        WINDOW_DEFAULT_MS,
        wholeNumber(
          `the longest delay of an event beyond its time in virtual milliseconds: 0 to ${WINDOW_MAX_MS}; default ${WINDOW_DEFAULT_MS}`,
          0,
          WINDOW_MAX_MS,
        ),
      ),
    ),
  },
);

/** Members that do not go with the method. */
export function checkSchedule(part: ScheduleSpec | undefined): readonly Issue[] {
  if (part === undefined) return [];
  const { method, ...rest } = part;
  const fitting = MEMBERS[method];
  return (Object.keys(rest) as (keyof ScheduleSpec)[])
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
export function schedulePlan({ method, depth, deviations, steps, window_ms }: ScheduleSpec): SchedulePlan {
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
