/** Lines of a narrative: entries grouped into sentences and sorted, with the violations. */

import { joinNames } from "../join-names.ts";
import type { NamedViolation } from "../verdict.ts";
import type { NarrativeEntry } from "./entries.ts";

/** A sentence of a narrative. */
export interface Line {
  /** Virtual milliseconds. */
  readonly at: number;
  readonly text: string;
  /** True for a violation. */
  readonly isBreach: boolean;
}

/** A narrative up to its first violation, or to its end. */
export interface NarrativeLines {
  readonly lines: readonly Line[];
  /** Number of sentences after the first violation, which are not in `lines`. */
  readonly after: number;
}

interface Sentence extends Line {
  readonly event: number;
}

/** The lines of the entries and violations; `found`: the violations, the earliest first. */
export function narrativeLines(entries: readonly NarrativeEntry[], found: readonly NamedViolation[]): NarrativeLines {
  const end = found[0]?.step ?? Number.POSITIVE_INFINITY;
  const all = sentencesOf(entries, found);
  const lines = all.filter(({ event }) => event <= end).map(({ at, text, isBreach }) => ({ at, text, isBreach }));
  return { lines, after: all.length - lines.length };
}

function sentencesOf(entries: readonly NarrativeEntry[], found: readonly NamedViolation[]): readonly Sentence[] {
  const breaches = found.map(
    ({ step, virtualMs, invariant, detail, faulty, beyondF }): Sentence => ({
      event: step,
      at: virtualMs,
      text: `violates ${invariant}${beyondF ? " (beyond f)" : ""}: ${detail}${faultyText(faulty)}`,
      isBreach: true,
    }),
  );
  const told = groupsOf(entries, new Set(found.map(({ step }) => step))).map(sentenceOf);
  // The effects of an event precede the violations that it causes.
  return [...told, ...breaches].sort(
    (a, b) => a.at - b.at || a.event - b.event || Number(a.isBreach) - Number(b.isBreach),
  );
}

function faultyText(faulty: readonly string[]): string {
  return faulty.length === 0 ? "" : `; faulty: ${joinNames(faulty)}`;
}

type Group = readonly [NarrativeEntry, ...NarrativeEntry[]];

/** Groups equal entries of several parties in one millisecond, unless a violation lies between them. */
function groupsOf(entries: readonly NarrativeEntry[], breaches: ReadonlySet<number>): readonly Group[] {
  const groups = new Map<string, NarrativeEntry[]>();
  const ends = [...breaches].sort((a, b) => a - b);
  let stretch = 0;
  for (const entry of entries) {
    while (stretch < ends.length && entry.event > (ends[stretch] as number)) stretch += 1;
    const { at, form, text: says } = entry;
    const key = `${stretch} ${at} ${form} ${says}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()] as unknown as readonly Group[];
}

function sentenceOf(group: Group): Sentence {
  const [{ event, at }] = group;
  return { event, at, text: textOf(group), isBreach: false };
}

function textOf(group: Group): string {
  const [first, ...others] = group;
  const { form, text: says } = first;
  if (form === "is") return says;
  if (form === "reaches") return `${says} ${joinNames(unique(group.map(({ who }) => who)))}`;
  const isAlike = group.every(({ cause }) => cause === first.cause);
  const rest = unique(others.map((one) => `${one.who}${isAlike ? "" : causeText(one)}`)).filter(
    (one) => one !== first.who,
  );
  const also = rest.length === 0 ? "" : `; so ${rest.length === 1 ? "does" : "do"} ${joinNames(rest)}`;
  return `${first.who} ${says}${causeText(first)}${also}`;
}

function causeText({ cause }: NarrativeEntry): string {
  return cause === undefined ? "" : ` (${cause})`;
}

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}
