/** Drawing of the space-time diagram on a canvas. Its cost depends on what is in view, and not on the length of the run. */
import { type Cone, isInCone } from "../../report/timeline/causality.ts";
import { type Band, type LinkMessage, lowerBound, type Timeline } from "../../report/timeline/model.ts";
import { drawDensity } from "./density.ts";
import { drawLabels } from "./labels.ts";
import { drawMarksAt, MARK_LIST } from "./marks.ts";
import {
  type Arrow,
  arrowsOf,
  FAULT_ROW,
  FAULT_ROWS,
  GUTTER,
  type LineSegment,
  type Picture,
  shortenName,
  spanOf,
  visiblePositions,
  xOf,
  yOf,
} from "./picture.ts";

const DIM = 0.13;
/** Radius of a ring around a mark. */
const RING = 10;

/** Draws a picture. Returns its arrows; `undefined` if it has bars in their place, as they are too many. */
export function draw(context: CanvasRenderingContext2D, picture: Picture): readonly Arrow[] | undefined {
  const { geometry, theme } = picture;
  const arrows = arrowsOf(picture);
  context.font = theme.font;
  context.textBaseline = "middle";
  context.save();
  context.beginPath();
  context.rect(GUTTER, 0, geometry.width - GUTTER, geometry.height);
  context.clip();
  drawBands(context, picture);
  if (arrows === undefined) drawDensity(context, picture);
  else {
    drawLanes(context, picture);
    drawMessages(context, picture, arrows);
    drawMarks(context, picture);
    drawLabels(context, picture, arrows);
  }
  drawPair(context, picture);
  drawCursor(context, picture);
  context.restore();
  drawNames(context, picture);
  return arrows;
}

function drawBands(context: CanvasRenderingContext2D, picture: Picture): void {
  const { model, geometry, theme } = picture;
  for (const band of model.bands) {
    const [from, to] = spanOf(picture, band);
    if (to < GUTTER || from > geometry.width) continue;
    if (band.lane === undefined) drawFault(context, picture, band, from, to);
    else {
      const y = yOf(geometry, band.lane) - geometry.laneHeight / 2;
      context.globalAlpha = band.kind === "down" ? 0.28 : 0.13;
      context.fillStyle = theme.tone(band.kind === "down" ? "muted" : "byzantine");
      context.fillRect(from, y + 1, to - from, geometry.laneHeight - 2);
    }
    context.globalAlpha = 1;
  }
}

/** A fault of the network tints all lanes; a row above them names it where there is room. */
function drawFault(
  context: CanvasRenderingContext2D,
  { geometry: { top, height }, theme }: Picture,
  { row, text }: Band,
  from: number,
  to: number,
): void {
  context.fillStyle = theme.tone("fault");
  context.globalAlpha = 0.05;
  context.fillRect(from, top, to - from, height - top);
  if (row >= FAULT_ROWS) return;
  context.globalAlpha = 0.18;
  context.fillRect(from, row * FAULT_ROW, to - from, FAULT_ROW - 2);
  context.globalAlpha = 1;
  context.fillRect(from, row * FAULT_ROW, 2, FAULT_ROW - 2);
  if (to - from <= 40) return;
  context.fillStyle = theme.tone("text");
  context.textAlign = "left";
  context.fillText(shortenName(context, text, to - from - 12), from + 6, row * FAULT_ROW + FAULT_ROW / 2);
}

function drawLanes(context: CanvasRenderingContext2D, { model, geometry, theme }: Picture): void {
  context.strokeStyle = theme.tone("line");
  context.lineWidth = 1;
  context.beginPath();
  for (let lane = 0; lane < model.lanes.length; lane++) {
    const y = Math.round(yOf(geometry, lane)) + 0.5;
    context.moveTo(GUTTER, y);
    context.lineTo(geometry.width, y);
  }
  context.stroke();
}

/** Arrows that look alike. */
interface LineStyle {
  /** One of them. */
  readonly message: LinkMessage;
  readonly isDim: boolean;
  readonly isBold: boolean;
  readonly lines: LineSegment[];
}

