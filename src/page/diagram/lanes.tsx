/** The lanes of one run on a canvas: their picture, and what is under the pointer. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Timeline } from "../../report/timeline/model.ts";
import { useColourScheme } from "../hooks.ts";
import { draw } from "./draw.ts";
import { bandAt, eventNear } from "./hit-test.ts";
import { type Geometry, type Picture, topOf } from "./picture.ts";
import { themeOf } from "./theme.ts";

/** Picture of a run without its pixels. */
type LanesPicture = Omit<Picture, "geometry" | "theme" | "isMoving">;

interface LanesProps extends LanesPicture {
  readonly geometry: Geometry;
  readonly label: string;
  readonly choose: (position: number) => void;
  /** Is told if the last picture has bars in place of messages. */
  readonly setDense?: (isDense: boolean) => void;
}

export function Lanes({ geometry, label, choose, setDense, ...shown }: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const block = useRef<HTMLDivElement>(null);
  const mode = useColourScheme();
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

interface TipProps {
  readonly frame: RefObject<HTMLElement | null>;
  /** Returns the words for a point; empty for none. */
  readonly textAt: (x: number, y: number) => string;
}

/** Pixels between the pointer and the words. */
const AWAY = 14;

/** Words for what is under the pointer. */
function Tip({ frame, textAt }: TipProps) {
  const [{ text, x, y }, setTip] = useState({ text: "", x: 0, y: 0 });
  useEffect(() => {
    const element = frame.current;
    const moved = ({ offsetX, offsetY, buttons, target }: PointerEvent): void => {
      const next = buttons === 0 && target instanceof HTMLCanvasElement ? textAt(offsetX, offsetY) : "";
      setTip((before) => (before.text === next ? before : { text: next, x: offsetX, y: offsetY }));
    };
    const left = (): void => setTip({ text: "", x: 0, y: 0 });
    element?.addEventListener("pointermove", moved);
    element?.addEventListener("pointerleave", left);
    return () => {
      element?.removeEventListener("pointermove", moved);
      element?.removeEventListener("pointerleave", left);
    };
  });
  if (text === "" || frame.current === null) return null;
  const isLeft = x > frame.current.clientWidth / 2;
  const side = isLeft ? { right: `${frame.current.clientWidth - x + AWAY}px` } : { left: `${x + AWAY}px` };
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
