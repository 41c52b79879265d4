/** Causes of a violation as text for a terminal. */
import { countText } from "../invariants/text.ts";
import type { Cause, Why } from "../run/events/causes.ts";
import type { Paint } from "./paint.ts";

const TIME_WIDTH = 8;

/** Returns lines for people; of the causes that suffice the last `most`, which are nearest to the violation. */
export function whyText(data: Why, most: number, paint: Paint): string {
  const { reason, at, step, causes, essential, sufficient, minimal, orders, deviation, runs, untried } = data;
  const isSame = essential.length === sufficient.length && essential.every((cause) => sufficient.includes(cause));
  const least = minimal ? "" : ", perhaps fewer";
  const count = `${sufficient.length} of ${countText(causes, "cause")}`;
  const lines = [
    `${paint("bad", reason.split(/\. |\n/)[0] ?? "")} ${paint("dim", `(at ${at} ms, step ${step})`)}`,
    `${paint("strong", "essential:")} ${essentialText(data)}`,
    ...causeLines(essential, paint),
    ...(isSame
      ? [`${paint("strong", "sufficient:")} these, with all others left out: ${count}${least}`]
      : [
          `${paint("strong", "sufficient:")} ${count}${least}, with all others left out`,
          ...(sufficient.length > most
            ? [paint("dim", `${" ".repeat(TIME_WIDTH)}  ${sufficient.length - most} earlier`)]
            : []),
          ...causeLines(sufficient.slice(-most), paint),
        ]),
    ...orders.slice(-most).map(([first, second]) => `${paint("strong", "order:")} ${first.text} before ${second.text}`),
    ...chanceLines(data, paint),
    ...(deviation === null
      ? []
      : [`${paint("strong", "first deviation:")} ${deviation.party} at ${deviation.at} ms: ${deviation.text}`]),
    paint("dim", `${countText(runs, "run")}${untried.length === 0 ? "" : `; not tried: ${untried.join(", ")}`}`),
  ];
  return `${lines.join("\n")}\n`;
}

function essentialText({ essential, untried }: Why): string {
  if (essential.length > 0) return "without any one of these it does not come";
  return untried.length > 0 ? "none found" : "none; without any one cause it comes in another way";
}

function causeLines(causes: readonly Cause[], paint: Paint): readonly string[] {
  return causes.map(({ event, text }) => `${paint("dim", `${event.at} ms`.padStart(TIME_WIDTH))}  ${text}`);
}

function chanceLines({ chance }: Why, paint: Paint): readonly string[] {
  if (chance === null) return [];
  const { reseeds, failing, from } = chance;
  const share = (count: number): string => `${count} of ${reseeds} seeds`;
  const text =
    from === null
      ? `it comes under ${share(failing)} from the start, so it does not depend on chance`
      : `it comes under ${share(failing)} from the start, ${share(from.failing)} after this event at ${from.at} ms: ${from.text}`;
  return [`${paint("strong", "chance:")} ${text}`];
}
