/** Plot of numbers over a number, in steps. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useColourScheme } from "./hooks.ts";

interface PlotProps {
  readonly title: string;
  /** Name of the horizontal axis, with its unit. */
  readonly unit: string;
  readonly names: readonly string[];
  /** Ascending values of the horizontal axis, then those of each series; null for none. */
  readonly data: readonly (readonly (number | null)[])[];
  /** `steps` holds a value until the next. */
  readonly kind?: "steps" | "lines" | "points";
  /** True if the vertical axis is logarithmic. */
  readonly isLogarithmic?: boolean;
  /** Least values that the vertical axis spans, for values that are all alike. */
  readonly spans?: readonly [low: number, high: number];
}

const HEIGHT = 220;
const TONES = ["vote", "final", "round", "proposal", "byzantine"] as const;
/** The colour-blind tell lines apart by their dashes, too. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]];
/** Distances of the labels of things that are counted. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Points closer than that are drawn without marks. */
const MARKED = 40;

export function Plot(props: PlotProps) {
  const { title, names, data } = props;
  const frame = useRef<HTMLDivElement>(null);
  const mode = useColourScheme();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const size = () => ({ width: element.clientWidth, height: HEIGHT });
    const plot = new uPlot({ ...optionsOf(props, element), ...size() }, data as unknown as uPlot.AlignedData, element);
    const observer = new ResizeObserver(() => plot.setSize(size()));
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
              <span key={name} class={`key ${toneAt(at)}`}>
                {name}
              </span>
            ))}
      </figcaption>
      <div ref={frame} role="img" aria-label={title} />
    </figure>
  );
}

function optionsOf(props: PlotProps, element: Element): Omit<uPlot.Options, "width" | "height"> {
  const { unit, names, data, kind = "steps", isLogarithmic = false, spans } = props;
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const colourAt = (at: number): string => colour(toneAt(at));
  const paths = pathsOf(kind);
  const isMarked = kind === "points" || (kind === "lines" && (data[0]?.length ?? 0) <= MARKED);
  const grid = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("muted"), grid, ticks: grid };
  const range: uPlot.Range.Function = (_, low, high, name) =>
    isLogarithmic
      ? uPlot.rangeLog(Math.min(low, spans?.[0] ?? low), Math.max(high, spans?.[1] ?? high), 10, name === "y")
      : uPlot.rangeNum(Math.min(0, low), Math.max(spans?.[1] ?? high, high), 0.1, true);
  return {
    ...{ legend: { show: false }, cursor: { show: false } },
    scales: {
      x: {
        time: false,
        ...(kind === "points"
          ? { range: (_: uPlot, low: number, high: number) => [low - 0.5, high + 0.5] as const }
          : {}),
      },
      y: { distr: isLogarithmic ? 3 : 1, range },
    },
    axes: [
      {
        ...axis,
        label: unit,
        labelSize: 18,
        ...(kind === "points" ? { incrs: WHOLE } : {}),
      },
      axis,
    ],
    series: [
      { label: unit },
      ...names.map(
        (label, at): uPlot.Series => ({
          ...{ label, stroke: colourAt(at), width: kind === "points" ? 0 : 2 },
          dash: DASHES[at % DASHES.length] ?? [],
          points: { show: isMarked, size: 6, fill: colourAt(at) },
          ...(paths === undefined ? {} : { paths }),
        }),
      ),
    ],
  };
}

function toneAt(at: number): string {
  return TONES[at % TONES.length] ?? "text";
}

function pathsOf(kind: PlotProps["kind"]): uPlot.Series.PathBuilder | undefined {
  if (kind === "steps") return uPlot.paths.stepped?.({ align: 1 });
  return kind === "points" ? uPlot.paths.points?.() : uPlot.paths.linear?.();
}
