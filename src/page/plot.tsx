/** Plot of numbers over a number, in steps. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useColourScheme } from "./use-colour-scheme.ts";

interface PlotProps {
  readonly title: string;
  /** Name of the horizontal axis, with its unit. */
  readonly unit: string;
  readonly names: readonly string[];
  /** Colours of the series, where they mean something. */
  readonly tones?: readonly (typeof TONES)[number][];
  /** Ascending values of the horizontal axis, then those of each series; null for none. */
  readonly data: readonly (readonly (number | null)[])[];
  /** `steps` holds a value until the next; `bars` stand on `base`, or hang from it. */
  readonly kind?: "steps" | "lines" | "points" | "bars";
  readonly base?: number;
  /** Logarithmic axes: `y`, or both. */
  readonly logarithmic?: "y" | "xy";
  /** Least values that the vertical axis spans, for values that are all alike. */
  readonly spans?: readonly [low: number, high: number];
}

const HEIGHT = 220;
const TONES = ["vote", "final", "round", "proposal", "byzantine"] as const;
/** The colour-blind tell lines apart by their dashes, too. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]];
/** Distances of the labels of things that are counted. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/** Labels at 1, 2 and 5 times each power of 10. */
const LOGARITHMIC: uPlot.Axis = {
  splits: (_, __, low, high) => {
    const powers = Array.from({ length: Math.ceil(Math.log10(high)) + 1 }, (___, power) => 10 ** power);
    return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter((size) => size >= low && size <= high);
  },
  filter: (_, sizes) => sizes,
};
/** Points closer than that are drawn without marks. */
const MARKED = 40;

export function Plot(props: PlotProps) {
  const { title, names, tones = TONES, data } = props;
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
              <span key={name} class={`key ${toneAt(tones, at)}`}>
                {name}
              </span>
            ))}
      </figcaption>
      <div ref={frame} role="img" aria-label={title} />
    </figure>
  );
}

function optionsOf(props: PlotProps, element: Element): Omit<uPlot.Options, "width" | "height"> {
  const { unit, names, tones = TONES, data, kind = "steps", base, logarithmic, spans } = props;
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const colourAt = (at: number): string => colour(toneAt(tones, at));
  const paths = pathsOf(kind);
  const isMarked = kind === "points" || (kind === "lines" && (data[0]?.length ?? 0) <= MARKED);
  const isCounted = kind === "bars" || kind === "points";
  const grid = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("muted"), grid, ticks: grid };
  const range: uPlot.Range.Function = (_, low, high, name) =>
    logarithmic !== undefined
      ? uPlot.rangeLog(Math.min(low, spans?.[0] ?? low), Math.max(high, spans?.[1] ?? high), 10, name === "y")
      : uPlot.rangeNum(Math.min(0, low), Math.max(spans?.[1] ?? high, high), 0.1, true);
  return {
    ...{ legend: { show: false }, cursor: { show: false } },
    scales: {
      x: {
        ...{ time: false, distr: logarithmic === "xy" ? 3 : 1 },
        ...(isCounted ? { range: (_: uPlot, low: number, high: number) => [low - 0.5, high + 0.5] as const } : {}),
        ...(logarithmic === "xy"
          ? { range: (_: uPlot, low: number, high: number) => [low / 1.1, high * 1.1] as const }
          : {}),
      },
      y: { distr: logarithmic === undefined ? 1 : 3, range },
    },
    axes: [
      {
        ...axis,
        label: unit,
        labelSize: 18,
        ...(isCounted ? { incrs: WHOLE } : {}),
        ...(logarithmic === "xy" ? LOGARITHMIC : {}),
      },
      axis,
    ],
    series: [
      { label: unit },
      ...names.map(
        (label, at): uPlot.Series => ({
          ...{ label, stroke: colourAt(at), width: kind === "points" ? 0 : 2 },
          // Series that were measured at other sizes have gaps at those of this one.
          spanGaps: kind === "lines",
          ...{ dash: kind === "bars" ? [] : (DASHES[at % DASHES.length] ?? []) },
          points: { show: isMarked, size: 6, fill: colourAt(at) },
          ...(kind === "bars" ? { fill: `${colourAt(at)}66` } : {}),
          ...(base === undefined ? {} : { fillTo: base }),
          ...(paths === undefined ? {} : { paths }),
        }),
      ),
    ],
  };
}

function toneAt(tones: readonly string[], at: number): string {
  return tones[at % tones.length] ?? "text";
}

function pathsOf(kind: PlotProps["kind"]): uPlot.Series.PathBuilder | undefined {
  if (kind === "steps") return uPlot.paths.stepped?.({ align: 1 });
  if (kind === "bars") return uPlot.paths.bars?.({ size: [0.6, 40] });
  return kind === "points" ? uPlot.paths.points?.() : uPlot.paths.linear?.();
}
