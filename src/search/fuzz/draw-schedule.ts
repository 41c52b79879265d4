/** Who goes next in a drawn world: mostly as the delays fall, at times by a scheduler that looks for rare orders. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Dice } from "./dice.ts";

/** The part `schedule` of the file, of one world in eight. */
export function drawSchedule(dice: Dice): Pick<Scenario, "schedule"> {
  if (!dice.chance(1, 8)) return {};
  const common = { steps: dice.between(5, 60), window_ms: dice.skewed(5, 200) };
  if (dice.chance(1, 4)) return { schedule: { method: "delay-bounded", deviations: dice.between(1, 8), ...common } };
  return { schedule: { method: "pct", depth: dice.between(2, 4), ...common } };
}
