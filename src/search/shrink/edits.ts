/** Single edits of a scenario with descriptions: candidates for a passing one. */

import type { PartyEvent, ReceivedInput } from "../../run/narrative/party-events.ts";
import type { PatternSpec, Scenario, Step } from "../../scenario/scenario.ts";
import { verbOf } from "../../scenario/submit-access.ts";
import { LATE_MS } from "./limits.ts";

export interface ScenarioEdit {
  readonly scenario: Scenario;
  /** Description of the edit; begins with "with" or "without". */
  readonly text: string;
}

/** Delays one message, and with it all later ones of its kind on that link for a while; latest messages first. */
export function delayMessages(
  scenario: Scenario,
  moments: readonly PartyEvent[],
  until: number,
): readonly ScenarioEdit[] {
  const seen = new Set<string>();
  return moments.toReversed().flatMap(({ event, at, received: heard }) => {
    const key = `${at} ${heard?.from} ${heard?.to} ${heard?.kind}`;
    if (heard === undefined || event > until || seen.has(key)) return [];
    seen.add(key);
    return [delayMessage(scenario, at, heard)];
  });
}

function delayMessage(scenario: Scenario, at: number, { from, to, kind }: ReceivedInput): ScenarioEdit {
  const rule = unusedRule(scenario);
  const hold: PatternSpec = { rule, from: [from], to: [to], kinds: [kind] };
  const steps = [...(scenario.steps ?? []), { at, hold }, { at: at + LATE_MS, release: rule }];
  return {
    scenario: { ...scenario, steps },
    text: `with ${kind} messages from ${from} to ${to} held from ${at} ms to ${at + LATE_MS} ms`,
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
export function editSteps(scenario: Scenario): readonly ScenarioEdit[] {
  const { steps = [] } = scenario;
  const moved = steps.flatMap((step, place) =>
    otherTimes(step).map((at): ScenarioEdit => {
      const { at: before, ...rest } = step;
      return {
        scenario: { ...scenario, steps: steps.map((one, index) => (index === place ? { at, ...rest } : one)) },
        text: `with ${stepText(step, place)} at ${at} ms instead of ${before} ms`,
      };
    }),
  );
  const left = steps.map((step, place) => ({
    scenario: { ...scenario, steps: steps.filter((one) => one !== step) },
    text: `without ${stepText(step, place)}`,
  }));
  const asked = steps.flatMap((step, place): readonly ScenarioEdit[] => {
    const { only, ...rest } = step;
    if (only === undefined || step.submit === undefined) return [];
    const changed = steps.map((one, index) => (index === place ? rest : one));
    return [
      {
        scenario: { ...scenario, steps: changed },
        text: `with ${stepText(step, place)} submitted to its client's home only`,
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

function otherDelays(scenario: Scenario): readonly ScenarioEdit[] {
  const now = scenario.network?.delay_ms;
  return [1, 50, 200].flatMap((delay) =>
    delay === now
      ? []
      : [
          {
            scenario: { ...scenario, network: { ...scenario.network, delay_ms: delay } },
            text: `with ${delay} ms for every message instead of ${now ?? "the default delay"}`,
          },
        ],
  );
}

/** Returns a text such as `step 3 (the crash of v2)`. */
function stepText(step: Step, place: number): string {
  const { submit, crash, byzantine } = step;
  const about = submit?.id ?? crash?.node ?? byzantine?.node;
  return `step ${place + 1} (${verbOf(step)}${about === undefined ? "" : ` ${about}`})`;
}
