/** Lines of a narrative: entries grouped into sentences and sorted, with the violations. */

import { listed } from "../listed.ts";
import type { NamedViolation } from "../verdict.ts";
import type { Telling } from "./telling.ts";

/** A sentence of a narrative. */
export interface Line {
  /** Virtual milliseconds. */
  readonly at: number;
  readonly text: string;
  /** True for a violation. */
  readonly isBreach: boolean;
}

/** A narrative up to its first violation, or to its end. */
export interface Plot {
  readonly lines: readonly Line[];
  /** Number of sentences after the first violation, which are not in `lines`. */
  readonly after: number;
}

interface Sentence extends Line {
  readonly event: number;
}

/** The lines of the entries and violations; `found`: the violations, the earliest first. */
export function plotOf(tellings: readonly Telling[], found: readonly NamedViolation[]): Plot {
  const end = found[0]?.step ?? Number.POSITIVE_INFINITY;
  const all = sentencesOf(tellings, found);
  const lines = all.filter(({ event }) => event <= end).map(({ at, text, isBreach }) => ({ at, text, isBreach }));
  return { lines, after: all.length - lines.length };
}

function sentencesOf(tellings: readonly Telling[], found: readonly NamedViolation[]): readonly Sentence[] {
  const breaches = found.map(
    ({ step, virtualMs, invariant, detail, blame, beyondF }): Sentence => ({
      event: step,
      at: virtualMs,
      text: `violates ${invariant}${beyondF ? " (beyond f)" : ""}: ${detail}${blameText(blame)}`,
      isBreach: true,
    }),
  );
  const told = groupsOf(tellings, new Set(found.map(({ step }) => step))).map(sentenceOf);
  // The effects of an event precede the violations that it causes.
  return [...told, ...breaches].sort(
    (a, b) => a.at - b.at || a.event - b.event || Number(a.isBreach) - Number(b.isBreach),
  );
}

function blameText(blame: readonly string[]): string {
  return blame.length === 0 ? "" : `; faulty: ${listed(blame)}`;
}

type Group = readonly [Telling, ...Telling[]];

/** Groups equal entries of several parties in one millisecond, unless a violation lies between them. */
function groupsOf(tellings: readonly Telling[], breaches: ReadonlySet<number>): readonly Group[] {
  const groups = new Map<string, Telling[]>();
  const ends = [...breaches].sort((a, b) => a - b);
  let stretch = 0;
  for (const telling of tellings) {
    while (stretch < ends.length && telling.event > (ends[stretch] as number)) stretch += 1;
    const { at, form, says } = telling;
    const key = `${stretch} ${at} ${form} ${says}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [telling]);
    else group.push(telling);
  }
  return [...groups.values()] as unknown as readonly Group[];
}

function sentenceOf(group: Group): Sentence {
  const [{ event, at }] = group;
  return { event, at, text: textOf(group), isBreach: false };
}

function textOf(group: Group): string {
  const [first, ...others] = group;
  const { form, says } = first;
  if (form === "is") return says;
  if (form === "reaches") return `${says} ${listed(unique(group.map(({ who }) => who)))}`;
  const isAlike = group.every(({ cause }) => cause === first.cause);
  const rest = unique(others.map((one) => `${one.who}${isAlike ? "" : causeText(one)}`)).filter(
    (one) => one !== first.who,
  );
  const also = rest.length === 0 ? "" : `; so ${rest.length === 1 ? "does" : "do"} ${listed(rest)}`;
  return `${first.who} ${says}${causeText(first)}${also}`;
}

function causeText({ cause }: Telling): string {
  return cause === undefined ? "" : ` (${cause})`;
}

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}
