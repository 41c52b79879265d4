/** The diagram of more messages than arrows show: bars of events by party and kind, and the marks of rare events. */
import { lowerBound } from "../../report/timeline/model.ts";
import { drawMarksAt, MARK_LIST, type Mark } from "./marks.ts";
import { GUTTER, type Picture, visiblePositions, yOf } from "./picture.ts";

/** Kinds of events, from the bottom of a bar to its top. */
const TONES: readonly Mark["tone"][] = ["final", "commit", "vote", "proposal", "client", "muted"];
/** By number of a mark: place of its tone in `TONES`, -1 for a rare one. */
const PLACES: readonly number[] = MARK_LIST.map(({ tone }) => TONES.indexOf(tone));
/** Pixels of a bar. */
const CELL = 4;
/** Share of a lane's height that the highest bar has. */
const HIGHEST = 0.9;

/** Draws a bar for every few pixels of each lane; its height is the square root of its part of the highest one. */
export function drawDensity(context: CanvasRenderingContext2D, picture: Picture): void {
  const { geometry, theme } = picture;
  const cells = Math.ceil(geometry.width / CELL);
  const { counts, rare } = countsOf(picture, cells);
  const totals = counts.reduce((sums, ofTone) => sums.map((sum, cell) => sum + (ofTone[cell] ?? 0)));
  const most = totals.reduce((one, other) => Math.max(one, other), 1);
  const height = geometry.laneHeight * HIGHEST;
  const bottoms = Float64Array.from(totals, (_, cell) => yOf(geometry, Math.floor(cell / cells)) + height / 2);
  for (const [tone, ofTone] of counts.entries()) {
    context.fillStyle = theme.tone(TONES[tone] ?? "muted");
    context.globalAlpha = TONES[tone] === "muted" ? 0.4 : 1;
    context.beginPath();
    for (const [cell, count] of ofTone.entries()) {
      if (count === 0) continue;
      const part = (height * Math.sqrt((totals[cell] ?? 1) / most) * count) / (totals[cell] ?? 1);
      bottoms[cell] = (bottoms[cell] ?? 0) - part;
      context.rect((cell % cells) * CELL, bottoms[cell] ?? 0, CELL - 1, part);
    }
    context.fill();
  }
  context.globalAlpha = 1;
  for (const [number, points] of rare.entries()) {
    const mark = MARK_LIST[number];
    if (mark !== undefined && points.length > 0) drawMarksAt(context, mark, points, Math.min(6, height / 3), theme);
  }
}

/** Counts the events in sight by tone, lane and cell; of tones without a bar, which are rare, it returns the places. */
function countsOf(picture: Picture, cells: number) {
  const { model, view, marks, geometry, origin, scale } = picture;
  const counts = TONES.map(() => new Uint32Array(cells * model.lanes.length));
  const rare = MARK_LIST.map((): number[] => []);
  const [left, right] = visiblePositions(picture);
  for (let at = lowerBound(view.shown, left); at < view.shown.length; at++) {
    const position = view.shown[at] as number;
    if (position > right) break;
    const lane = model.laneOf[position] ?? -1;
    const x = origin + (view.places[position] ?? 0) * scale;
    if (lane < 0 || x < GUTTER || x > geometry.width) continue;
    const number = marks[position] ?? -1;
    const ofTone = counts[number < 0 ? TONES.length - 1 : (PLACES[number] ?? -1)];
    const cell = lane * cells + Math.floor(x / CELL);
    if (ofTone === undefined) rare[number]?.push(x, yOf(geometry, lane));
    else ofTone[cell] = (ofTone[cell] ?? 0) + 1;
  }
  return { counts, rare };
}
