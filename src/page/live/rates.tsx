/** Final operations a second, and the time until they were final, since the page was opened. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LiveState } from "../../report/live-state.ts";
import { percentile } from "../../report/timeline/measures.ts";
import { Section } from "../parts.tsx";
import { Plot } from "../plot.tsx";
import type { OperationRow } from "./operation-rows.ts";

/** Moments that are kept: some minutes. */
const MOMENTS = 240;

interface Moment {
  /** Seconds since the page was opened. */
  readonly at: number;
  /** Final operations so far. */
  readonly final: number;
  /** Real milliseconds until the last operations were final; `null` without one. */
  readonly median: number | null;
  readonly high: number | null;
}

export function Rates({ state, rows }: { readonly state: LiveState; readonly rows: readonly OperationRow[] }) {
  const opened = useRef(performance.now());
  const [moments, setMoments] = useState<readonly Moment[]>([]);
  useEffect(() => {
    const ended = rows.flatMap(({ status, ms }) => (status === "final" && ms !== undefined ? [ms] : []));
    const sorted = ended.sort((a, b) => a - b);
    const partOf = (part: number): number | null => (sorted.length === 0 ? null : percentile(sorted, part));
    const at = (performance.now() - opened.current) / 1_000;
    const moment = { at, final: state.final, median: partOf(50), high: partOf(99) };
    setMoments((before) => [...before, moment].slice(-MOMENTS));
  }, [state]);
  const { rates, ends } = useMemo(() => seriesOf(moments), [moments]);
  // Nothing has become final while the page is open: there is no rate to see.
  if (moments.length < 2 || state.final === moments[0]?.final) return null;
  return (
    <Section class="plots" label="Rate and finality">
      <div class="charts">
        <Plot title="Final operations a second" unit="seconds" names={["rate"]} data={rates} top={1} />
        <Plot title="Finality of the operations above, ms" unit="seconds" names={["p50", "p99"]} data={ends} top={1} />
      </div>
    </Section>
  );
}

/** Values of the two plots, over the seconds of all moments but the first. */
function seriesOf(moments: readonly Moment[]) {
  const measured = moments.slice(1);
  const seconds = measured.map(({ at }) => at);
  const rates = measured.map(({ at, final }, place) => {
    const before = moments[place] as Moment;
    return Math.max(0, final - before.final) / (at - before.at);
  });
  return {
    rates: [seconds, rates],
    ends: [seconds, measured.map(({ median }) => median), measured.map(({ high }) => high)],
  };
}
