/** Coverage that the guided jobs of a campaign found, shared by all of them. */
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import { type Guidance, type Parent, rankByRarity } from "../search/fuzz/guided.ts";
import { idOf, type JobResult } from "./rows.ts";

/** Parents that are kept, the rarest ones: eight times as many as a generation mutates. */
const PARENTS_KEPT = 64;

/** Finds of one guided job. */
export interface Gain {
  readonly job: string;
  /** Runs of the job that reached each point. */
  readonly runs: Guidance["runs"];
  readonly parents: readonly Parent[];
}

/** Returns what a job found; `undefined` if it was not guided. */
export function gainOf(result: JobResult): Gain | undefined {
  const parents = result.flatMap((row): Parent[] => (row.type === "parent" ? [row] : []));
  if (parents.length === 0) return undefined;
  const runs = result.flatMap((row) => (row.type === "coverage" ? [[row.name, row.runs] as const] : []));
  return {
    job: idOf(result),
    runs,
    parents: parents.map(({ seed, points, events, mutations }) => ({ seed, points, events, mutations })),
  };
}

export class SharedCoverage {
  readonly #jobs = new Set<string>();
  readonly #runs = new Map<AnyCoveragePoint, number>();
  #parents = new Map<string, Parent>();

  /** Adds what a job found, once: a job that is repeated after a death tells it again. */
  add({ job, runs, parents }: Gain): void {
    if (this.#jobs.has(job)) return;
    this.#jobs.add(job);
    for (const [point, count] of runs) this.#runs.set(point, (this.#runs.get(point) ?? 0) + count);
    for (const parent of parents) {
      const mutations = parent.mutations + (this.#parents.get(parent.seed)?.mutations ?? 0);
      this.#parents.set(parent.seed, { ...parent, mutations });
    }
    const kept = rankByRarity([...this.#parents.values()], this.#runs).slice(0, PARENTS_KEPT);
    this.#parents = new Map(kept.map((parent) => [parent.seed, parent]));
  }

  addResult(result: JobResult): void {
    const gain = gainOf(result);
    if (gain !== undefined) this.add(gain);
  }

  guidance(): Guidance {
    return { runs: [...this.#runs], parents: [...this.#parents.values()] };
  }
}
