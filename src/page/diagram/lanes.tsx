/** The lanes of one run on a canvas: their picture, and what is under the pointer. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { lowerBound, type Timeline } from "../../report/timeline/model.ts";
import { useColourScheme } from "../hooks.ts";
import { draw } from "./draw.ts";
import {
  type Arrow,
  FAULT_ROW,
  type Geometry,
  type LineSegment,
  type Picture,
  spanOf,
  topOf,
  xOf,
  yOf,
} from "./picture.ts";
import { contextOf, themeOf } from "./theme.ts";

/** Picture of a run without its pixels. */
type LanesPicture = Omit<Picture, "geometry" | "theme">;

interface LanesProps extends LanesPicture {
  readonly geometry: Geometry;
  readonly label: string;
  readonly choose: (position: number) => void;
  /** Is told if the last picture has bars in place of messages. */
  readonly setDense?: (isDense: boolean) => void;
}

export function Lanes({ geometry, label, choose, setDense, ...shown }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tip, setTip] = useState(NO_TIP);
  const mode = useColourScheme();
  const { model, view, origin, scale, chosen, cursor, differs, cone, violations, pair } = shown;
  const picture = (): Picture | undefined =>
    canvas.current === null || geometry.width === 0
      ? undefined
      : { ...shown, geometry, theme: themeOf(canvas.current) };
  const changes = [model, view, geometry.width, origin, scale, chosen, cursor, differs, cone, mode, violations, pair];
  const drawn = usePicture(canvas, geometry, picture, changes, setDense);
  const clicked = (event: MouseEvent): void => {
    const found = drawn.current && eventNear(drawn.current, event.offsetX, event.offsetY);
    if (found !== undefined) choose(found);
  };
  const textAt = (x: number, y: number): string => {
    if (drawn.current === undefined) return "";
    const found = eventNear(drawn.current, x, y) ?? -1;
    const event = model.events[found];
    return event === undefined ? bandAt(drawn.current.picture, x, y) : `${model.text(found)} · ${model.when(event)}`;
  };
  const moved = ({ offsetX: x, offsetY: y, buttons, target }: PointerEvent): void => {
    const text = buttons === 0 && target instanceof HTMLCanvasElement ? textAt(x, y) : "";
    setTip((before) => (before.text === text ? before : { text, x, y }));
  };
  return (
    <div class="lanes" onPointerMove={moved} onPointerLeave={() => setTip(NO_TIP)}>
      <canvas ref={canvas} style={{ height: `${geometry.height}px` }} onClick={clicked} role="img" aria-label={label} />
      {tip.text === "" ? null : <Tip {...tip} width={geometry.width} />}
    </div>
  );
}

const NO_TIP = { text: "", x: 0, y: 0 };

/** Pixels between the pointer and the words. */
const AWAY = 14;

/** Words for what is under the pointer, on the side that has more room. */
function Tip({ text, x, y, width }: typeof NO_TIP & { readonly width: number }) {
  const side = x > width / 2 ? { right: `${width - x + AWAY}px` } : { left: `${x + AWAY}px` };
  return (
    <div class="tip" style={{ ...side, top: `${y + AWAY}px` }} aria-hidden="true">
      {text}
    </div>
  );
}

/** Pixels of the lanes of the first run, and of one below it: of all lanes together where they are few, and most of one. */
const ALONE = { tall: 320, most: 46 };
const BELOW = { tall: 220, most: 32 };

export function geometryOf(model: Timeline, width: number, isBelow = false): Geometry {
  const { tall, most } = isBelow ? BELOW : ALONE;
  const lanes = Math.max(1, model.lanes.length);
  const laneHeight = Math.max(9, Math.min(most, Math.floor(tall / lanes)));
  const top = topOf(model);
  return { width, height: top + lanes * laneHeight + 4, top, laneHeight };
}

/** The picture on the canvas, and its arrows if it has any: what is under the pointer is found in them. */
interface DrawnPicture {
  readonly picture: Picture;
  readonly arrows: readonly Arrow[] | undefined;
}

/** Draws once in the next frame after changes. Returns what was drawn last. */
function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  { width, height }: Geometry,
  picture: () => Picture | undefined,
  changes: readonly unknown[],
  setDense: LanesProps["setDense"],
): Readonly<RefObject<DrawnPicture | undefined>> {
  const drawn = useRef<DrawnPicture>(undefined);
  const frame = useRef<number>(undefined);
  const show = useRef((): void => undefined);
  show.current = () => {
    const made = picture();
    const context = contextOf(canvas.current, width, height);
    if (context === undefined || made === undefined) return;
    const arrows = draw(context, made);
    drawn.current = { picture: made, arrows };
    setDense?.(arrows === undefined);
  };
  // Before the browser paints: an effect after that would draw in each second frame only.
  useLayoutEffect(() => {
    frame.current ??= requestAnimationFrame(() => {
      frame.current = undefined;
      show.current();
    });
  }, [...changes, height]);
  useEffect(() => () => cancelAnimationFrame(frame.current ?? 0), []);
  return drawn;
}

/** Pixels within which a click finds an event. */
const REACH = 14;

/** The shown event nearest to a point: a mark on its lane first, then the end of an arrow, then the arrow itself. */
function eventNear({ picture, arrows = [] }: DrawnPicture, x: number, y: number): number | undefined {
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
  return best ?? arrowNear(arrows, x, y);
}

/** The sending whose arrow passes a point within some pixels. */
function arrowNear(arrows: readonly Arrow[], x: number, y: number): number | undefined {
  let best: number | undefined;
  let nearest = REACH / 2;
  for (const { message, segment } of arrows) {
    const distance = distanceTo(segment, x, y);
    if (distance >= nearest) continue;
    nearest = distance;
    best = message.sent;
  }
  return best;
}

function distanceTo([fromX, fromY, toX, toY]: LineSegment, x: number, y: number): number {
  const [dx, dy] = [toX - fromX, toY - fromY];
  const share = Math.max(0, Math.min(1, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(fromX + share * dx - x, fromY + share * dy - y);
}

/** Returns the words of the band at a point; empty for none. */
function bandAt(picture: Picture, x: number, y: number): string {
  const { model, geometry } = picture;
  const found = model.bands.findLast((band) => {
    const [from, to] = spanOf(picture, band);
    const top = band.lane === undefined ? band.row * FAULT_ROW : yOf(geometry, band.lane) - geometry.laneHeight / 2;
    const bottom = top + (band.lane === undefined ? FAULT_ROW : geometry.laneHeight);
    return x >= from && x <= to && y >= top && y < bottom;
  });
  return found?.text ?? "";
}
