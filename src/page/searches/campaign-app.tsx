/** The report of a campaign: coverage, failures and rate over its runs, and its slowest seeds. */
import { useMemo, useState } from "preact/hooks";
import type { CampaignData, PointSum, ProgressPoint } from "../../report/search-data.ts";
import { Choice, Head, Section, Table } from "../parts.tsx";
import { Plot } from "../plot.tsx";
import { digits, seconds, whole } from "./texts.ts";

export function CampaignApp({ data }: { readonly data: CampaignData }) {
  const { title, request, runs, failed, events, operations, final } = data;
  const { isWhole, progress, failures, coverage, versions } = data;
  const reached = coverage.filter((point) => point.runs > 0).length;
  const last = progress.at(-1);
  return (
    <main>
      <Head
        brand={versions["quorumlab"]}
        title={title}
        tone={failed === 0 ? "pass" : "violation"}
        outcome={failed === 0 ? "no failure" : `${whole(failed)} failed`}
        facts={{
          ...request,
          Runs: `${whole(runs)}${isWhole ? "" : ", cut off before its end"}`,
          "Failure signatures": String(failures.length),
          "Coverage points": `${reached} of ${coverage.length}`,
          Operations: `${whole(operations)}, ${whole(final)} final`,
          Events: whole(events),
          Time: last === undefined ? undefined : `${seconds(last.ms)} s`,
        }}
      />
      <Failures data={data} />
      <CoverageOverTime progress={progress} />
      <Coverage coverage={coverage} />
      <SlowestSeeds data={data} />
    </main>
  );
}

function Failures({ data: { failures } }: { readonly data: CampaignData }) {
  return (
    <Section class="plots" label="Failures">
      <Table
        caption="Failing runs by signature: invariant, kind of slot, shape of the message"
        head={["Signature", "Runs", "First seed", "Repeat it"]}
        numbers={[1, 2]}
        class="rows"
        none="No run failed."
        rows={failures.map(({ signature, runs, seed, replay }) => [
          signature,
          whole(runs),
          seed,
          <code key="replay">{replay}</code>,
        ])}
      />
    </Section>
  );
}

/** Most rows of the table beside the plots. */
const ROWS = 12;

/** Coverage, failures and rate over the runs so far. */
export function CoverageOverTime({ progress }: { readonly progress: readonly ProgressPoint[] }) {
  const kinds = useMemo(() => Object.keys(progress.at(-1)?.by ?? {}), [progress]);
  const [chosen, setChosen] = useState("");
  const kind = chosen === "" ? (kinds[0] ?? "") : chosen;
  const runs = progress.map((point) => point.runs);
  const marks = useMemo(() => {
    const all = [runs, progress.map(({ points }) => points)];
    return kind === "" ? all : [...all, progress.map(({ by }) => by[kind] ?? 0)];
  }, [progress, kind]);
  const failures = useMemo(
    () => [runs, progress.map(({ failed }) => failed), progress.map(({ distinct }) => distinct)],
    [progress],
  );
  const rates = useMemo(() => ratesOf(progress), [progress]);
  if ((progress.at(-1)?.runs ?? 0) === 0)
    return (
      <Section class="plots" label="Over time">
        <p class="hint">No run has ended.</p>
      </Section>
    );
  const shown = progress.filter((_, at) => at % Math.ceil(progress.length / ROWS) === 0 || at === progress.length - 1);
  return (
    <Section class="plots" label="Over time">
      {kind === "" ? null : (
        <div class="choice">
          <Choice name="Coverage in runs with" value={kind} options={kinds} set={setChosen} />
        </div>
      )}
      <div class="charts">
        <Plot
          title="Coverage points reached"
          unit="runs"
          names={kind === "" ? ["by all runs"] : ["by all runs", `with ${kind}`]}
          data={marks}
          isCount
        />
        <Plot title="Failing runs" unit="runs" names={["all", "signatures"]} data={failures} top={1} isCount />
        <Plot title="Runs a second" unit="seconds" names={["runs a second"]} data={rates} kind="lines" />
      </div>
      <Table
        caption="The same as a table"
        head={[
          "Runs",
          "Seconds",
          "Coverage points",
          kind === "" ? "With faults" : `With ${kind}`,
          "Failed",
          "Signatures",
          "Events",
        ]}
        numbers={[0, 1, 2, 3, 4, 5, 6]}
        class="rows"
        rows={shown.map((point) => [
          whole(point.runs),
          seconds(point.ms),
          point.points,
          point.by[kind] ?? 0,
          point.failed,
          point.distinct,
          whole(point.events),
        ])}
      />
    </Section>
  );
}

/** Stretches over which a rate is a mean: single runs differ a hundredfold. */
const STRETCHES = 16;

/** Runs a second over each stretch, at its end. */
function ratesOf(progress: readonly ProgressPoint[]): readonly (readonly number[])[] {
  const stretch = (progress.at(-1)?.ms ?? 0) / STRETCHES;
  const [ends, rates]: [number[], number[]] = [[], []];
  let from = { runs: 0, ms: 0 };
  for (const { runs, ms } of progress) {
    if (ms <= from.ms || ms - from.ms < stretch) continue;
    ends.push(ms / 1_000);
    rates.push(((runs - from.runs) * 1_000) / (ms - from.ms));
    from = { runs, ms };
  }
  return [ends, rates];
}

function Coverage({ coverage }: { readonly coverage: readonly PointSum[] }) {
  const kinds = [...new Set(coverage.flatMap(({ by }) => Object.keys(by)))];
  const rarest = [...coverage].sort((a, b) => a.runs - b.runs);
  return (
    <Section class="plots" label="Coverage" title="Coverage by kind of fault">
      <Table
        caption="Runs that reached each point, the rarest first: all of them, and those with each kind of fault"
        head={["Coverage point", "Runs", "Hits", ...kinds]}
        numbers={["runs", "hits", ...kinds].map((_, at) => at + 1)}
        class="rows"
        none="The file names no coverage points."
        marked={new Set(rarest.flatMap(({ runs }, at) => (runs === 0 ? [at] : [])))}
        rows={rarest.map(({ name, runs, hits, by }) => [
          name,
          whole(runs),
          whole(hits),
          ...kinds.map((kind) => by[kind] ?? ""),
        ])}
      />
    </Section>
  );
}

function SlowestSeeds({ data: { slowest } }: { readonly data: CampaignData }) {
  return (
    <Section class="plots" label="Slowest seeds">
      <Table
        caption="Runs that took longest"
        head={["Seed", "Seconds", "Events", "Events a second"]}
        numbers={[0, 1, 2, 3]}
        class="rows"
        none="The file does not say how long its runs took."
        rows={slowest.map(({ seed, ms, events }) => [
          seed,
          (ms / 1_000).toFixed(2),
          whole(events),
          ms > 0 ? digits((events * 1_000) / ms) : "",
        ])}
      />
    </Section>
  );
}
