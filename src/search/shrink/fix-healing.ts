/** Replacement of steps that only put off the healing by the time of the healing, so that a file says how long faults last. */
import type { Interruptible } from "../../run/interruptible.ts";
import { usualHealing } from "../../run/phases.ts";
import type { Attempts } from "./attempts.ts";

/** Removes each step without which the failure stays if the healing comes as late as before. */
export function* fixHealing(attempts: Attempts): Interruptible<void> {
  const { scenario } = attempts.best;
  if (scenario.healing !== undefined) return;
  const at = usualHealing(scenario);
  for (let place = (scenario.steps ?? []).length - 1; place >= 0; place--) {
    yield* attempts.change(({ steps = [], ...rest }) => {
      return { ...rest, healing: { at }, steps: steps.filter((_, index) => index !== place) };
    });
  }
}
