/** Plots of a run: latency of finality, operations on their way, and what they cost. */
import { distribution, measuresOf, percentile, progressOf } from "../../report/timeline/measures.ts";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { Section, Table } from "../parts.tsx";
import { Plot } from "../plot.tsx";

export function Plots({ model }: { readonly model: TimelineModel }) {
  const { finals, submissions, messages, signatures, roundChanges } = measuresOf(model);
  if (finals.length === 0)
    return (
      <Section class="plots" label="Measures">
        <p class="hint">No operation of a client became final.</p>
      </Section>
    );
  const open = submissions.length - finals.length;
  // On axes of their own: beside all final operations those on their way would be a line at 0.
  const [times, pending, final] = progressOf(finals, submissions);
  const kinds = [...new Set(finals.map(({ kind }) => kind))].sort();
  const per = (count: number): string => (count / finals.length).toFixed(1);
  return (
    <Section class="plots" label="Measures">
      <Table
        head={["Kind", "Final", "p50", "p90", "p99", "Longest"]}
        numbers={[1, 2, 3, 4, 5]}
        caption="From submission to the first application, in virtual milliseconds"
        rows={[...kinds, "all"].map((kind) => {
          const sorted = finals
            .filter((one) => kind === "all" || one.kind === kind)
            .map(({ ms }) => ms)
            .sort((a, b) => a - b);
          return [kind, sorted.length, ...[50, 90, 99, 100].map((part) => percentile(sorted, part))];
        })}
      />
      <p>
        For each final operation: {per(messages)} messages between validators, {per(signatures)} signatures,{" "}
        {per(roundChanges)} round changes. {open === 0 ? "" : `Submitted and not final: ${open}.`}
      </p>
      <div class="charts">
        <Plot
          title="Final within, % of operations"
          unit="ms after submission"
          names={["share"]}
          data={distribution(finals.map(({ ms }) => ms))}
        />
        <Plot title="Operations on their way" unit="ms" names={["on their way"]} data={[times, pending]} />
        <Plot title="Final operations" unit="ms" names={["final"]} data={[times, final]} />
      </div>
    </Section>
  );
}
