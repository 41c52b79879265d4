/** The lanes of one run on a canvas: their picture, and what is under the pointer. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Timeline } from "../../report/timeline/model.ts";
import { draw } from "./draw.ts";
import { bandAt, eventNear } from "./hit-test.ts";
import { type Geometry, type Picture, topOf } from "./picture.ts";
import { themeOf } from "./theme.ts";
import { Tip } from "./tip.tsx";

/** Picture of a run without its pixels. */
type LanesPicture = Omit<Picture, "geometry" | "theme" | "isMoving">;

interface LanesProps extends LanesPicture {
  readonly geometry: Geometry;
  /** Changes with the colour scheme. */
  readonly mode: number;
  readonly label: string;
  readonly choose: (position: number) => void;
  /** Is told if the last picture has bars in place of messages. */
  readonly setDense?: (isDense: boolean) => void;
}

export function Lanes({ geometry, mode, label, choose, setDense, ...shown }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const block = useRef<HTMLDivElement>(null);
  const { model, view, origin, scale, chosen, cursor, differs, cone, violations, pair } = shown;
  const picture = (isMoving: boolean): Picture | undefined =>
    canvas.current === null || geometry.width === 0
      ? undefined
      : { ...shown, geometry, theme: themeOf(canvas.current), isMoving };
  const changes = [model, view, geometry.width, origin, scale, chosen, cursor, differs, cone, mode, violations, pair];
  const isDense = usePicture(canvas, geometry, picture, changes);
  useEffect(() => setDense?.(isDense), [isDense]);
  const clicked = (event: MouseEvent): void => {
    const made = picture(false);
    const found = made && eventNear(made, event.offsetX, event.offsetY);
    if (found !== undefined) choose(found);
  };
  const textAt = (x: number, y: number): string => {
    const made = picture(false);
    const found = made && eventNear(made, x, y);
    const event = model.events[found ?? -1];
    if (made === undefined || found === undefined || event === undefined)
      return made === undefined ? "" : bandAt(made, x, y);
    return `${model.text(found)} · ${model.when(event)}`;
  };
  return (
    <div ref={block} class="lanes">
      <canvas ref={canvas} style={{ height: `${geometry.height}px` }} onClick={clicked} role="img" aria-label={label} />
      <Tip frame={block} textAt={textAt} />
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

/** Milliseconds within which two pictures are part of one movement, and after which it is over. */
const MOVEMENT = 120;

/** Draws once in the next frame after changes, and in full when it stands still; returns true if the last picture has no messages. */
function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  { width, height }: Geometry,
  picture: (isMoving: boolean) => Picture | undefined,
  changes: readonly unknown[],
): boolean {
  const [isDense, setDense] = useState(false);
  const drawnAt = useRef(Number.NEGATIVE_INFINITY);
  const frame = useRef<number>(undefined);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const show = useRef((_isMoving: boolean): void => undefined);
  show.current = (isMoving) => {
    const [element, made] = [canvas.current, picture(isMoving)];
    const context = element?.getContext("2d");
    if (element === null || made === undefined || !context) return;
    const ratio = devicePixelRatio;
    const [pixels, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (element.width !== pixels || element.height !== rows) [element.width, element.height] = [pixels, rows];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const hasBars = draw(context, made);
    // Nobody reads the hint while it changes, and its text would be laid out for each picture.
    if (!isMoving) setDense(hasBars);
  };
  // Before the browser paints: an effect after that would draw in each second frame only.
  useLayoutEffect(() => {
    frame.current ??= requestAnimationFrame((now) => {
      frame.current = undefined;
      const isMoving = now - drawnAt.current < MOVEMENT;
      drawnAt.current = now;
      show.current(isMoving);
      clearTimeout(rest.current);
      if (isMoving) rest.current = setTimeout(() => show.current(false), MOVEMENT);
    });
  }, [...changes, height]);
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current ?? 0);
      clearTimeout(rest.current);
    },
    [],
  );
  return isDense;
}
