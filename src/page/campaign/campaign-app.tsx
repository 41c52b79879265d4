/** The page of a campaign: state, course, findings, jobs and workers. */
import { useCallback, useMemo, useState } from "preact/hooks";
import type { CampaignSeries, CampaignState } from "../../report/campaign-state.ts";
import { Fact } from "../fact.tsx";
import { Plot } from "../plot.tsx";
import { whole } from "../searches/table.tsx";
import { useRepeated } from "../use-repeated.ts";
import { Findings } from "./findings.tsx";

/** Milliseconds between two reads of the state. */
const STATE_MS = 2_000;
const SECONDS_OF_HOUR = 3_600;

export function CampaignApp() {
  const { state, fault } = useCampaign();
  if (state === undefined)
    return (
      <main>
        <p role="status">{fault === "" ? "Reading the state of the campaign…" : fault}</p>
      </main>
    );
  return (
    <main>
      <CampaignHeader state={state} fault={fault} />
      <Course series={state.series} />
      <Findings state={state} />
      <div class="halves">
        <Jobs state={state} />
        <Workers workers={state.workers} />
      </div>
    </main>
  );
}

function useCampaign(): { readonly state: CampaignState | undefined; readonly fault: string } {
  const [state, setState] = useState<CampaignState>();
  const [fault, setFault] = useState("");
  const read = useCallback(async (): Promise<void> => {
    try {
      const response = await fetch("/page/state.json");
      if (!response.ok) throw new Error(await response.text());
      setState((await response.json()) as CampaignState);
      setFault("");
    } catch (error) {
      setFault(`No news since ${new Date().toLocaleTimeString("en-GB")}: ${(error as Error).message}`);
    }
  }, []);
  useRepeated(read, STATE_MS, true);
  return { state, fault };
}

const TONES = { running: "pass", finished: "pass", waiting: "stalled", stopped: "stalled" } as const;

function CampaignHeader({ state: shown, fault }: { readonly state: CampaignState; readonly fault: string }) {
  const { name, version, commit, state, seeds, sums, jobs, workers, reached, points, findings, failures } = shown;
  const open = findings.filter((finding) => finding.state === "open").length;
  const hours = sums.work_ms / 1_000 / SECONDS_OF_HOUR;
  return (
    <header>
      <p class="brand">
        quorumlab {version}
        {commit === null ? "" : `, commit ${commit.slice(0, 12)}`}
      </p>
      <h1>Campaign {name}</h1>
      <p class="verdict">
        <strong class={`badge ${TONES[state]}`}>{state}</strong>
        <span>{saysOf(shown)}</span>
      </p>
      <dl class="facts">
        <Fact name="Worlds" text={`${whole(sums.worlds)} of ${whole(seeds)}`} />
        <Fact name="Failed" text={whole(sums.failed)} />
        <Fact name="Findings" text={`${open} open, ${findings.length - open} closed, ${failures.length} to minimize`} />
        <Fact name="Operations simulated" text={`${whole(sums.operations)}, ${whole(sums.final)} final`} />
        <Fact name="Events" text={whole(sums.events)} />
        <Fact name="Coverage points" text={`${reached} of ${points}`} />
        <Fact name="Worlds a thread-hour" text={hours === 0 ? "–" : whole(Math.round(sums.worlds / hours))} />
        <Fact
          name="Jobs"
          text={`${jobs.done} done, ${jobs.active} active, ${jobs.waiting} waiting, ${jobs.lost} lost`}
        />
        <Fact name="Workers alive" text={String(workers.length)} />
      </dl>
      <p class={fault === "" ? "hidden" : "outcome bad"} aria-live="polite">
        {fault}
      </p>
    </header>
  );
}

function saysOf({ state, workers, jobs }: CampaignState): string {
  if (state === "stopped") return "no worker begins another job; campaign start goes on";
  if (state === "finished") return "every job is done";
  if (state === "waiting") return `${jobs.waiting + jobs.active} jobs are not done, and no worker is alive`;
  return workers.length === 1 ? "a worker is alive" : `${workers.length} workers are alive`;
}

function Jobs({ state: { kinds, unexpected } }: { readonly state: CampaignState }) {
  return (
    <section aria-label="Jobs">
      <h2>Jobs</h2>
      {kinds.length === 0 ? <p class="hint">None is done.</p> : null}
      <div class="scroll" hidden={kinds.length === 0}>
        <table>
          <thead>
            <tr>
              <th>Kind</th>
              <th class="number">Done</th>
              <th class="number">Seconds of work</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, jobs, ms }) => (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td class="number">{whole(jobs)}</td>
                <td class="number">{(ms / 1_000).toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unexpected.length === 0 ? null : <h2 class="second">Unexpected</h2>}
      <ul class="plain">
        {unexpected.map((text) => (
          <li key={text} class="bad">
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Workers({ workers }: { readonly workers: CampaignState["workers"] }) {
  return (
    <section aria-label="Workers">
      <h2>Workers alive</h2>
      {workers.length === 0 ? <p class="hint">None.</p> : null}
      <div class="scroll" hidden={workers.length === 0}>
        <table>
          <thead>
            <tr>
              <th>Machine</th>
              <th class="number">Process</th>
              <th class="number">Threads</th>
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => {
              const [machine, process, threads] = worker.split(":");
              return (
                <tr key={worker}>
                  <th scope="row">{machine}</th>
                  <td class="number">{process}</td>
                  <td class="number">{threads}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Plots of a campaign over time: worlds, rate, coverage. */
function Course({ series }: { readonly series: CampaignSeries }) {
  const { seconds, worlds, rate, reached } = series;
  // The same numbers are not drawn again.
  const key = `${seconds.at(-1)} ${worlds.at(-1)} ${reached.at(-1)}`;
  const plots = useMemo(
    () => [
      { title: "Worlds", data: [seconds, worlds] },
      { title: "Worlds a second", data: [seconds, rate] },
      { title: "Coverage points reached", data: [seconds, reached] },
    ],
    [key],
  );
  return (
    <section class="plots" aria-label="Course">
      <h2>Course</h2>
      {seconds.length === 0 ? (
        <p class="hint">No job has ended.</p>
      ) : (
        <div class="thirds">
          {plots.map(({ title, data }) => (
            <Plot key={title} title={title} unit="seconds since the first job" names={["value"]} data={data} />
          ))}
        </div>
      )}
    </section>
  );
}
