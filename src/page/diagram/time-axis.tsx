/** Labels below the lanes: virtual time, or the steps with their times. */
import { scaleLinear } from "d3-scale";
import { lowerBound, type Timeline } from "../../report/timeline/model.ts";
import type { Axis, View } from "../view.ts";

interface TimeAxisProps {
  readonly model: Timeline;
  readonly view: View;
  readonly axis: Axis;
  readonly origin: number;
  readonly scale: number;
  readonly width: number;
  readonly gutter: number;
}

export function TimeAxis({ model, view, axis, origin, scale, width, gutter }: TimeAxisProps) {
  if (width <= gutter || model.events.length === 0) return <div class="axis" />;
  const places = scaleLinear()
    .domain([(gutter - origin) / scale, (width - origin) / scale])
    .range([gutter, width]);
  const ticks = places.ticks(Math.max(2, Math.floor((width - gutter) / 110)));
  const shown = ticks.filter(
    (place) => place >= 0 && place <= view.width && (axis === "time" || Number.isInteger(place)),
  );
  return (
    <div class="axis" aria-hidden="true">
      {shown.map((place) => (
        <span key={place} style={{ left: `${places(place)}px` }}>
          {axis === "time" ? `${round(place)} ms` : `${timeAt(model, view, place)} ms`}
        </span>
      ))}
    </div>
  );
}

/** Steps have whole milliseconds; a closer look has fractions of none. */
function round(ms: number): string {
  return Number.isInteger(ms) ? String(ms) : ms.toFixed(1);
}

function timeAt({ events }: Timeline, { places }: View, place: number): number {
  return events[Math.min(events.length - 1, lowerBound(places, place))]?.at ?? 0;
}
