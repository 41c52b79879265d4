/** Columns of the rows of results: complete by their types, and equal to the table of the guide by a test. */
import type { CampaignRow } from "../../src/campaign/rows.ts";

type Columns<T extends CampaignRow> = Readonly<Record<Exclude<keyof T, "type">, string>>;

const JOB_COLUMN = "id of the job";

/** Meaning of each column, by type of row. */
export const COLUMNS: {
  readonly [Type in CampaignRow["type"]]: Columns<Extract<CampaignRow, { readonly type: Type }>>;
} = {
  world: {
    job: JOB_COLUMN,
    seed: "seed",
    verdict: "`pass` or `fail`, as `fuzz` counts",
    signature: "failure signature, null if it passed",
    hash: "rolling hash over all events, null if the world did not come to its end",
    events: "events of the world",
    operations: "operations that clients submitted, each once",
    final: "final operations",
    faults: "kinds of faults in the drawn scenario",
    ms: "wall-clock milliseconds; it affects nothing else",
  },
  coverage: {
    job: JOB_COLUMN,
    name: "coverage point",
    hits: "times it was reached",
    runs: "worlds that reached it",
    runs_by: "such worlds by kind of fault",
  },
  occurrence: {
    job: JOB_COLUMN,
    name: "fault, excuse, oracle, strategy or `phase healing`",
    runs: "worlds that had it, were excused or judged by it",
  },
  shrunk: {
    job: JOB_COLUMN,
    signature: "failure signature that the small scenario has",
    seed: "seed of the campaign whose world was minimized",
    text: "small scenario file",
    small_seed: "seed under which the small scenario fails",
    steps: "steps of the small scenario",
    minimal: "true if no single removal keeps the failure",
  },
  replay: {
    job: JOB_COLUMN,
    key: "failure signature of a kept finding",
    shows: "true if this program still shows it",
  },
  why: {
    job: JOB_COLUMN,
    key: "failure signature of a small scenario",
    why: "its causes, as `why --json` prints them; null if they were not found",
  },
  job: {
    job: JOB_COLUMN,
    kind: "`fuzz`, `split`, `shrink`, `why` or `replay`",
    worlds: "worlds of the job",
    failed: "failing ones",
    events: "events over its worlds",
    operations: "operations over its worlds",
    final: "final operations over its worlds",
    ms: "wall-clock milliseconds of the attempt that finished",
    ended: "end in Unix milliseconds, by the clock of that machine",
    worker: "machine and process that finished it",
    follow: "jobs that it asked for",
    error: "why the job could not be done, null if it was",
    sum: "checksum over all rows of the job",
  },
};
