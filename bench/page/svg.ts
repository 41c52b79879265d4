/** A small writer of plots as SVG: lines on logarithmic axes, and bars. Plain, legible on light and on dark pages. */
import { digits, type Point } from "./statistics.ts";

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Lines {
  readonly title: string;
  /** With its unit. */
  readonly x: string;
  /** With its unit. */
  readonly y: string;
  readonly series: readonly Series[];
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  /** Ends of the whisker. */
  readonly from?: number;
  readonly to?: number;
  /** Drawn in the second colour. */
  readonly isReference?: boolean;
}

export interface Bars {
  readonly title: string;
  /** With its unit. */
  readonly x: string;
  readonly bars: readonly Bar[];
  /** A vertical line, such as a goal, with its name. */
  readonly mark?: { readonly at: number; readonly name: string };
  /** Logarithmic: for values of many sizes. */
  readonly isLog?: boolean;
}

const WIDTH = 760;
const MARGIN = { left: 76, right: 24, top: 46, bottom: 56 };
const PLOT_HEIGHT = 300;
const BAR_HEIGHT = 26;
const LABEL_WIDTH = 300;
const SPACE_AFTER_BARS = 84;
const COLOURS = 5;

/** Colours of the reader's own scheme, light or dark. */
const STYLE = `<style>
  svg { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; --ink: #1f2328; --faint: #d0d7de; --page: #ffffff;
    --c0: #0969da; --c1: #bc4c00; --c2: #1a7f37; --c3: #8250df; --c4: #6e7781 }
  @media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --faint: #30363d; --page: #0d1117;
    --c0: #58a6ff; --c1: #ffa657; --c2: #56d364; --c3: #d2a8ff; --c4: #8b949e } }
  text { fill: var(--ink) } .title { font-size: 15px; font-weight: 600 } .page { fill: var(--page) }
  .grid { stroke: var(--faint) } .axis { stroke: var(--ink) } .mark { stroke: var(--ink); stroke-dasharray: 5 4 }
  .line { fill: none; stroke-width: 2 } .whisker { stroke: var(--ink); stroke-width: 1.5 }
  ${Array.from({ length: COLOURS }, (_, at) => `.s${at} { stroke: var(--c${at}) } .f${at} { fill: var(--c${at}) }`).join(" ")}
</style>`;

/** Text as XML. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function label(x: number, y: number, text: string, { anchor = "start", name = "" } = {}): string {
  const kind = name === "" ? "" : ` class="${name}"`;
  return `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}"${kind}>${escaped(text)}</text>`;
}

function stroke(name: string, [x1, y1, x2, y2]: readonly [number, number, number, number]): string {
  return `<line class="${name}" x1="${place(x1)}" y1="${place(y1)}" x2="${place(x2)}" y2="${place(y2)}"/>`;
}

function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function drawing(height: number, title: string, parts: readonly string[]): string {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`;
  const page = `<rect class="page" width="${WIDTH}" height="${height}"/>`;
  const name = `<title>${escaped(title)}</title>`;
  return `${[head, name, STYLE, page, label(16, 26, title, { name: "title" }), ...parts, "</svg>"].join("\n")}\n`;
}

/** Powers of ten around some positive values. */
export function decades(values: readonly number[]): readonly number[] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const low = Math.floor(Math.log10(Math.min(...positive)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive)) - 1e-9));
  return Array.from({ length: high - low + 1 }, (_, at) => 10 ** (low + at));
}

/** Lines on two logarithmic axes: a straight one is a power law, and its slope the exponent. */
export function lineChart({ title, x, y, series }: Lines): string {
  const points = series.flatMap(({ points: own }) => own).filter((point) => point.x > 0 && point.y > 0);
  const [ticksX, ticksY] = [decades(points.map((point) => point.x)), decades(points.map((point) => point.y))];
  const [left, right] = [MARGIN.left, WIDTH - MARGIN.right];
  const [top, bottom] = [MARGIN.top + 20 * series.length, MARGIN.top + 20 * series.length + PLOT_HEIGHT];
  const atX = scale(ticksX, left, right);
  const atY = scale(ticksY, bottom, top);
  const parts = [
    ...ticksX.flatMap((tick) => [
      stroke("grid", [atX(tick), top, atX(tick), bottom]),
      label(atX(tick), bottom + 18, tickText(tick), { anchor: "middle" }),
    ]),
    ...ticksY.flatMap((tick) => [
      stroke("grid", [left, atY(tick), right, atY(tick)]),
      label(left - 8, atY(tick) + 4, tickText(tick), { anchor: "end" }),
    ]),
    stroke("axis", [left, bottom, right, bottom]),
    stroke("axis", [left, top, left, bottom]),
    label((left + right) / 2, bottom + 42, x, { anchor: "middle" }),
    `<g transform="translate(18 ${place((top + bottom) / 2)}) rotate(-90)">${label(0, 0, y, { anchor: "middle" })}</g>`,
    ...series.flatMap((one, at) => drawnSeries(one, at, atX, atY)),
  ];
  return drawing(bottom + MARGIN.bottom, title, parts);
}