function drawMessages(context: CanvasRenderingContext2D, picture: Picture, arrows: readonly Arrow[]): void {
  const { model, essential } = picture;
  const styles = new Map<string, LineStyle>();
  for (const { message, segment } of arrows) {
    const isDim = picture.cone !== undefined && !isMessageInCone(model, picture.cone, message);
    const isBold = essential?.has(model.events[message.end ?? -1]?.step ?? -1) === true;
    const style = `${isDim} ${isBold} ${message.fate} ${message.isHeld} ${message.message.type}`;
    const group = styles.get(style) ?? { message, isDim, isBold, lines: [] };
    group.lines.push(segment);
    styles.set(style, group);
  }
  for (const style of styles.values()) strokeLines(context, picture, style, arrows.length);
  context.globalAlpha = 1;
  context.setLineDash([]);
}

function isMessageInCone(model: Timeline, cone: Cone, { sent, end }: LinkMessage): boolean {
  return isInCone(model, cone, sent) && end !== undefined && isInCone(model, cone, end);
}

function strokeLines(
  context: CanvasRenderingContext2D,
  { theme }: Picture,
  { message: { fate, isHeld, message }, isDim, isBold, lines }: LineStyle,
  count: number,
): void {
  const base = count > 2_000 ? 0.35 : count > 400 ? 0.55 : 0.85;
  context.globalAlpha = isDim ? DIM : isBold ? 1 : base;
  context.strokeStyle = fate === "lost" ? theme.tone("bad") : theme.message(message.type);
  context.lineWidth = isBold ? 3.5 : 1.2;
  context.setLineDash(fate === "lost" ? [5, 3] : isHeld ? [2, 3] : []);
  context.beginPath();
  for (const [x, y, toX, toY] of lines) {
    context.moveTo(x, y);
    context.lineTo(toX, toY);
  }
  context.stroke();
  if (count > 1_500 || isDim) return;
  context.setLineDash([]);
  if (fate === "lost") {
    const ends = lines.flatMap(([, , toX, toY]) => [toX, toY]);
    drawMarksAt(context, LOST, ends, 5, theme);
  } else if (fate === "delivered") {
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    for (const line of lines) head(context, line);
    context.fill();
  }
}

/** Mark at the end of a lost message. */
const LOST = { shape: "cross", tone: "bad" } as const;

/** The head of an arrow, a little before the middle of the mark at its end. */
function head(context: CanvasRenderingContext2D, [x, y, toX, toY]: LineSegment): void {
  const [dx, dy] = [toX - x, toY - y];
  const length = Math.hypot(dx, dy);
  if (length < 14) return;
  const [ux, uy] = [dx / length, dy / length];
  const [tipX, tipY] = [toX - ux * 4, toY - uy * 4];
  context.moveTo(tipX, tipY);
  context.lineTo(tipX - ux * 7 - uy * 3, tipY - uy * 7 + ux * 3);
  context.lineTo(tipX - ux * 7 + uy * 3, tipY - uy * 7 - ux * 3);
  context.closePath();
}

/** Places of the marks of one kind: x, y, x, y, and so on. */
interface Places {
  readonly bright: number[];
  /** Outside the cone. */
  readonly dim: number[];
}

function drawMarks(context: CanvasRenderingContext2D, picture: Picture): void {
  const { geometry, theme } = picture;
  const size = Math.min(6, geometry.laneHeight / 3.2);
  for (const [number, { bright, dim }] of placesOfMarks(picture).entries()) {
    const mark = MARK_LIST[number];
    if (mark === undefined) continue;
    for (const [alpha, points] of [
      [DIM + 0.1, dim],
      [1, bright],
    ] as const) {
      if (points.length === 0) continue;
      context.globalAlpha = alpha;
      drawMarksAt(context, mark, points, size, theme);
    }
  }
  context.globalAlpha = 1;
}

