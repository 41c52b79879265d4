/** A run told in sentences: who said what and why, up to where an invariant breaks. */
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { CATALOGUE } from "../../invariants/catalogue.ts";
import { bounds } from "../../invariants/quorum.ts";
import { dishonest } from "../compile.ts";
import { VALIDATORS_DEFAULT } from "../declared.ts";
import { directoryOf } from "../directory.ts";
import { runScenario } from "../run.ts";
import type { Scenario } from "../scenario.ts";
import type { NamedViolation, RunResult } from "../verdict.ts";
import { listed } from "./action-words.ts";
import { namesFor } from "./names.ts";
import { type Telling, tellingsOf } from "./telling.ts";

/** Things that happen to single parties of which a story knows at most. */
const TELLINGS = 200_000;

/** A sentence of a story. */
export interface Line {
  /** Virtual milliseconds. */
  readonly at: number;
  readonly text: string;
  /** An invariant breaks here. */
  readonly isBreach: boolean;
}

/** A run in sentences. */
export interface Story {
  /** Who takes part, in a line. */
  readonly cast: string;
  /** From the beginning to the event in which the first invariant breaks, or to the end. */
  readonly lines: readonly Line[];
  /** Sentences of what comes after the first breach, which are not in `lines`. */
  readonly after: number;
  /** What the broken invariants demand, each with its section. */
  readonly demands: readonly string[];
  readonly result: RunResult;
}

/** Runs a scenario under stand-in signatures and tells what happened. Never throws for what breaks in the run. */
export function storyOf(scenario: Scenario, seed: string): Story {
  const names = namesFor(scenario);
  const { list, listener } = tellingsOf(names, directoryOf(scenario, keyedHash), TELLINGS);
  const result = runScenario(scenario, { seed, listener });
  const found = foundIn(result);
  const end = found[0]?.step ?? Number.POSITIVE_INFINITY;
  const all = sentencesOf(list, found);
  const lines = all.filter(({ event }) => event <= end);
  return {
    cast: castOf(scenario, seed),
    lines: lines.map(({ at, text, isBreach }) => ({ at, text, isBreach })),
    after: all.length - lines.length,
    demands: demandsOf(found),
    result,
  };
}

/** Whatever broke, expected or not, the earliest first. */
function foundIn({ violations, expected, beyondF }: RunResult): readonly NamedViolation[] {
  return [...violations, ...expected, ...beyondF].sort((a, b) => a.step - b.step);
}

function castOf(scenario: Scenario, seed: string): string {
  const { validators, faults, quorum } = bounds(scenario.network?.validators ?? VALIDATORS_DEFAULT);
  const liars = [...dishonest(scenario)];
  const parts = [
    validators === 1
      ? "1 validator, its own quorum"
      : `${validators} validators, a quorum is ${quorum}, ${mayLie(faults)}`,
    ...(liars.length === 0 ? [] : [`${listed(liars)} ${liars.length === 1 ? "does" : "do"} not follow the rules`]),
    ...(scenario.bug === undefined ? [] : [`under the known-bad variant ${scenario.bug}`]),
    `seed ${seed}`,
  ];
  return parts.join("; ");
}

function mayLie(faults: number): string {
  return faults === 0 ? "nobody may lie" : `at most ${faults} may lie`;
}

function demandsOf(found: readonly NamedViolation[]): readonly string[] {
  const broken = new Set(found.map(({ invariant }) => invariant));
  return CATALOGUE.filter(({ name }) => broken.has(name)).map(
    ({ name, design, sentence }) => `${name} (design ${design}): ${sentence}`,
  );
}

interface Sentence extends Line {
  readonly event: number;
}

function sentencesOf(tellings: readonly Telling[], found: readonly NamedViolation[]): readonly Sentence[] {
  const breaches = found.map(
    ({ step, virtualMs, invariant, detail, blame, beyondF }): Sentence => ({
      event: step,
      at: virtualMs,
      text: `${invariant} breaks${beyondF ? ", more than f being liars" : ""}: ${detail}${blameText(blame)}`,
      isBreach: true,
    }),
  );
  const told = groupsOf(tellings, new Set(found.map(({ step }) => step))).map(sentenceOf);
  // What an event did stands before what it broke.
  return [...told, ...breaches].sort(
    (a, b) => a.at - b.at || a.event - b.event || Number(a.isBreach) - Number(b.isBreach),
  );
}

function blameText(blame: readonly string[]): string {
  return blame.length === 0 ? "" : `; to blame: ${listed(blame)}`;
}

type Group = readonly [Telling, ...Telling[]];

/** What several parties do in one and the same millisecond, unless something breaks in between. */
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
