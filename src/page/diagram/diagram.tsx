/**
 * The space-time diagram: a lane for each party, messages as arrows; it zooms, pans, and chooses events. A second run may
 * stand below the first, on the same axis.
 */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Timeline } from "../../report/timeline/model.ts";
import type { Axis, View } from "../view.ts";
import { geometryOf, Lanes } from "./lanes.tsx";
import { Legend } from "./legend.tsx";
import { markNumbers } from "./marks.ts";
import { Minimap } from "./minimap.tsx";
import { GUTTER, type Picture, yOf } from "./picture.ts";
import { TimeAxis } from "./time-axis.tsx";
import { useZoom, ZOOM_MOST } from "./use-zoom.ts";

/** Another run on the axis of the first one. */
export interface RunBelow {
  readonly model: Timeline;
  readonly view: View;
  readonly title: string;
  /** Place of the first event that differs. */
  readonly differs: number | undefined;
}

interface DiagramProps
  extends Pick<Picture, "model" | "view" | "chosen" | "cone" | "violations" | "pair" | "essential"> {
  readonly axis: Axis;
  readonly choose: (position: number) => void;
  readonly below?: RunBelow | undefined;
  /** True if the last events are to be in sight, of a run that goes on; default: the first ones. */
  readonly followsEnd?: boolean;
  /** Stands beside the buttons. */
  readonly filters?: ComponentChildren;
  /** Controls below the overview. */
  readonly children: ComponentChildren;
}

/** Pixels at both sides in which a chosen event counts as out of sight. */
const EDGE = 20;

export function Diagram(props: DiagramProps) {
  const { axis, choose, below, followsEnd = false, filters, children, ...shown } = props;
  const { model, view, chosen, violations = [], pair = [] } = shown;
  const frame = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [isDense, setDense] = useState(false);
  const marks = useMemo(() => markNumbers(model.events), [model]);
  const marksBelow = useMemo(() => below && markNumbers(below.model.events), [below?.model]);
  const geometry = geometryOf(model, width);
  // The chosen event alone, or the contradiction that it is part of.
  const inSight = (chosen === undefined ? [] : pair.includes(chosen) ? pair : [chosen]).map(
    (one) => view.places[one] ?? 0,
  );
  const [least, most] = [Math.min(...inSight), Math.max(...inSight)];
  const zoom = useZoom(area, view, axis, width, Math.max(0, most - least));
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

  const cursor = chosen === undefined ? undefined : view.places[chosen];
  const extra = { violation: violations.length > 0, pair: pair.length > 0, differs: below?.differs !== undefined };
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
        <div ref={area}>
          <Lanes
            {...{ ...shown, marks, geometry, origin, scale, cursor, choose, setDense, differs: below?.differs }}
            label={`${model.lanes.length} parties, ${view.shown.length} events shown; the arrow keys step through them`}
          />
          {below === undefined || marksBelow === undefined ? null : (
            <>
              <p class="hint">{below.title}</p>
              <Lanes
                {...{ ...below, origin, scale, cursor }}
                marks={marksBelow}
                geometry={geometryOf(below.model, width, true)}
                // What the first run did until this place.
                choose={(position) => choose(lastBefore(view, below.view.places[position] ?? 0))}
                label={`${below.title}: ${below.model.lanes.length} parties, ${below.view.shown.length} events shown`}
              />
            </>
          )}
        </div>
        <TimeAxis {...{ model, view, below, axis, origin, scale, width }} />
      </div>
      <Minimap {...{ view, marks, chosen }} window={zoom.window} move={(share) => zoom.center(share * view.width)} />
      {children}
      <Legend {...{ model, view, marks }} extra={extra} />
      <p class="hint">Drag to move, Ctrl and the wheel to zoom, click an event, ← → for the next one.</p>
    </section>
  );
}

/** The last shown event at or before a place; the first one, if none is. */
function lastBefore({ shown, places }: View, place: number): number {
  return shown.findLast((position) => (places[position] ?? 0) <= place) ?? shown[0] ?? 0;
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
