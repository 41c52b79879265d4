/** Judges of a guard: the kept scenarios that reach it with its condition met, the shortest first, until one fails. */
import { dirname } from "node:path";
import { findScenarios, readText } from "../../src/scenario/files.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { problemText } from "../../src/schema/problem.ts";
import type { Guard } from "./find.ts";
import type { Program } from "./program.ts";

/** Folder of the scenarios of known-bad variants, which reports of the oracles are for. */
const VARIANTS = "scenarios/bugs";
/** Folders of the scenarios that are kept for one statement each. */
export const KEPT = ["scenarios/rules", "scenarios/attacks", "scenarios/regressions", VARIANTS];

/** A kept scenario with what its run under the whole program did. */
export interface KeptScenario {
  readonly path: string;
  readonly scenario: Scenario;
  /** Guards and turns of loops that its run evaluates. */
  readonly work: number;
  /** True by the number of each guard whose condition it meets. */
  readonly meets: readonly boolean[];
}

/** Runs the kept scenarios of the paths with every guard on. @throws Error for one that is invalid or does not pass. */
export function runKept(
  { createParser, runScenario, guards }: Program,
  paths: readonly string[],
): readonly KeptScenario[] {
  const parser = createParser();
  const kept = findScenarios(paths).files.map(({ path }) => {
    const text = readText(path);
    if (!text.ok) throw new Error(problemText(path, text.error));
    const parsed = parser.parse(text.value);
    if (!parsed.ok) throw new Error(parsed.error.map((problem) => problemText(path, problem)).join("\n"));
    guards.start(-1, Number.POSITIVE_INFINITY);
    const { verdict, reason } = runScenario(parsed.value, { seed: "1" });
    if (verdict !== "pass") throw new Error(`${path}: ${verdict} ${reason}`);
    return { path, scenario: parsed.value, work: guards.workDone(), meets: [...guards.seen] };
  });
  return sortInTurns(kept.toSorted((a, b) => a.work - b.work));
}

/** One of each folder in turn: the shortest ones of all kinds come first. */
function sortInTurns(kept: readonly KeptScenario[]): readonly KeptScenario[] {
  const turns = new Map<string, number>();
  const turnOf = new Map<KeptScenario, number>();
  for (const scenario of kept) {
    const folder = dirname(scenario.path);
    const turn = turns.get(folder) ?? 0;
    turns.set(folder, turn + 1);
    turnOf.set(scenario, turn);
  }
  return kept.toSorted((a, b) => (turnOf.get(a) ?? 0) - (turnOf.get(b) ?? 0));
}

/**
 * Returns the path of a scenario that fails with the guard off, or undefined: `first` if it fails, else the shortest.
 * Ends after `limit` of work.
 * @throws Error if that scenario then fails with every guard on: a run has left something behind for the next.
 */
export function killerOf(
  program: Program,
  kept: readonly KeptScenario[],
  guard: number,
  first?: string,
  limit = program.guards.WORK_MAX,
): string | undefined {
  const reach = kept.filter(({ meets }) => meets[guard] === true);
  const known = reach.filter(({ path }) => path === first);
  let left = limit;
  for (const scenario of [...known, ...reach]) {
    if (left <= 0) break;
    left -= scenario.work;
    if (passes(program, scenario, guard)) continue;
    if (!passes(program, scenario, -1))
      throw new Error(`${scenario.path}: fails with every guard on, after guard ${guard} was off`);
    return scenario.path;
  }
  return undefined;
}

/** Returns the scenarios that judge a guard: those of known-bad variants judge reports only. */
export function judgesOf({ branch }: Guard, kept: readonly KeptScenario[]): readonly KeptScenario[] {
  return branch === undefined ? kept : kept.filter(({ path }) => !path.startsWith(VARIANTS));
}

function passes({ runScenario, guards }: Program, { scenario, work }: KeptScenario, off: number): boolean {
  guards.start(off, guards.budgetFor(work));
  return runScenario(scenario, { seed: "1" }).verdict === "pass";
}
