/** From what was found and what was expected to one verdict with its reason. */
import type { Address } from "../core/base/ids.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { bounds } from "../invariants/history/quorum.ts";
import type { Finding } from "../invariants/judge.ts";
import type { InvariantName, Setting } from "../invariants/observation.ts";
import type { Directory } from "../scenario/directory.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { NamedViolation, Verdict } from "./verdict.ts";

/** What only stands up to f Byzantine validators (protocol 7). */
const NEEDS_BOUND: ReadonlySet<InvariantName> = new Set(
  CATALOGUE.filter(({ needsBound }) => needsBound).map(({ name }) => name),
);

/** What a verdict is made of. */
export interface Grounds {
  readonly scenario: Scenario;
  readonly directory: Directory;
  readonly setting: Setting;
  /** What the file calls operations. */
  readonly operations: ReadonlyMap<string, string>;
  readonly findings: readonly Finding[];
  readonly unmet: readonly string[];
  readonly finals: number;
  /** Of each epoch that began, in order. */
  readonly committees: readonly (readonly Address[])[];
  /** Why the run was stopped before its end, where it was. */
  readonly cutShort: string | undefined;
}

export interface Outcome {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly violations: readonly NamedViolation[];
  readonly expected: readonly NamedViolation[];
  readonly beyondF: readonly NamedViolation[];
  readonly cutShort: string | undefined;
}

/** The gravest thing decides: a broken invariant, a stall, an end too soon, nothing that could be judged, an unmet expectation. */
export function outcomeOf(grounds: Grounds): Outcome {
  const { scenario, unmet, finals, cutShort } = grounds;
  const sorted = sortedFindings(grounds);
  const words = (list: readonly Finding[]): readonly NamedViolation[] =>
    list.map((one) => namedViolation(one, grounds.directory, grounds.operations));
  const violations = words(gravestFirst(sorted.judged));
  const parts = { violations, expected: words(sorted.expected), beyondF: words(sorted.beyondF), cutShort };
  const broken = violations.find(({ invariant }) => invariant !== "liveness");
  const stall = violations.find(({ invariant }) => invariant === "liveness");
  const result = (verdict: Verdict, reason: string): Outcome => ({ verdict, reason, ...parts });
  if (broken !== undefined) return result("violation", `${broken.invariant}: ${broken.detail}`);
  if (stall !== undefined) return result("stalled", `${stall.detail}${tooFew(grounds)}`);
  if (cutShort !== undefined) return result("unmet", [cutShort, ...unmet].join("; "));
  // Trouble that was expected and seen is something, even where nothing became final.
  if (sorted.expected.length === 0 && emptiness(scenario, finals)) return result("unmet", "empty");
  if (unmet.length > 0) return result("unmet", unmet.join("; "));
  return result("pass", "");
}

interface Sorted {
  readonly judged: readonly Finding[];
  readonly expected: readonly Finding[];
  readonly beyondF: readonly Finding[];
}

/** What a run is judged by, what its file expects, and what more than f Byzantine validators excuse. */
function sortedFindings(grounds: Grounds): Sorted {
  const { scenario, findings } = grounds;
  const wanted = new Set((scenario.expect ?? []).map(({ violation }) => violation));
  const wantsStall = (scenario.expect ?? []).some(({ stalled }) => stalled !== undefined);
  const off = scenario.invariants_off ?? {};
  const on = findings.filter(({ invariant }) => off[invariant] === undefined);
  const isWanted = ({ invariant }: Finding): boolean =>
    wanted.has(invariant) || (invariant === "liveness" && wantsStall);
  const seen = on.some(isWanted);
  // Of a known-bad variant one mistake breaks much at once: the file names what must be seen, and the rest goes along.
  const expected = on.filter((one) => isWanted(one) || (scenario.bug !== undefined && seen));
  const rest = on.filter((one) => !expected.includes(one));
  const isBeyond = committeesBeyondF(grounds).length > 0;
  const isExcused = (one: Finding): boolean =>
    (one.beyondF || (isBeyond && NEEDS_BOUND.has(one.invariant))) && !wanted.has("none");
  return { judged: rest.filter((one) => !isExcused(one)), expected, beyondF: rest.filter(isExcused) };
}

/** Nobody reads on for ever: what gives the verdict is told first, and that something stalls after it. */
function gravestFirst(findings: readonly Finding[]): readonly Finding[] {
  const isStall = ({ invariant }: Finding): boolean => invariant === "liveness";
  return [...findings.filter((one) => !isStall(one)), ...findings.filter(isStall)];
}

/** That no decision is possible at all in the last epoch, where it is not. */
function tooFew(grounds: Grounds): string {
  const last = grounds.committees.at(-1) ?? [];
  const { validators, quorum } = bounds(last.length);
  const correct = validators - liarsIn(last, grounds.setting);
  return correct >= quorum
    ? ""
    : ` Only ${correct} of ${validators} validators follow the rules, and a quorum is ${quorum}.`;
}

/** Epochs of whose committee more than f are Byzantine: what breaks in one may show in every later one (protocol 1.1, 7). */
function committeesBeyondF({ committees, setting }: Grounds): readonly number[] {
  return committees.flatMap((members, epoch) =>
    liarsIn(members, setting) > bounds(members.length).faults ? [epoch] : [],
  );
}

/** Twins, and several keys of one node in one committee, count key by key. */
function liarsIn(members: readonly Address[], { nodes }: Setting): number {
  const liars = new Set(nodes.filter(({ honest }) => !honest).flatMap(({ keys }) => keys));
  return members.filter((key) => liars.has(key)).length;
}

/** A run in which nothing became final, or a file that expects nothing, shows nothing: unless it expects just that. */
function emptiness(scenario: Scenario, finals: number): boolean {
  const expectations = scenario.expect ?? [];
  if (expectations.length === 0) return true;
  return finals === 0 && !expectations.some(({ nothing_final }) => nothing_final === true);
}

/** A finding with the names of a scenario in place of addresses and ids. */
export function namedViolation(
  { invariant, step, at, detail, blame, beyondF }: Finding,
  directory: Directory,
  operations: Grounds["operations"],
): NamedViolation {
  return {
    invariant,
    step,
    virtualMs: at,
    detail: readable(detail, directory, operations),
    blame: blame.map((key) => directory.nameOf(key)),
    beyondF,
  };
}

/** Addresses and operation ids as the names that the file gives them. */
function readable(detail: string, directory: Directory, operations: Grounds["operations"]): string {
  const names = new Map<string, string>([
    ...[...directory.accounts, ...directory.nodes].map((name) => [directory.account(name), name] as const),
    ...[...directory.tokens].map(([name, { address }]) => [address, name] as const),
    ...[...operations].map(([name, id]) => [id, name] as const),
  ]);
  let text = detail;
  for (const [hex, name] of names) text = text.replaceAll(hex, name).replaceAll(`${hex.slice(0, 10)}…`, name);
  return text;
}
