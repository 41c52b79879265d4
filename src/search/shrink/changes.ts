/** Single edits of a scenario with descriptions: candidates for a passing one. */

import type { Heard, Moment } from "../../run/narrative/moments.ts";
import type { PatternPart, Scenario, Step } from "../../scenario/scenario.ts";
import { verbOf } from "../../scenario/submit-parts.ts";
import { LATE_MS } from "./limits.ts";

export interface Change {
  readonly scenario: Scenario;
  /** Description of the edit; begins with "with" or "without". */
  readonly words: string;
}

/** Delays one message, and with it all later ones of its kind on that link for a while; latest messages first. */
export function laterMessages(scenario: Scenario, moments: readonly Moment[], until: number): readonly Change[] {
  const seen = new Set<string>();
  return moments.toReversed().flatMap(({ event, at, heard }) => {
    const key = `${at} ${heard?.from} ${heard?.to} ${heard?.kind}`;
    if (heard === undefined || event > until || seen.has(key)) return [];
    seen.add(key);
    return [laterMessage(scenario, at, heard)];
  });
}

function laterMessage(scenario: Scenario, at: number, { from, to, kind }: Heard): Change {
  const rule = unusedRule(scenario);
  const hold: PatternPart = { rule, from: [from], to: [to], kinds: [kind] };
  const steps = [...(scenario.steps ?? []), { at, hold }, { at: at + LATE_MS, release: rule }];
  return {
    scenario: { ...scenario, steps },
    words: `with ${kind} messages from ${from} to ${to} held from ${at} ms to ${at + LATE_MS} ms`,
  };
}

function unusedRule({ steps = [] }: Scenario): string {
  const used = new Set(steps.flatMap(({ hold, drop }) => hold?.rule ?? drop?.rule ?? []));
  for (let number = 1; ; number++) if (!used.has(`late${number}`)) return `late${number}`;
}

/**
 * Removes each step, submits it to another validator, moves it in time; changes the delays of all links. Simplest
 * first.
 */
export function otherSteps(scenario: Scenario): readonly Change[] {
  const { steps = [] } = scenario;
  const moved = steps.flatMap((step, place) =>
    otherTimes(step).map((at): Change => {
      const { at: before, ...rest } = step;
      return {
        scenario: { ...scenario, steps: steps.map((one, index) => (index === place ? { at, ...rest } : one)) },
        words: `with ${stepWords(step, place)} at ${at} ms instead of ${before} ms`,
      };
    }),
  );
  const left = steps.map((step, place) => ({
    scenario: { ...scenario, steps: steps.filter((one) => one !== step) },
    words: `without ${stepWords(step, place)}`,
  }));
  const asked = steps.flatMap((step, place): readonly Change[] => {
    const { only, ...rest } = step;
    if (only === undefined || step.submit === undefined) return [];
    const changed = steps.map((one, index) => (index === place ? rest : one));
    return [
      {
        scenario: { ...scenario, steps: changed },
        words: `with ${stepWords(step, place)} submitted to its client's home only`,
      },
    ];
  });
  return [...left, ...asked, ...moved, ...otherDelays(scenario)];
}

/** Earlier unless at 0, a little later, and much later. */
function otherTimes({ at }: Step): readonly number[] {
  if (at === undefined) return [];
  return [...(at > 1 ? [Math.trunc(at / 2)] : []), at + 50, at + LATE_MS];
}

function otherDelays(scenario: Scenario): readonly Change[] {
  const now = scenario.network?.delay_ms;
  return [1, 50, 200].flatMap((delay) =>
    delay === now
      ? []
      : [
          {
            scenario: { ...scenario, network: { ...scenario.network, delay_ms: delay } },
            words: `with ${delay} ms for every message instead of ${now ?? "the default delay"}`,
          },
        ],
  );
}

/** Returns a text such as `step 3 (the crash of v2)`. */
function stepWords(step: Step, place: number): string {
  const { submit, crash, byzantine } = step;
  const about = submit?.id ?? crash?.node ?? byzantine?.node;
  return `step ${place + 1} (${verbOf(step)}${about === undefined ? "" : ` ${about}`})`;
}
