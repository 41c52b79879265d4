/** Plot of numbers over a number, in steps. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { themeOf } from "./diagram/theme.ts";
import { useColourScheme } from "./hooks.ts";

interface PlotProps {
  readonly title: string;
  /** Name of the horizontal axis, with its unit. */
  readonly unit: string;
  readonly names: readonly string[];
  /** Ascending values of the horizontal axis, then those of each series; null for none. */
  readonly data: readonly (readonly (number | null)[])[];
  /** `steps` holds a value until the next. */
  readonly kind?: "steps" | "lines";
  /** True if the horizontal axis counts things: its labels are whole. */
  readonly isCount?: boolean;
  /** The vertical axis reaches it at least. */
  readonly top?: number;
}

const HEIGHT = 220;
const TONES = ["vote", "final", "round", "proposal", "byzantine"] as const;
/** The colour-blind tell lines apart by their dashes, too. */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3], [4, 4]];
/** Distances of the labels of things that are counted. */
const WHOLE = Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
/** Points closer than that are drawn without marks. */
const MARKED = 40;

export function Plot(props: PlotProps) {
  const { title, names, data } = props;
  const frame = useRef<HTMLDivElement>(null);
  const mode = useColourScheme();
  const plot = useRef<uPlot>(undefined);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const size = () => ({ width: element.clientWidth, height: HEIGHT });
    const made = new uPlot({ ...optionsOf(props, element), ...size() }, data as unknown as uPlot.AlignedData, element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize(size()));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [mode, names.join()]);
  useEffect(() => plot.current?.setData(data as unknown as uPlot.AlignedData), [data]);
  return (
    <figure>
      <figcaption>
        {title}
        {names.length < 2
          ? null
          : names.map((name, at) => (
              <span key={name} class="key" style={{ color: `var(--${toneAt(at)})` }}>
                {name}
              </span>
            ))}
      </figcaption>
      <div ref={frame} role="img" aria-label={title} />
    </figure>
  );
}

function optionsOf(props: PlotProps, element: Element): Omit<uPlot.Options, "width" | "height"> {
  const { unit, names, data, kind = "steps", isCount = false, top = 0 } = props;
  const { tone: colour } = themeOf(element);
  const colourAt = (at: number): string => colour(toneAt(at));
  const paths = kind === "steps" ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.();
  const isMarked = kind === "lines" && (data[0]?.length ?? 0) <= MARKED;
  const grid = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("muted"), grid, ticks: grid };
  const range: uPlot.Range.Function = (_, low, high) =>
    uPlot.rangeNum(Math.min(0, low), Math.max(top, high), 0.1, true);
  return {
    ...{ legend: { show: false }, cursor: { show: false } },
    scales: { x: { time: false }, y: { range } },
    axes: [
      { ...axis, label: unit, labelSize: 18, ...(isCount ? { incrs: WHOLE } : {}) },
      { ...axis, size: widthOf },
    ],
    series: [
      { label: unit },
      ...names.map(
        (label, at): uPlot.Series => ({
          ...{ label, stroke: colourAt(at), width: 2 },
          dash: DASHES[at % DASHES.length] ?? [],
          points: { show: isMarked, size: 6, fill: colourAt(at) },
          ...(paths === undefined ? {} : { paths }),
        }),
      ),
    ],
  };
}

/** Returns the width of the vertical axis in pixels: its labels may be numbers of any size. */
function widthOf(_plot: uPlot, labels: readonly string[] | null): number {
  return 24 + 7 * Math.max(4, ...(labels ?? []).map(({ length }) => length));
}

function toneAt(at: number): string {
  return TONES[at % TONES.length] ?? "text";
}
