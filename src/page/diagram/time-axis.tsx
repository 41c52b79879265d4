/** Labels below the lanes: virtual time, or steps, with a time where it is another than before. */
import { scaleLinear } from "d3-scale";
import { lowerBound, type Timeline } from "../../report/timeline/model.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
import type { Axis } from "../view.ts";
import { GUTTER, type Picture } from "./picture.ts";

/** A run with its places on the axis. */
type PlacedRun = Pick<Picture, "model" | "view">;

interface TimeAxisProps extends PlacedRun, Pick<Picture, "origin" | "scale"> {
  /** Names the places after the end of the first run. */
  readonly below: PlacedRun | undefined;
  readonly axis: Axis;
  readonly width: number;
}

export function TimeAxis({ model, view, below, axis, origin, scale, width }: TimeAxisProps) {
  if (width <= GUTTER || model.events.length === 0) return <div class="axis" />;
  const apart = model.data.isTimed === false ? APART / 2 : APART;
  const places = scaleLinear()
    .domain([(GUTTER - origin) / scale, (width - origin) / scale])
    .range([GUTTER, width]);
  const ticks = places
    .ticks(Math.max(2, Math.floor((width - GUTTER) / apart)))
    .filter((place) => place >= 0 && place <= view.width && Number.isInteger(place));
  const every = Math.max(1, Math.ceil(apart / (places(ticks[1] ?? 0) - places(ticks[0] ?? 0) || apart)));
  const shown = ticks.filter((place, at) => at % every === 0 && places(place) <= width - apart / 2);
  const eventAt = (place: number | undefined): RunEvent | undefined => {
    const first = { model, view };
    const { model: run, view: placed } = (place ?? 0) <= (view.places.at(-1) ?? 0) ? first : (below ?? first);
    return place === undefined ? undefined : run.events[lowerBound(placed.places, place)];
  };
  return (
    <div class="axis" aria-hidden="true">
      {shown.map((place, at) => (
        <span key={place} style={{ left: `${places(place)}px` }}>
          {axis === "time" ? `${place} ms` : stepText(model, eventAt(place), eventAt(shown[at - 1]))}
        </span>
      ))}
    </div>
  );
}

/** Pixels between two labels with a time. */
const APART = 150;

function stepText({ data, when }: Timeline, event: RunEvent | undefined, before: RunEvent | undefined): string {
  if (event === undefined) return "";
  const isTimed = data.isTimed !== false && event.at !== before?.at;
  return isTimed ? `step ${event.step}, ${when(event)}` : `step ${event.step}`;
}
