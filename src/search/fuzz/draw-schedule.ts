/** Generated schedules: mostly by message delays, sometimes by a scheduler that searches rare orders. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Rng } from "./rng.ts";

/** Draws the section `schedule`, present in one of eight scenarios. */
export function drawSchedule(rng: Rng): Pick<Scenario, "schedule"> {
  if (!rng.chance(1, 8)) return {};
  const common = { steps: rng.between(5, 60), window_ms: rng.skewed(5, 200) };
  if (rng.chance(1, 4)) return { schedule: { method: "delay-bounded", deviations: rng.between(1, 8), ...common } };
  return { schedule: { method: "pct", depth: rng.between(2, 4), ...common } };
}
