/** The page of a campaign: state, course, findings, jobs and workers. */
import type { CampaignState, ShownFinding } from "../../report/search-data.ts";
import { useServedState } from "../hooks.ts";
import { Head, List, Section, Table } from "../parts.tsx";
import { CoverageOverTime } from "../searches/campaign-app.tsx";
import { whole } from "../searches/texts.ts";

/** Milliseconds between two reads of the state. */
const STATE_MS = 2_000;
const SECONDS_OF_HOUR = 3_600;

export function CampaignApp() {
  const { state, fault } = useServedState<CampaignState>("/page/state.json", STATE_MS);
  if (state === undefined)
    return (
      <main>
        <p role="status">{fault === "" ? "Reading the state of the campaign…" : fault}</p>
      </main>
    );
  return (
    <main>
      <CampaignHeader state={state} fault={fault} />
      <Findings state={state} />
      <CoverageOverTime progress={state.progress} />
      <div class="halves">
        <Jobs state={state} />
        <Workers workers={state.workers} />
      </div>
    </main>
  );
}

const TONES = { running: "pass", finished: "pass", waiting: "stalled", stopped: "stalled" } as const;

function CampaignHeader({ state: shown, fault }: { readonly state: CampaignState; readonly fault: string }) {
  const { profile, bug, first } = shown;
  const { name, version, commit, state, seeds, sums, jobs, workers, reached, points, findings, failures } = shown;
  const open = findings.filter((finding) => finding.state === "open").length;
  const hours = sums.work_ms / 1_000 / SECONDS_OF_HOUR;
  return (
    <Head
      brand={`${version}${commit === null ? "" : `, commit ${commit.slice(0, 12)}`}`}
      title={name === "campaign" ? "Campaign" : `Campaign ${name}`}
      tone={sums.failed + open + failures.length === 0 ? TONES[state] : "violation"}
      outcome={state}
      reason={`${failedText(shown, open)}${saysOf(shown)}`}
      facts={{
        Profile: profile,
        Variant: bug ?? undefined,
        "First seed": first,
        Worlds: `${whole(sums.worlds)} of ${whole(seeds)}`,
        "Time left": timeLeft(shown),
        Failed: whole(sums.failed),
        Findings: `${open} open, ${findings.length - open} closed, ${failures.length} to minimize`,
        "Operations simulated": `${whole(sums.operations)}, ${whole(sums.final)} final`,
        Events: whole(sums.events),
        "Coverage points": `${reached} of ${points}`,
        "Worlds a thread-hour": hours === 0 ? "–" : whole(Math.round(sums.worlds / hours)),
        Jobs: `${jobs.done} done, ${jobs.active} active, ${jobs.waiting} waiting, ${jobs.lost} lost`,
        "Workers alive": workers.length,
      }}
    >
      <progress max={seeds} value={sums.worlds} aria-label="Worlds of the campaign" />
      <p class={fault === "" ? "hidden" : "outcome bad"} aria-live="polite">
        {fault}
      </p>
    </Head>
  );
}

/** Minutes for the worlds that are left, by the mean of those so far; `undefined` where nobody works on them. */
function timeLeft({ state, seeds, sums: { worlds, work_ms }, workers }: CampaignState): string | undefined {
  const threads = workers.reduce((sum, worker) => sum + Number(worker.split(":")[2] ?? 0), 0);
  if (state !== "running" || worlds === 0 || threads === 0) return undefined;
  const minutes = ((seeds - worlds) * (work_ms / worlds)) / threads / 60_000;
  return minutes < 1 ? "less than a minute" : `about ${whole(Math.ceil(minutes))} min`;
}

/** Failures, which stand before the progress of the campaign; empty without any. */
function failedText({ sums, failures }: CampaignState, open: number): string {
  if (sums.failed + open + failures.length === 0) return "";
  const waiting = failures.length === 1 ? "1 failure waits" : `${failures.length} failures wait`;
  return `${whole(sums.failed)} worlds failed, ${open} findings are open, ${waiting} to be minimized; `;
}

function saysOf({ state, workers, jobs }: CampaignState): string {
  if (state === "stopped") return "no worker begins another job; campaign start goes on";
  if (state === "finished") return "every job is done";
  if (state === "waiting") return `${jobs.waiting + jobs.active} jobs are not done, and no worker is alive`;
  return workers.length === 1 ? "a worker is alive" : `${workers.length} workers are alive`;
}

/** Open findings first, with their reports; then failures that wait for a minimization. */
function Findings({ state: { findings, failures, commit } }: { readonly state: CampaignState }) {
  const sorted = [...findings].sort((a, b) =>
    a.state === b.state ? b.worlds - a.worlds : a.state === "open" ? -1 : 1,
  );
  return (
    <Section label="Findings">
      <Table
        head={["State", "Files", "Failure signature", "Worlds", "Steps", "Commit"]}
        numbers={[3, 4]}
        none="None."
        rows={[
          ...sorted.map((finding) => rowOf(finding, commit)),
          ...failures.map(({ signature, worlds, seed }) => [
            <span key="state" class="bad">
              not minimized
            </span>,
            `seed ${seed}`,
            <div key="signature" class="signature">
              {signature}
            </div>,
            worlds,
            "–",
            "–",
          ]),
        ]}
      />
    </Section>
  );
}

/** A row; of open findings those are new that no earlier commit has shown. */
function rowOf({ key, state, commit, closedBy, worlds, steps, page, file }: ShownFinding, own: string | null) {
  const short = (hash: string | null): string => (hash === null ? "unknown" : hash.slice(0, 8));
  return [
    <span key="state" class={state === "open" ? "bad" : "good"}>
      {state === "closed" ? "fixed" : commit === own ? "new" : "known"}
    </span>,
    <>
      {page === null ? null : <a href={page}>report</a>} {file === null ? null : <a href={file}>scenario</a>}
    </>,
    <div key="signature" class="signature">
      {key}
    </div>,
    worlds,
    steps,
    closedBy === null ? short(commit) : `${short(commit)}, closed by ${short(closedBy)}`,
  ];
}

function Jobs({ state: { kinds, unexpected } }: { readonly state: CampaignState }) {
  return (
    <Section label="Jobs">
      <Table
        head={["Kind", "Done", "Seconds of work"]}
        numbers={[1, 2]}
        none="None is done."
        rows={kinds.map(({ kind, jobs, ms }) => [kind, whole(jobs), (ms / 1_000).toFixed(1)])}
      />
      {unexpected.length === 0 ? null : <h3>Unexpected</h3>}
      <List class="bad" items={unexpected} />
    </Section>
  );
}

function Workers({ workers }: { readonly workers: CampaignState["workers"] }) {
  return (
    <Section label="Workers" title="Workers alive">
      <Table
        head={["Machine", "Process", "Threads"]}
        numbers={[1, 2]}
        none="None."
        rows={workers.map((worker) => worker.split(":"))}
      />
    </Section>
  );
}