/** Returns the places of the marks in sight, by their numbers: of those that would cover each other, one. */
function placesOfMarks(picture: Picture): readonly Places[] {
  const { model, view, marks, geometry, cone, origin, scale } = picture;
  const [left, right] = visiblePositions(picture);
  const places = Array.from({ length: 32 }, (): Places => ({ bright: [], dim: [] }));
  // A bit for each mark that a pixel of a lane has.
  const cells = Math.ceil(geometry.width) + 1;
  const seen = new Uint32Array(cells * model.lanes.length);
  for (let at = lowerBound(view.shown, left); at < view.shown.length; at++) {
    const position = view.shown[at] as number;
    if (position > right) break;
    const number = marks[position] ?? -1;
    const lane = model.laneOf[position] ?? -1;
    const x = origin + (view.places[position] ?? view.width) * scale;
    if (number < 0 || lane < 0 || x < 0 || x > geometry.width) continue;
    const place = lane * cells + Math.floor(x);
    if ((((seen[place] ?? 0) >>> number) & 1) === 1) continue;
    seen[place] = (seen[place] ?? 0) | (1 << number);
    const isDim = cone !== undefined && !isInCone(model, cone, position);
    const { bright, dim } = places[number] as Places;
    (isDim ? dim : bright).push(x, yOf(geometry, lane));
  }
  return places;
}

/** Rings around two statements that contradict each other, and an arc between them. */
function drawPair(context: CanvasRenderingContext2D, picture: Picture): void {
  const { geometry, theme, model, pair = [] } = picture;
  const [one, other] = pair.map(
    (position) => [xOf(picture, position), yOf(geometry, model.laneOf[position] ?? 0)] as const,
  );
  if (one === undefined || other === undefined) return;
  context.strokeStyle = theme.tone("bad");
  context.lineWidth = 2.5;
  for (const [x, y] of [one, other]) drawRing(context, x, y);
  const [left, right] = one[0] < other[0] ? [one, other] : [other, one];
  const top = Math.min(left[1], right[1]) - geometry.laneHeight * 0.7;
  context.lineWidth = 1.5;
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(left[0] + RING * 0.7, left[1] - RING * 0.7);
  context.quadraticCurveTo((left[0] + right[0]) / 2, top, right[0] - RING * 0.7, right[1] - RING * 0.7);
  context.stroke();
  context.setLineDash([]);
}

function drawCursor(context: CanvasRenderingContext2D, picture: Picture): void {
  const { geometry, theme, chosen, cursor, differs, model, violations = [], origin, scale } = picture;
  context.lineWidth = 2;
  context.strokeStyle = theme.tone("bad");
  for (const position of violations) verticalLine(context, picture, xOf(picture, position), [6, 4]);
  context.strokeStyle = theme.tone("text");
  if (differs !== undefined) verticalLine(context, picture, origin + differs * scale, [2, 3]);
  if (cursor === undefined) return;
  context.strokeStyle = theme.tone("accent");
  context.lineWidth = 1;
  verticalLine(context, picture, origin + cursor * scale, []);
  const lane = chosen === undefined ? -1 : (model.laneOf[chosen] ?? -1);
  if (chosen === undefined || lane < 0) return;
  context.lineWidth = 2.5;
  drawRing(context, xOf(picture, chosen), yOf(geometry, lane));
}

function drawRing(context: CanvasRenderingContext2D, x: number, y: number): void {
  context.beginPath();
  context.arc(x, y, RING, 0, 2 * Math.PI);
  context.stroke();
}

function verticalLine(context: CanvasRenderingContext2D, { geometry }: Picture, at: number, dashes: number[]): void {
  const x = Math.round(at) + 0.5;
  context.setLineDash(dashes);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, geometry.height);
  context.stroke();
  context.setLineDash([]);
}

function drawNames(context: CanvasRenderingContext2D, { model, geometry, theme }: Picture): void {
  context.fillStyle = theme.tone("surface");
  context.fillRect(0, 0, GUTTER, geometry.height);
  context.textAlign = "right";
  const [byzantine, validators] = [new Set(model.data.byzantine), new Set(model.data.validators)];
  const isSmall = geometry.laneHeight < 12;
  for (const [lane, name] of model.lanes.entries()) {
    if (isSmall && lane % 4 !== 0) continue;
    context.fillStyle = theme.tone(byzantine.has(name) ? "byzantine" : validators.has(name) ? "text" : "muted");
    context.fillText(shortenName(context, name, GUTTER - 14), GUTTER - 8, yOf(geometry, lane));
  }
}
