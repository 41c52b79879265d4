/** Marks of events on a lane: a shape and a tone each. */
import type { RunEvent } from "../../run/events/run-event.ts";
import type { Theme } from "./theme.ts";

export type MarkShape = "dot" | "ring" | "diamond" | "square" | "triangle" | "bar" | "cross" | "star" | "tick";

export interface Mark {
  readonly shape: MarkShape;
  readonly tone: "vote" | "commit" | "proposal" | "round" | "final" | "bad" | "muted" | "client";
  readonly label: string;
}

const MARKS = {
  vote: { shape: "dot", tone: "vote", label: "vote signed" },
  commit: { shape: "square", tone: "commit", label: "commit signed (lock)" },
  proposal: { shape: "diamond", tone: "proposal", label: "proposal signed" },
  roundChange: { shape: "triangle", tone: "round", label: "round change signed" },
  close: { shape: "triangle", tone: "proposal", label: "close signed" },
  decided: { shape: "star", tone: "final", label: "holds a finality certificate" },
  applied: { shape: "bar", tone: "final", label: "applied" },
  checkpointApplied: { shape: "bar", tone: "commit", label: "checkpoint or closing applied" },
  epochClosed: { shape: "bar", tone: "proposal", label: "epoch closed" },
  stateTransferred: { shape: "bar", tone: "round", label: "state transferred" },
  crashed: { shape: "cross", tone: "bad", label: "crash, halt or report" },
  halted: { shape: "cross", tone: "bad", label: "crash, halt or report" },
  reported: { shape: "cross", tone: "bad", label: "crash, halt or report" },
  started: { shape: "ring", tone: "muted", label: "start, restart" },
  restarted: { shape: "ring", tone: "muted", label: "start, restart" },
  submitted: { shape: "dot", tone: "client", label: "client submits, is answered" },
  responded: { shape: "ring", tone: "client", label: "client submits, is answered" },
  clientTimeout: { shape: "tick", tone: "client", label: "timeout" },
  timerExpired: { shape: "tick", tone: "round", label: "timeout" },
  timerSet: { shape: "tick", tone: "muted", label: "timer, disk" },
  persisted: { shape: "tick", tone: "muted", label: "timer, disk" },
} as const satisfies Record<string, Mark>;

/** Marks by number, fewer than 32. */
export const MARK_LIST: readonly Mark[] = Object.values(MARKS);
const NUMBERS: ReadonlyMap<string, number> = new Map(Object.keys(MARKS).map((name, at) => [name, at]));

/** Returns the number of the mark of each event, -1 for none. O(events). */
export function markNumbers(events: readonly RunEvent[]): Int8Array {
  return Int8Array.from(events, (event) => NUMBERS.get(event.kind === "signed" ? event.statement : event.kind) ?? -1);
}

/** Draws a mark around each of these points: x, y, x, y, and so on. `size`: half of its width. */
export function drawMarksAt(
  context: CanvasRenderingContext2D,
  { shape, tone }: Pick<Mark, "shape" | "tone">,
  points: readonly number[],
  size: number,
  theme: Theme,
): void {
  context.fillStyle = theme.tone(tone);
  context.strokeStyle = theme.tone(tone);
  context.lineWidth = 1.8;
  context.beginPath();
  for (let at = 0; at < points.length; at += 2)
    path(context, shape, points[at] as number, points[at + 1] as number, size);
  if (STROKED.has(shape)) context.stroke();
  else context.fill();
}

const STROKED: ReadonlySet<MarkShape> = new Set<MarkShape>(["ring", "tick", "cross"]);

function path(context: CanvasRenderingContext2D, shape: MarkShape, x: number, y: number, size: number): void {
  switch (shape) {
    case "dot":
    case "ring":
      context.moveTo(x + size * 0.7, y);
      context.arc(x, y, size * 0.7, 0, 2 * Math.PI);
      break;
    case "square":
      context.rect(x - size * 0.65, y - size * 0.65, size * 1.3, size * 1.3);
      break;
    case "bar":
      context.rect(x - 1.5, y - size * 1.3, 3, size * 2.6);
      break;
    case "tick":
      context.moveTo(x, y - size * 0.8);
      context.lineTo(x, y + size * 0.8);
      break;
    case "cross":
      context.moveTo(x - size * 0.8, y - size * 0.8);
      context.lineTo(x + size * 0.8, y + size * 0.8);
      context.moveTo(x + size * 0.8, y - size * 0.8);
      context.lineTo(x - size * 0.8, y + size * 0.8);
      break;
    default:
      polygon(context, shape, x, y, size);
  }
}

/** Corners around the middle, in sizes. */
const CORNERS = {
  diamond: [0, 0.25, 0.5, 0.75].map((turn) => corner(turn, 1)),
  triangle: [0.75, 1 / 12, 5 / 12].map((turn) => corner(turn, 1)),
  star: Array.from({ length: 10 }, (_, at) => corner(at / 10 - 0.25, at % 2 === 0 ? 1.25 : 0.55)),
};

function corner(turn: number, distance: number): readonly [x: number, y: number] {
  const angle = turn * 2 * Math.PI;
  return [Math.cos(angle) * distance, Math.sin(angle) * distance];
}

function polygon(
  context: CanvasRenderingContext2D,
  shape: keyof typeof CORNERS,
  x: number,
  y: number,
  size: number,
): void {
  for (const [at, [dx, dy]] of CORNERS[shape].entries())
    if (at === 0) context.moveTo(x + dx * size, y + dy * size);
    else context.lineTo(x + dx * size, y + dy * size);
  context.closePath();
}
