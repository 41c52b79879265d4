/** Course of a campaign over time, from the ends of its jobs. */
import { type JobResult, jobRowOf } from "./rows.ts";

/** Intervals of a series, and of the time over which a rate is the mean. */
const INTERVALS = 120;
const WINDOW = 12;

interface Moment {
  /** Begin and end in Unix milliseconds. */
  readonly begun: number;
  readonly ended: number;
  readonly worlds: number;
  /** Coverage points that no job before it reached. */
  readonly points: number;
}

/** Lists of equal length: a point for each end of an interval, the first for the begin. */
export interface Series {
  readonly seconds: readonly number[];
  readonly worlds: readonly number[];
  readonly rate: readonly number[];
  readonly reached: readonly number[];
}

export class CampaignHistory {
  readonly #moments: Moment[] = [];
  readonly #kinds = new Map<string, { readonly jobs: number; readonly ms: number }>();

  /** Adds a job. `points`: coverage points that it is the first to reach. */
  add(result: JobResult, points: number): void {
    const { kind, ms, ended, worlds } = jobRowOf(result);
    this.#moments.push({ begun: ended - ms, ended, worlds, points });
    const so = this.#kinds.get(kind) ?? { jobs: 0, ms: 0 };
    this.#kinds.set(kind, { jobs: so.jobs + 1, ms: so.ms + ms });
  }

  get kinds(): readonly { readonly kind: string; readonly jobs: number; readonly ms: number }[] {
    return [...this.#kinds].map(([kind, sums]) => ({ kind, ...sums })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  }

  /** Returns the course from the begin of the first job to the end of the last one. Costs a pass over all jobs. */
  series(): Series {
    const first = this.#moments.reduce((least, { begun }) => Math.min(least, begun), Number.POSITIVE_INFINITY);
    const last = this.#moments.reduce((most, { ended }) => Math.max(most, ended), 0);
    if (this.#moments.length === 0) return { seconds: [], worlds: [], rate: [], reached: [] };
    const length = Math.max(1, last - first) / INTERVALS;
    const sums = Array.from({ length: INTERVALS + 1 }, () => ({ worlds: 0, points: 0 }));
    for (const { ended, worlds, points } of this.#moments) {
      const sum = sums[Math.min(INTERVALS, Math.ceil((ended - first) / length))];
      if (sum === undefined) continue;
      sum.worlds += worlds;
      sum.points += points;
    }
    let [worlds, reached] = [0, 0];
    const rows = sums.map((sum, at) => {
      worlds += sum.worlds;
      reached += sum.points;
      return { seconds: (at * length) / 1_000, worlds, reached };
    });
    const rate = rows.map(({ worlds: now }, at) => {
      const before = rows[Math.max(0, at - WINDOW)]?.worlds ?? 0;
      return at === 0 ? 0 : ((now - before) * 1_000) / (length * Math.min(at, WINDOW));
    });
    return {
      seconds: rows.map(({ seconds }) => Math.round(seconds * 10) / 10),
      worlds: rows.map((row) => row.worlds),
      rate: rate.map((one) => Math.round(one * 100) / 100),
      reached: rows.map((row) => row.reached),
    };
  }
}
