/** Whether a hunt can be trusted: it has to find what is plainly broken, and must not find the real program. */
import type { Score } from "./score.ts";

/** What is wrong with the hunt itself, in words; empty where nothing is. */
export function dishonestyOf(canary: Score, control: Score): readonly string[] {
  const words: string[] = [];
  if (canary.rangesFound < canary.ranges)
    words.push(
      `the canary, a plainly broken program, was found in ${canary.rangesFound} of ${canary.ranges} ranges: ` +
        "this hunt does not see what it should",
    );
  if (control.detections > 0)
    words.push(
      `the real program was "found" with seed ${control.first?.seed}, which the real program passes: ` +
        "what this hunt sees depends on something else than the program and the seed",
    );
  const broken = control.errors.length + control.others.length;
  if (broken > 0 && control.detections === 0)
    words.push(`the real program failed in ${broken} worlds of which a second run passed`);
  return words;
}
