/** Words beside marks and along arrows, where there is room for them. */
import { isInCone } from "../../report/timeline/causality.ts";
import { slotName, slotOfEvent } from "../../report/timeline/model.ts";
import type { RunEvent, ValueRef } from "../../run/events/run-event.ts";
import { type Arrow, type Picture, visiblePositions, xOf, yOf } from "./picture.ts";

/** Most marks in sight, and most arrows, that have words. */
const LABELLED = 150;
/** Height of words. */
const LINE = 11;
/** Pixels of an arrow at its ends that have no words. */
const ENDS = 30;

export function drawLabels(context: CanvasRenderingContext2D, picture: Picture, arrows: readonly Arrow[]): void {
  context.font = picture.theme.smallFont;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = picture.theme.tone("surface");
  context.fillStyle = picture.theme.tone("text");
  const words = new Words(context);
  labelMarks(words, picture);
  if (arrows.length <= LABELLED) labelArrows(words, picture, arrows);
  context.font = picture.theme.font;
}

interface MarkLabel {
  readonly x: number;
  readonly texts: Set<string>;
}

function labelMarks(words: Words, picture: Picture): void {
  const { model, view, marks, geometry, cone } = picture;
  const [left, right] = visiblePositions(picture);
  const lanes: MarkLabel[][] = model.lanes.map(() => []);
  let count = 0;
  for (let at = left; at <= right && count <= LABELLED; at++) {
    const lane = model.laneOf[at] ?? -1;
    const event = model.events[at];
    if (lane < 0 || event === undefined || view.isShown[at] !== 1 || (marks[at] ?? -1) < 0) continue;
    if (cone !== undefined && !isInCone(model, cone, at)) continue;
    count += 1;
    const [x, ofLane] = [xOf(picture, at), lanes[lane] as MarkLabel[]];
    if (ofLane.at(-1)?.x !== x) ofLane.push({ x, texts: new Set() });
    const text = shortText(event);
    if (text !== "") ofLane.at(-1)?.texts.add(text);
  }
  if (count > LABELLED) return;
  for (const [lane, labels] of lanes.entries())
    for (const [at, { x, texts }] of labels.entries()) {
      const room = (labels[at + 1]?.x ?? geometry.width) - x - 6;
      const [first = "", ...others] = texts;
      const fitting = [[first, ...others].join(", "), first].find((text) => words.widthOf(text) <= room);
      if (fitting !== undefined)
        words.write(fitting, { x: x + 4 + words.widthOf(fitting) / 2, y: yOf(geometry, lane) + 13 });
    }
}

function labelArrows(words: Words, { model, cone }: Picture, arrows: readonly Arrow[]): void {
  for (const { message, segment } of arrows) {
    if (cone !== undefined && !isInCone(model, cone, message.sent)) continue;
    const [x, y, toX, toY] = segment;
    const text = shortText(model.events[message.sent] as RunEvent);
    const [dx, dy] = [toX - x, toY - y];
    const length = Math.hypot(dx, dy);
    if (words.widthOf(text) + 2 * ENDS > length) continue;
    // Above the middle of the arrow.
    const middle = { x: x + dx / 2 + (dy / length) * 7, y: y + dy / 2 - (dx / length) * 7 };
    words.write(text, { ...middle, angle: Math.atan2(dy, dx) });
  }
}

/** Half the width and the height that words cover, around a middle. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** Writes words where no others are. */
class Words {
  readonly #context: CanvasRenderingContext2D;
  readonly #boxes: Box[] = [];

  constructor(context: CanvasRenderingContext2D) {
    context.textAlign = "center";
    this.#context = context;
  }

  widthOf(text: string): number {
    return this.#context.measureText(text).width;
  }

  /** `x`, `y`: middle of the words; `angle`: in radians. */
  write(text: string, { x, y, angle = 0 }: { readonly x: number; readonly y: number; readonly angle?: number }): void {
    const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const width = this.widthOf(text);
    const box = { x, y, halfWidth: (width * cos + LINE * sin) / 2, halfHeight: (width * sin + LINE * cos) / 2 };
    if (text === "" || this.#boxes.some((other) => overlap(box, other))) return;
    this.#boxes.push(box);
    this.#context.save();
    this.#context.translate(x, y);
    this.#context.rotate(angle);
    // A rim in the colour of the page, since arrows cross the words.
    this.#context.strokeText(text, 0, 0);
    this.#context.fillText(text, 0, 0);
    this.#context.restore();
  }
}

function overlap(one: Box, other: Box): boolean {
  return (
    Math.abs(one.x - other.x) < one.halfWidth + other.halfWidth &&
    Math.abs(one.y - other.y) < one.halfHeight + other.halfHeight
  );
}

/** Words of events that are neither statements nor messages. */
const WORDS: Readonly<Partial<Record<RunEvent["kind"], string>>> = {
  decided: "certificate",
  applied: "applied",
  checkpointApplied: "applied",
  epochClosed: "epoch closed",
  stateTransferred: "state transferred",
  crashed: "crash",
  halted: "halt",
  reported: "report",
  restarted: "restart",
  submitted: "submit",
  clientTimeout: "timeout",
  timerExpired: "timeout",
};

/** Returns `vote x`, or `vote alice 3` for an operation without a name; empty for events that need no words. */
export function shortText(event: RunEvent): string {
  const word = wordOf(event);
  if (word === undefined) return "";
  const about = "message" in event ? event.message : event;
  const named = "value" in about ? operationOf(about.value) : "operation" in about ? about.operation : undefined;
  const slot = slotOfEvent(event);
  const subject = named !== undefined && !named.startsWith("0x") ? named : slot === undefined ? "" : slotName(slot);
  return `${word} ${subject}`.trim();
}

function wordOf(event: RunEvent): string | undefined {
  if (event.kind === "signed") return event.statement;
  if (event.kind === "responded") return event.status;
  return "message" in event ? event.message.type : WORDS[event.kind];
}

function operationOf(value: ValueRef | undefined): string | undefined {
  return value !== undefined && "operation" in value ? value.operation : undefined;
}
