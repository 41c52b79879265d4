/** Self-check of a hunt: the canary must be detected, and the control must not. */
import type { Score } from "./score.ts";

/** Returns the failed self-checks as text; empty if there are none. */
export function selfCheckFailures(canary: Score, control: Score): readonly string[] {
  const words: string[] = [];
  if (canary.rangesFound < canary.ranges)
    words.push(
      `the canary was detected in ${canary.rangesFound} of ${canary.ranges} ranges: ` +
        "expected all; the hunt misses failures",
    );
  if (control.detections > 0)
    words.push(
      `the control failed with seed ${control.first?.seed}, which the real program passes: ` +
        "results depend on more than the program and the seed",
    );
  const broken = control.errors.length + control.others.length;
  if (broken > 0 && control.detections === 0)
    words.push(`the control failed in ${broken} runs that passed when repeated`);
  return words;
}