function drawnSeries(
  { name, points }: Series,
  at: number,
  atX: (value: number) => number,
  atY: (value: number) => number,
): readonly string[] {
  const drawn = points.filter(({ x, y }) => x > 0 && y > 0).map(({ x, y }) => [atX(x), atY(y)] as const);
  const colour = at % COLOURS;
  const legend = MARGIN.top + 20 * at;
  return [
    `<polyline class="line s${colour}" points="${drawn.map(([x, y]) => `${place(x)},${place(y)}`).join(" ")}"/>`,
    ...drawn.map(([x, y]) => `<circle class="f${colour}" cx="${place(x)}" cy="${place(y)}" r="3.5"/>`),
    `<rect class="f${colour}" x="${MARGIN.left}" y="${legend - 9}" width="12" height="12" rx="2"/>`,
    label(MARGIN.left + 20, legend + 2, name),
  ];
}

function scale(ticks: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(ticks[0] as number), Math.log10(ticks.at(-1) as number)];
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}

function tickText(tick: number): string {
  return tick >= 1 ? tick.toLocaleString("en") : String(Number(tick.toPrecision(1)));
}

/** Horizontal bars with their values, and whiskers from the least to the most. */
export function barChart({ title, x, bars, mark, isLog = false }: Bars): string {
  const [left, right] = [LABEL_WIDTH, WIDTH - SPACE_AFTER_BARS];
  const top = MARGIN.top + (mark === undefined ? 0 : 16);
  const bottom = top + BAR_HEIGHT * bars.length + 6;
  const all = [...bars.flatMap(({ value, from = value, to = value }) => [value, from, to]), mark?.at ?? 0];
  const ticks = isLog ? decades(all) : evenTicks(Math.max(...all));
  const at = isLog ? scale(ticks, left, right) : linear(ticks, left, right);
  const parts = [
    ...ticks.flatMap((tick) => [
      stroke("grid", [at(tick), top, at(tick), bottom]),
      label(at(tick), bottom + 18, isLog ? tickText(tick) : digits(tick), { anchor: "middle" }),
    ]),
    ...bars.flatMap((bar, row) => drawnBar(bar, top + BAR_HEIGHT * row + 5, at, left)),
    stroke("axis", [left, top, left, bottom]),
    ...(mark === undefined
      ? []
      : [
          stroke("mark", [at(mark.at), top, at(mark.at), bottom]),
          label(at(mark.at), top - 6, mark.name, { anchor: "middle" }),
        ]),
    label((left + right) / 2, bottom + 42, x, { anchor: "middle" }),
  ];
  return drawing(bottom + MARGIN.bottom, title, parts);
}

function drawnBar(
  { name, value, from = value, to = value, isReference = false }: Bar,
  y: number,
  at: (value: number) => number,
  left: number,
): readonly string[] {
  const middle = y + (BAR_HEIGHT - 8) / 2;
  const width = Math.max(1, at(value) - left);
  return [
    label(left - 10, middle + 4, name, { anchor: "end" }),
    `<rect class="f${isReference ? 4 : 0}" x="${left}" y="${y}" width="${place(width)}" height="${BAR_HEIGHT - 8}" rx="2"/>`,
    ...(from < to ? [stroke("whisker", [at(from), middle, at(to), middle])] : []),
    label(Math.max(at(value), at(to)) + 8, middle + 4, digits(value)),
  ];
}

/** Zero, and even steps of 1, 2 or 5 times a power of ten up to a value. */
export function evenTicks(most: number): readonly number[] {
  if (most <= 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most / 4));
  const step = ([1, 2, 5, 10].find((times) => times * power * 5 >= most) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, at) => at * step);
}

function linear(ticks: readonly number[], from: number, to: number): (value: number) => number {
  return (value) => from + (value / (ticks.at(-1) as number)) * (to - from);
}
