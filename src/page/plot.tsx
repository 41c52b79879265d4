/** Plot of numbers over a number, in steps. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useColourScheme } from "./use-colour-scheme.ts";

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  readonly names: readonly string[];
  readonly data: readonly (readonly number[])[];
}

const HEIGHT = 220;
const TONES = ["vote", "final"];

export function Plot({ title, unit, names, data }: PlotProps) {
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
