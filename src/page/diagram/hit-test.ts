/** Finds what is under the pointer. */
import { lowerBound } from "../../report/timeline/model.ts";
import { FAULT_ROW, type LineSegment, type Picture, segmentOf, spanOf, visiblePositions, xOf, yOf } from "./picture.ts";

/** Pixels within which a click finds an event. */
const REACH = 14;
/** Most arrows that the pointer finds: of more nobody sees which one it points to. */
const ARROWS_FOUND = 2_000;

/** The shown event nearest to a point: a mark on its lane first, then the end of an arrow, then the arrow itself. */
export function eventNear(picture: Picture, x: number, y: number): number | undefined {
  const { model, view, geometry, scale, origin } = picture;
  const first = lowerBound(view.places, (x - REACH - origin) / scale);
  let best: number | undefined;
  let nearest = Math.max(REACH, geometry.laneHeight * 0.75);
  for (let at = lowerBound(view.shown, first); at < view.shown.length; at++) {
    const position = view.shown[at] as number;
    const dx = xOf(picture, position) - x;
    if (dx > REACH) break;
    const lane = model.laneOf[position] ?? -1;
    // Marks lie over the ends of arrows.
    const isMark = model.events[position]?.kind !== "sent" && model.events[position]?.kind !== "delivered";
    const distance = Math.hypot(dx, lane < 0 ? 0 : yOf(geometry, lane) - y) + (isMark ? 0 : 0.5);
    if (distance >= nearest) continue;
    nearest = distance;
    best = position;
  }
  return best ?? arrowNear(picture, x, y);
}

/** The sending whose arrow passes a point within some pixels. */
function arrowNear(picture: Picture, x: number, y: number): number | undefined {
  const [left, right] = visiblePositions(picture);
  let best: number | undefined;
  let nearest = REACH / 2;
  picture.index.some(left, right, ARROWS_FOUND, (message) => {
    const segment = picture.view.isShown[message.sent] === 1 ? segmentOf(picture, message) : undefined;
    const distance = segment === undefined ? REACH : distanceTo(segment, x, y);
    if (distance >= nearest) return;
    nearest = distance;
    best = message.sent;
  });
  return best;
}

function distanceTo([fromX, fromY, toX, toY]: LineSegment, x: number, y: number): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const share = Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(fromX + share * dx - x, fromY + share * dy - y);
}

/** Returns the words of the band at a point; empty for none. */
export function bandAt(picture: Picture, x: number, y: number): string {
  const { model, geometry } = picture;
  const found = model.bands.findLast((band) => {
    const [from, to] = spanOf(picture, band);
    const top = band.lane === undefined ? band.row * FAULT_ROW : yOf(geometry, band.lane) - geometry.laneHeight / 2;
    const bottom = top + (band.lane === undefined ? FAULT_ROW : geometry.laneHeight);
    return x >= from && x <= to && y >= top && y < bottom;
  });
  return found?.text ?? "";
}
