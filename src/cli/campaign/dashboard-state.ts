/** State of a campaign for its page: reads what is new, and keeps the findings that come. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type Finding, findingsOf, keepFindings } from "../../campaign/findings.ts";
import { CampaignHistory } from "../../campaign/history.ts";
import type { Plan } from "../../campaign/plan.ts";
import type { JobCounts, JobQueue } from "../../campaign/queue.ts";
import type { JobResult } from "../../campaign/rows.ts";
import { Totals } from "../../campaign/summary.ts";
import type { CampaignState, ShownFinding } from "../../report/campaign-state.ts";
import { COVERAGE_POINT_NAMES } from "../../scenario/coverage-points.ts";
import type { Args } from "../command.ts";
import type { Io } from "../io.ts";
import { unexpectedText } from "./report.ts";
import { reportsOn } from "./results.ts";
import { type CampaignTarget, planIn, targetOf } from "./target.ts";

/** Milliseconds for which a state is current: many pages cost one read. */
const CURRENT_MS = 1_000;

export class CampaignView {
  readonly #queue: JobQueue;
  readonly #args: Args;
  readonly #io: Io;
  readonly #target: CampaignTarget;
  readonly #totals = new Totals();
  readonly #history = new CampaignHistory();
  /** Results that ask for, hold or replay a finding. */
  readonly #telling: JobResult[] = [];
  /** Files that the server may send, by their paths on it. */
  readonly #files = new Map<string, string>();
  #read = Number.NEGATIVE_INFINITY;
  #reading: Promise<CampaignState> | undefined;

  constructor(queue: JobQueue, args: Args, io: Io) {
    this.#queue = queue;
    this.#args = args;
    this.#io = io;
    this.#target = targetOf(args);
  }

  /** Returns the file that stands at a path, if a finding of the last state has it. */
  fileAt(path: string): string | undefined {
    return this.#files.get(path);
  }

  /** @throws UsageError if there is no campaign. */
  state(): Promise<CampaignState> {
    const now = this.#io.now();
    if (this.#reading === undefined || now - this.#read > CURRENT_MS) {
      this.#read = now;
      // One read at a time: both would count the same results.
      this.#reading = (this.#reading ?? Promise.resolve()).then(
        () => this.#newState(),
        () => this.#newState(),
      );
    }
    return this.#reading;
  }

  async #newState(): Promise<CampaignState> {
    const plan = await planIn(this.#queue, this.#args);
    // Before the results: a campaign that counts as finished is shown with all of them.
    const counts = await this.#queue.counts();
    for (const result of await this.#queue.newResults()) this.#add(result, plan);
    const workers = await this.#queue.alive();
    const { jobs: _jobs, work_ms, findings: failures, unexpected, errors, coverage, ...sums } = this.#totals.summary();
    const findings = findingsOf(this.#target.findings);
    const worldsOf = new Map(failures.map(({ signature, worlds }) => [signature, worlds]));
    const { waiting, active, done, lost } = counts;
    const { quorumlab: version, commit } = plan.program;
    return {
      name: this.#target.name,
      version,
      commit: commit ?? null,
      state: stateOf(counts, workers),
      seeds: plan.seeds,
      jobs: { waiting, active, done, lost },
      sums: { ...sums, work_ms },
      workers,
      reached: coverage.size,
      points: COVERAGE_POINT_NAMES.length,
      series: this.#history.series(),
      kinds: this.#history.kinds,
      findings: findings.map((finding) => this.#findingRow(finding, worldsOf.get(finding.key) ?? 0)),
      failures: failures.filter(({ signature }) => !findings.some(({ key }) => key === signature)),
      unexpected: [...unexpected.map(unexpectedText), ...errors.map(({ job, error }) => `${job}: ${error ?? ""}`)],
    };
  }

  #add(result: JobResult, plan: Plan): void {
    const before = this.#totals.reached;
    this.#totals.add(result);
    this.#history.add(result, this.#totals.reached - before);
    const isFinding = result.some(({ type }) => type === "shrunk" || type === "replay");
    const asks = result.some((row) => row.type === "job" && row.follow.length > 0);
    if (isFinding || asks) this.#telling.push(result);
    if (!isFinding) return;
    const { added } = keepFindings(this.#target.findings, this.#telling, plan);
    if (this.#args["reports"] === false || added.length === 0) return;
    reportsOn(added, this.#io).catch((error: unknown) => this.#io.err(`report: ${String(error)}\n`));
  }

  #findingRow(finding: Finding, worlds: number): ShownFinding {
    const { key, state, commit, closed_by: closedBy, steps, report, file } = finding;
    const commits = { commit: commit ?? null, closedBy: closedBy ?? null };
    return { key, state, ...commits, worlds, steps, page: this.#serveFile(report), file: this.#serveFile(file) };
  }

  /** Returns where the server answers with a file, if it exists. */
  #serveFile(file: string): string | null {
    if (!existsSync(file)) return null;
    const path = `/findings/${basename(file)}`;
    this.#files.set(path, file);
    return path;
  }
}

function stateOf({ waiting, active, isStopped }: JobCounts, workers: readonly string[]): CampaignState["state"] {
  if (isStopped) return "stopped";
  if (waiting + active === 0) return "finished";
  return workers.length > 0 ? "running" : "waiting";
}
