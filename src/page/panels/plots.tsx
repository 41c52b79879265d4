/** Plots of a run: latency of finality, operations on their way, and what they cost. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import { distribution, measuresOf, percentile, progressOf } from "../../report/timeline/measures.ts";
import type { Model } from "../../report/timeline/model.ts";
import { useColourScheme } from "../use-colour-scheme.ts";

export function Plots({ model }: { readonly model: Model }) {
  const { finals, submissions, messages, signatures, roundChanges } = useMemo(() => measuresOf(model), [model]);
  if (finals.length === 0)
    return (
      <section class="plots" aria-label="Measures">
        <h2>Measures</h2>
        <p class="hint">No operation of a client became final.</p>
      </section>
    );
  const open = submissions.length - finals.length;
  const kinds = [...new Set(finals.map(({ kind }) => kind))].sort();
  const per = (count: number): string => (count / finals.length).toFixed(1);
  return (
    <section class="plots" aria-label="Measures">
      <h2>Measures</h2>
      <table>
        <caption>From submission to the first application, in virtual milliseconds</caption>
        <thead>
          <tr>
            <th>Kind</th>
            <th>Final</th>
            <th>p50</th>
            <th>p90</th>
            <th>p99</th>
            <th>Longest</th>
          </tr>
        </thead>
        <tbody>
          {[...kinds, "all"].map((kind) => {
            const sorted = finals
              .filter((one) => kind === "all" || one.kind === kind)
              .map(({ ms }) => ms)
              .sort((a, b) => a - b);
            return (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td>{sorted.length}</td>
                {[0.5, 0.9, 0.99, 1].map((share) => (
                  <td key={share}>{percentile(sorted, share)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p>
        For each final operation: {per(messages)} messages between validators, {per(signatures)} signatures,{" "}
        {per(roundChanges)} round changes. {open === 0 ? "" : `${open} submitted operations are not final.`}
      </p>
      <div class="pair">
        <Plot
          title="Final within, % of operations"
          unit="ms after submission"
          names={["share"]}
          data={distribution(finals.map(({ ms }) => ms))}
        />
        <Plot
          title="Operations over time"
          unit="ms"
          names={["on their way", "final"]}
          data={progressOf(finals, submissions)}
        />
      </div>
    </section>
  );
}

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  readonly names: readonly string[];
  readonly data: readonly (readonly number[])[];
}

const HEIGHT = 220;
const TONES = ["vote", "final"];

function Plot({ title, unit, names, data }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const mode = useColourScheme();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const style = getComputedStyle(element);
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
    const axis = { stroke: colour("muted"), grid: { stroke: colour("line") }, ticks: { stroke: colour("line") } };
    const stepped = uPlot.paths.stepped?.({ align: 1 });
    const plot = new uPlot(
      {
        ...{ width: element.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { show: false } },
        scales: { x: { time: false } },
        axes: [{ ...axis, label: unit, labelSize: 18 }, axis],
        series: [
          { label: unit },
          ...names.map((label, at) => ({
            ...{ label, stroke: colour(TONES[at] ?? "text"), width: 2, points: { show: false } },
            ...(stepped === undefined ? {} : { paths: stepped }),
          })),
        ],
      },
      data as unknown as uPlot.AlignedData,
      element,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, mode]);
  return (
    <figure>
      <figcaption>
        {title}
        {names.length < 2
          ? null
          : names.map((name, at) => (
              <span key={name} class={`key ${TONES[at]}`}>
                {name}
              </span>
            ))}
      </figcaption>
      <div ref={frame} role="img" aria-label={title} />
    </figure>
  );
}
