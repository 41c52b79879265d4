/** Horizontal zoom of the diagram: wheel, drag, buttons and the minimap move one transform. */
import { select } from "d3-selection";
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from "d3-zoom";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Axis, View } from "../view.ts";
import { GUTTER } from "./picture.ts";

/** Share of the run that is left free at both ends of the axis of time; on the other axis a column. */
const MARGIN = 0.015;
export const ZOOM_MOST = 1e6;
/** Width of the picture for places that are in sight together, in shares of them. */
const AROUND = 1.25;
/** Pixels of one step when a run is opened. */
const COLUMN = 15;

/** The part in sight, in shares of the run: a window of another size shows the same. */
interface KeptZoom {
  readonly view: View;
  readonly axis: Axis;
  readonly k: number;
  readonly share: number;
}

type Behaviour = ZoomBehavior<HTMLElement, unknown>;

/**
 * Zooms by gestures in `area`, whose pixels begin at those of the pictures. `span`: places that are in sight together when
 * a run is opened; 0 for none.
 */
export function useZoom(area: RefObject<HTMLElement | null>, view: View, axis: Axis, width: number, span: number) {
  const behaviour = useRef<Behaviour>(undefined);
  const kept = useRef<KeptZoom>(undefined);
  const [{ x, k }, setTransform] = useState({ x: 0, k: 1 });
  const [beginning, setBeginning] = useState(0);
  const plain = Math.max(1, width - GUTTER);
  const margin = axis === "order" ? 1 : view.width * MARGIN;
  const places = view.width + 2 * margin;
  useEffect(() => {
    if (area.current === null || width === 0) return;
    const row: [[number, number], [number, number]] = [
      [GUTTER, 0],
      [width, 1],
    ];
    const made = zoom<HTMLElement, unknown>()
      .scaleExtent([1, ZOOM_MOST])
      .extent(row)
      .translateExtent(row)
      .filter(isZoomGesture)
      .on("zoom", ({ transform: { x: left, k: factor } }: D3ZoomEvent<HTMLElement, unknown>) => {
        kept.current = { view, axis, k: factor, share: (GUTTER * (1 - factor) - left) / (factor * plain) };
        setTransform({ x: left, k: factor });
      });
    behaviour.current = made;
    const whole = axis === "order" ? (places * COLUMN) / plain : 1;
    const start = Math.min(ZOOM_MOST, Math.max(1, Math.min(whole, span === 0 ? whole : places / (span * AROUND))));
    const before = kept.current?.view === view && kept.current.axis === axis ? kept.current : undefined;
    const { k: factor, share } = before ?? { k: start, share: 0 };
    const selected = select(area.current).call(made).on("dblclick.zoom", null);
    const left = GUTTER * (1 - factor) - share * factor * plain;
    selected.call(made.transform, zoomIdentity.translate(left, 0).scale(factor));
    if (before === undefined) setBeginning((count) => count + 1);
  }, [width, axis, view]);
  const scale = (plain * k) / places;
  const origin = x + GUTTER * k + margin * scale;
  const act = (call: (behaviour: Behaviour, element: HTMLElement) => void): void => {
    if (area.current !== null && behaviour.current !== undefined) call(behaviour.current, area.current);
  };
  const [left, right] = [(GUTTER - origin) / scale / view.width, (width - origin) / scale / view.width];
  return {
    /** Horizontal position of a place in pixels: `origin + place * scale`. */
    origin,
    scale,
    /** Number of times that the picture began anew, at its first column. */
    beginning,
    /** Part of the run that is in sight, in shares. */
    window: [Math.max(0, left), Math.min(1, right)] as const,
    by: (factor: number) => act((made, element) => select(element).call(made.scaleBy, factor)),
    /** Moves a place to the middle. */
    center: (place: number) => {
      const middle = (GUTTER + width) / 2 - GUTTER * k - (margin + place) * scale;
      // As the zoom itself does for a gesture: nothing beyond the ends of the run.
      const target = Math.max(width * (1 - k), Math.min(GUTTER * (1 - k), middle));
      act((made, element) => select(element).call(made.transform, zoomIdentity.translate(target, 0).scale(k)));
    },
  };
}

/** The wheel alone scrolls the page. */
function isZoomGesture(event: WheelEvent | MouseEvent): boolean {
  return event.type === "wheel" ? event.ctrlKey || event.metaKey || event.altKey : event.button === 0;
}
