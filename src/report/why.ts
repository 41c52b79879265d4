/** Causes of a violation as data, for programs and reports, and as text for a terminal. */
import { countText } from "../invariants/text.ts";
import type { Paint } from "./paint.ts";

/** A delivery or an action on the network. */
export interface CauseData {
  readonly step: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** The event as a sentence. */
  readonly text: string;
}

/** Causes of the first violation of a run, each found by a run without it (docs/guides/reproduce-a-consensus-bug.md). */
export interface WhyData {
  readonly invariant: string;
  readonly reason: string;
  readonly step: number;
  readonly at: number;
  /** Number of deliveries and actions up to the violation. */
  readonly causes: number;
  /** Without any one of them the violation does not come. */
  readonly essential: readonly CauseData[];
  /** With all others left out it comes. */
  readonly sufficient: readonly CauseData[];
  /** True if none of `sufficient` can be left out of it. */
  readonly minimal: boolean;
  /** Neighbours in `sufficient` without whose order it does not come. */
  readonly orders: readonly (readonly [first: CauseData, second: CauseData])[];
  /** `reseeds` runs with another chance from the start, of which `failing` violate; `null` if not tried. */
  readonly chance: {
    readonly reseeds: number;
    readonly failing: number;
    /** The event after which another chance prevents it in less than half as many runs as before. */
    readonly from: (CauseData & { readonly failing: number; readonly before: number }) | null;
  } | null;
  /** First step that the real program would not take, of a known-bad variant. */
  readonly deviation: (CauseData & { readonly party: string }) | null;
  readonly runs: number;
  /** Searches that did not end in time, as sentence parts. */
  readonly untried: readonly string[];
}

const TIME_WIDTH = 8;

/** Returns lines for people; of the causes that suffice the last `most`, which are nearest to the violation. */
export function whyText(data: WhyData, most: number, paint: Paint): string {
  const { reason, at, step, causes, essential, sufficient, minimal, orders, deviation, runs, untried } = data;
  const isSame = essential.length === sufficient.length && essential.every((one) => includes(sufficient, one));
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

function essentialText({ essential, untried }: WhyData): string {
  if (essential.length > 0) return "without any one of these it does not come";
  return untried.length > 0 ? "none found" : "none; without any one cause it comes in another way";
}

function includes(causes: readonly CauseData[], { step, text }: CauseData): boolean {
  return causes.some((cause) => cause.step === step && cause.text === text);
}

function causeLines(causes: readonly CauseData[], paint: Paint): readonly string[] {
  return causes.map(({ at, text }) => `${paint("dim", `${at} ms`.padStart(TIME_WIDTH))}  ${text}`);
}

function chanceLines({ chance }: WhyData, paint: Paint): readonly string[] {
  if (chance === null) return [];
  const { reseeds, failing, from } = chance;
  const share = (count: number): string => `${count} of ${reseeds} seeds`;
  const text =
    from === null
      ? `it comes under ${share(failing)} from the start, so it does not depend on chance`
      : `it comes under ${share(failing)} from the start, ${share(from.failing)} after this event at ${from.at} ms: ${from.text}`;
  return [`${paint("strong", "chance:")} ${text}`];
}
