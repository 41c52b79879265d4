/** Causes of a violation as text for a terminal. */
import { countText } from "../invariants/text.ts";
import type { Cause, Chance, Why } from "../run/events/causes.ts";
import type { Paint } from "./paint.ts";

const TIME_WIDTH = 8;

/** Returns lines for people; of the causes that suffice the last `most`, which are nearest to the violation. */
export function whyText(why: Why, most: number, paint: Paint): string {
  const { reason, at, step, essential, sufficient } = why;
  const isSame = essential.length === sufficient.length && essential.every((cause) => sufficient.includes(cause));
  const left = sufficient.length - most;
  const cut = left > 0 ? [paint("dim", `${" ".repeat(TIME_WIDTH)}  ${left} earlier`)] : [];
  const fact = ([name, text]: Fact): string => `${paint("strong", `${name}:`)} ${text}`;
  const lines = [
    `${paint("bad", reason.split(/\. |\n/)[0] ?? "")} ${paint("dim", `(at ${at} ms, step ${step})`)}`,
    fact(["essential", essentialText(why)]),
    ...causeLines(essential, paint),
    fact(["sufficient", sufficientText(why, isSame)]),
    ...(isSame ? [] : [...cut, ...causeLines(sufficient.slice(-most), paint)]),
    ...whyFacts(why, most).map(fact),
    paint("dim", effortText(why)),
  ];
  return `${lines.join("\n")}\n`;
}

type Fact = readonly [name: string, text: string];

/** Returns what is known beside the causes, by name; of the orders the last `most`. */
export function whyFacts({ orders, chance, deviation }: Why, most: number): readonly Fact[] {
  return [
    ...orders.slice(-most).map(([first, second]): Fact => ["order", `${first.text} before ${second.text}`]),
    ...(chance === null ? [] : [["chance", chanceText(chance)] as const]),
    ...(deviation === null
      ? []
      : [["first deviation", `${deviation.party} at ${deviation.at} ms: ${deviation.text}`] as const]),
  ];
}

/** Returns the number of runs, and what was not tried. */
export function effortText({ runs, untried }: Why): string {
  return `${countText(runs, "run")}${untried.length === 0 ? "" : `; not tried: ${untried.join(", ")}`}`;
}

function essentialText({ essential, untried }: Why): string {
  if (essential.length > 0) return "without any one of these it does not come";
  return untried.length > 0 ? "none found" : "none; without any one cause it comes in another way";
}

function sufficientText({ sufficient, causes, minimal }: Why, isSame: boolean): string {
  const count = `${sufficient.length} of ${countText(causes, "cause")}${minimal ? "" : ", perhaps fewer"}`;
  return isSame ? `these, with all others left out: ${count}` : `${count}, with all others left out`;
}

function causeLines(causes: readonly Cause[], paint: Paint): readonly string[] {
  return causes.map(({ event, text }) => `${paint("dim", `${event.at} ms`.padStart(TIME_WIDTH))}  ${text}`);
}

function chanceText({ reseeds, failing, from }: Chance): string {
  const share = (count: number): string => `${count} of ${reseeds} seeds`;
  return from === null
    ? `it comes under ${share(failing)} from the start, so it does not depend on chance`
    : `it comes under ${share(failing)} from the start, ${share(from.failing)} after this event at ${from.at} ms: ${from.text}`;
}
