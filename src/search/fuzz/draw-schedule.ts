/** Generated schedules: mostly by message delays, sometimes by a scheduler that searches rare orders. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Dice } from "./dice.ts";

/** Draws the section `schedule`, present in one of eight scenarios. */
export function drawSchedule(dice: Dice): Pick<Scenario, "schedule"> {
  if (!dice.chance(1, 8)) return {};
  const common = { steps: dice.between(5, 60), window_ms: dice.skewed(5, 200) };
  if (dice.chance(1, 4)) return { schedule: { method: "delay-bounded", deviations: dice.between(1, 8), ...common } };
  return { schedule: { method: "pct", depth: dice.between(2, 4), ...common } };
}
