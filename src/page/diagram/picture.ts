/** Content of a picture of the diagram, and the place of each part. */
import type { Cone } from "../../report/timeline/causality.ts";
import { type Band, type LinkMessage, lowerBound, type Timeline } from "../../report/timeline/model.ts";
import type { View } from "../view.ts";
import type { Theme } from "./theme.ts";

/** Pixels left of the lanes, for their names. */
export const GUTTER = 104;

/** Pixels of the picture. `laneHeight`: distance of two lanes. */
export interface Geometry {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly laneHeight: number;
}

/** Everything that a picture shows. */
export interface Picture {
  readonly model: Timeline;
  readonly view: View;
  /** Number of the mark of each event, -1 for none. */
  readonly marks: Int8Array;
  readonly geometry: Geometry;
  readonly theme: Theme;
  /** Horizontal position of a place in pixels: `origin + place * scale`. */
  readonly origin: number;
  readonly scale: number;
  /** Position of the chosen event; `undefined` for none, or for one of another run. */
  readonly chosen?: number | undefined;
  /** Place of the chosen event on the axis. */
  readonly cursor: number | undefined;
  /** Place of the first event that differs from the other run beside this one. */
  readonly differs: number | undefined;
  readonly cone?: Cone | undefined;
  readonly violations?: readonly number[] | undefined;
  /** Two statements that contradict each other; empty for none. */
  readonly pair?: readonly number[] | undefined;
  /** Steps without which the violation does not come: the messages that they deliver are bold. */
  readonly essential?: ReadonlySet<number> | undefined;
}

/** Height of a row above the lanes that names a fault of the network. */
export const FAULT_ROW = 17;
/** Most such rows; faults that find none of them free have no name but under the pointer. */
export const FAULT_ROWS = 5;

/** Height above the lanes. */
export function topOf({ bands }: Timeline): number {
  const rows = bands.reduce((most, { kind, row }) => (kind === "fault" ? Math.max(most, row + 1) : most), 0);
  return Math.min(rows, FAULT_ROWS) * FAULT_ROW + 8;
}

/** Pixels that a message which does not arrive covers at least. */
const SHORTEST = 18;
/** Share of its way after which the arrow of a lost message ends. */
const LOST_AFTER = 0.6;

export function xOf({ origin, scale, view }: Picture, position: number): number {
  return origin + (view.places[position] ?? view.width) * scale;
}

export function yOf({ top, laneHeight }: Geometry, lane: number): number {
  return top + (lane + 0.5) * laneHeight;
}

/** Pixels from the beginning of a band to its end, at least 2. */
export function spanOf(picture: Picture, { from, to }: Band): readonly [from: number, to: number] {
  const { geometry, model } = picture;
  const left = Math.max(GUTTER, xOf(picture, from));
  const end = to >= model.events.length ? geometry.width : xOf(picture, to);
  return [left, Math.min(geometry.width, Math.max(end, left + 2))];
}

export type LineSegment = readonly [x: number, y: number, toX: number, toY: number];

/** Returns the arrow of a message; `undefined` for one out of sight, or to its sender. */
function segmentOf(picture: Picture, { sent, end, from, to, fate }: LinkMessage): LineSegment | undefined {
  const { geometry } = picture;
  const x = xOf(picture, sent);
  // A message in flight points to where it would arrive, as far as is known.
  const known = end === undefined ? geometry.width : xOf(picture, end);
  const toX = fate === "delivered" ? known : Math.max(known, x + SHORTEST);
  if (toX < GUTTER || x > geometry.width || from === to) return undefined;
  const share = fate === "lost" ? LOST_AFTER : 1;
  const y = yOf(geometry, from);
  return [x, y, x + (toX - x) * share, y + (yOf(geometry, to) - y) * share];
}

/** Positions of the events at both edges. */
export function visiblePositions(picture: Picture): readonly [number, number] {
  const { view, origin, scale, geometry } = picture;
  const left = lowerBound(view.places, (GUTTER - origin) / scale);
  const right = lowerBound(view.places, (geometry.width - origin) / scale + 1e-9);
  // Events of one place lie side by side in the list.
  return [Math.max(0, left - 1), Math.min(view.places.length - 1, right + 64)];
}

/** A message in sight, and its arrow. */
export interface Arrow {
  readonly message: LinkMessage;
  readonly segment: LineSegment;
}

/** Most arrows of one picture: of more the density of events is drawn. */
const ARROWS = 2_500;

/** Returns the arrows in sight; `undefined` if there are too many. O(messages), which is far less than to draw them. */
export function arrowsOf(picture: Picture): readonly Arrow[] | undefined {
  const { model, view } = picture;
  const [left, right] = visiblePositions(picture);
  const arrows: Arrow[] = [];
  for (const message of model.messages) {
    const { sent, end = model.events.length } = message;
    if (sent > right) break;
    const segment = end < left || view.isShown[sent] !== 1 ? undefined : segmentOf(picture, message);
    if (segment === undefined) continue;
    if (arrows.length === ARROWS) return undefined;
    arrows.push({ message, segment });
  }
  return arrows;
}

/** The name with its middle left out where it does not fit. */
export function shortenName(context: CanvasRenderingContext2D, name: string, most: number): string {
  if (context.measureText(name).width <= most) return name;
  let length = name.length;
  const cut = (): string =>
    `${name.slice(0, Math.ceil(length / 2))}…${name.slice(name.length - Math.floor(length / 2))}`;
  while (length > 2 && context.measureText(cut()).width > most) length -= 1;
  return cut();
}
