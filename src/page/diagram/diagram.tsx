/** The space-time diagram: a lane for each party, messages as arrows; it zooms, pans, and chooses events. */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Cone } from "../../report/timeline/causality.ts";
import type { Timeline } from "../../report/timeline/model.ts";
import { useColourScheme } from "../hooks.ts";
import type { Axis, View } from "../view.ts";
import { draw } from "./draw.ts";
import { bandAt, eventNear } from "./find.ts";
import { Legend } from "./legend.tsx";
import { Minimap } from "./minimap.tsx";
import { type Geometry, type Picture, topOf, yOf } from "./picture.ts";
import { PictureIndex } from "./picture-index.ts";
import { themeOf } from "./theme.ts";
import { TimeAxis } from "./time-axis.tsx";
import { Tip } from "./tip.tsx";
import { useZoom, ZOOM_MOST } from "./use-zoom.ts";

interface DiagramProps {
  readonly model: Timeline;
  readonly view: View;
  readonly axis: Axis;
  readonly chosen: number | undefined;
  readonly cone: Cone | undefined;
  readonly violations: readonly number[];
  /** Two statements that contradict each other; empty for none. */
  readonly pair?: readonly number[];
  /** Steps without which the violation does not come. */
  readonly essential?: ReadonlySet<number>;
  readonly choose: (position: number) => void;
  /** True if the last events are to be in sight, of a run that goes on; default: the first ones. */
  readonly followsEnd?: boolean;
  /** Stands beside the buttons. */
  readonly filters?: ComponentChildren;
  /** Controls below the overview. */
  readonly children: ComponentChildren;
}

const NO_PAIR: readonly number[] = [];
const NO_STEPS: ReadonlySet<number> = new Set();
const GUTTER = 104;
/** Pixels at both sides in which a chosen event counts as out of sight. */
const EDGE = 20;

export function Diagram({
  model,
  view,
  axis,
  chosen,
  cone,
  violations,
  pair = NO_PAIR,
  essential = NO_STEPS,
  choose,
  followsEnd = false,
  filters,
  children,
}: DiagramProps) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(frame);
  const mode = useColourScheme();
  const index = useMemo(() => new PictureIndex(model), [model]);
  const geometry = geometryOf(model, width);
  // The chosen event alone, or the contradiction that it is part of.
  const inSight = (chosen === undefined ? [] : pair.includes(chosen) ? pair : [chosen]).map(
    (one) => view.places[one] ?? 0,
  );
  const [least, most] = [Math.min(...inSight), Math.max(...inSight)];
  const zoom = useZoom(canvas, view, axis, { ...geometry, span: Math.max(0, most - least) });
  const { origin, scale } = zoom;

  useEffect(() => {
    const isIn = (place: number): boolean =>
      place * scale + origin >= GUTTER + EDGE && place * scale + origin <= width - EDGE;
    const fits = (most - least) * scale < width - GUTTER - 2 * EDGE;
    if (!inSight.every(isIn)) zoom.center(fits ? (least + most) / 2 : (view.places[chosen ?? 0] ?? 0));
    const lane = chosen === undefined ? -1 : (model.laneOf[chosen] ?? -1);
    if (lane >= 0 && frame.current !== null) scrollTo(frame.current, yOf(geometry, lane));
  }, [chosen, zoom.beginning]);

  useEffect(() => {
    if (followsEnd) zoom.center(view.width);
  }, [followsEnd, zoom.beginning]);

  const picture = (isMoving: boolean): Picture | undefined => {
    if (frame.current === null || width === 0) return undefined;
    const theme = themeOf(frame.current);
    return { model, view, index, geometry, theme, origin, scale, chosen, cone, violations, pair, essential, isMoving };
  };
  const isDense = usePicture(canvas, geometry, picture, [
    model,
    view,
    width,
    origin,
    scale,
    chosen,
    cone,
    mode,
    violations,
    pair,
  ]);
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
    <section class="diagram" aria-label="Space-time diagram">
      <div class="tools">
        <button type="button" onClick={() => zoom.by(1.6)} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => zoom.by(1 / 1.6)} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => zoom.by(1 / ZOOM_MOST)}>
          Whole run
        </button>
        {isDense ? <span class="hint">Bars count the events of each party: zoom in for messages.</span> : null}
        {filters}
      </div>
      <div ref={frame} class="frame">
        <canvas
          ref={canvas}
          style={{ height: `${geometry.height}px` }}
          onClick={clicked}
          role="img"
          aria-label={`${model.lanes.length} parties, ${view.shown.length} events shown; the arrow keys step through them`}
        />
        <TimeAxis {...{ model, view, axis, origin, scale, width }} gutter={GUTTER} />
        <Tip frame={frame} textAt={textAt} />
      </div>
      <Minimap
        {...{ view, index, mode, chosen }}
        window={zoom.window}
        move={(share) => zoom.center(share * view.width)}
      />
      {children}
      <Legend {...{ model, view, index, mode }} extra={{ violation: violations.length > 0, pair: pair.length > 0 }} />
      <p class="hint">Drag to move, Ctrl and the wheel to zoom, click an event, ← → for the next one.</p>
    </section>
  );
}

/** Scrolls a frame with many lanes to the height of one, if it is out of sight. */
function scrollTo(frame: HTMLElement, y: number): void {
  const { scrollTop, clientHeight } = frame;
  if (y < scrollTop + EDGE || y > scrollTop + clientHeight - EDGE) frame.scrollTop = y - clientHeight / 2;
}

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return width;
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

function geometryOf(model: Timeline, width: number): Geometry {
  const lanes = Math.max(1, model.lanes.length);
  const laneHeight = Math.max(9, Math.min(46, Math.floor(320 / lanes)));
  const top = topOf(model);
  return { width, height: top + lanes * laneHeight + 4, gutter: GUTTER, top, laneHeight };
}
