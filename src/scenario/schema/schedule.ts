/** Schema, checks and compilation of `schedule:` (simulator/schedule). */
import type { Static } from "typebox";
import { unreachable } from "../../core/base/assert.ts";
import type { ScenarioIssue } from "../../schema/problem.ts";
import { choiceWithMeanings, object, wholeNumberOr } from "../../schema/shape.ts";
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

const METHODS: Readonly<Record<SchedulePlan["method"], string>> = {
  random: "Events follow the random delays.",
  pct: "Links, clocks and clients have random priorities, of which a few change during the run.",
  "delay-bounded": "Links, clocks and clients take turns, with a few departures from round robin.",
};

export const schedule = object(
  "The choice of the next event until the healing; a served network follows its clock. Example: schedule: { method: pct, depth: 3, steps: 20, window_ms: 20 }",
  {
    method: choiceWithMeanings("the method that orders them", METHODS),
    depth: wholeNumberOr(DEPTH_DEFAULT, "of pct: the number of events on which the order depends", 1, DEPTH_MAX),
    deviations: wholeNumberOr(
      DEVIATIONS_DEFAULT,
      "of delay-bounded: the number of departures from round robin",
      0,
      DEVIATIONS_MAX,
    ),
    steps: wholeNumberOr(
      STEPS_DEFAULT,
      "the number of events of a link, clock or client among which the changes lie",
      1,
      STEPS_MAX,
    ),
    window_ms: wholeNumberOr(
      WINDOW_DEFAULT_MS,
      "the longest delay of an event beyond its time in virtual milliseconds",
      0,
      WINDOW_MAX_MS,
    ),
  },
);

/** The schedule until the healing; members of other methods are errors. */
export type ScheduleSpec = Static<typeof schedule>;

/** Which members go with which methods; `method` goes with all. */
const MEMBERS: Readonly<Record<SchedulePlan["method"], readonly (keyof ScheduleSpec)[]>> = {
  random: [],
  pct: ["depth", "steps", "window_ms"],
  "delay-bounded": ["deviations", "steps", "window_ms"],
};

/** Members that do not go with the method. */
export function checkSchedule(part: ScheduleSpec | undefined): readonly ScenarioIssue[] {
  if (part === undefined) return [];
  const { method, ...rest } = part;
  const fitting = MEMBERS[method];
  return (Object.keys(rest) as (keyof ScheduleSpec)[])
    .filter((key) => !fitting.includes(key))
    .map((key): ScenarioIssue => {
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
