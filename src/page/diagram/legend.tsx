/** Legend of the diagram: what occurs in it, as it is drawn. */
import { useMemo } from "preact/hooks";
import type { Timeline } from "../../report/timeline/model.ts";
import { useColourScheme } from "../hooks.ts";
import type { View } from "../view.ts";
import { drawMarksAt, MARK_LIST, type Mark } from "./marks.ts";
import { contextOf, themeOf } from "./theme.ts";

const SIZE = 18;

interface LegendProps {
  readonly model: Timeline;
  readonly view: View;
  readonly marks: Int8Array;
  /** Class and name of what the diagram marks beside events. */
  readonly extra: Readonly<Record<string, boolean>>;
}

/** Words for the swatches, by their classes. */
const SWATCHES: Readonly<Record<string, string>> = {
  down: "down",
  byzantine: "Byzantine",
  fault: "fault of the network",
  lost: "lost message",
  held: "held message",
  violation: "violation",
  pair: "statements that contradict each other",
  differs: "first event that differs from the passing run",
};

export function Legend({ model, view, marks, extra }: LegendProps) {
  const mode = useColourScheme();
  const names = Object.keys(extra).filter((name) => extra[name] === true);
  // Made once: a picture that moves draws no sample again.
  return useMemo(() => {
    const numbers = new Set(Array.from(view.shown, (position) => marks[position] ?? -1));
    const shown = [...numbers].sort((a, b) => a - b).flatMap((number) => MARK_LIST[number] ?? []);
    const samples = new Map(shown.map((mark) => [mark.label, mark])).values();
    const swatches = new Set<string>([...names, ...model.bands.map(({ kind }) => kind)]);
    for (const { fate, isHeld } of model.messages) swatches.add(fate).add(isHeld ? "held" : "");
    return (
      <ul class="legend" aria-label="Legend">
        {Array.from(samples, (mark) => (
          <li key={mark.label}>
            <canvas ref={(canvas) => drawSample(canvas, mark)} class="sample" />
            {mark.label}
          </li>
        ))}
        {Object.entries(SWATCHES).map(([name, words]) =>
          swatches.has(name) ? (
            <li key={name}>
              <span class={`swatch ${name}`} />
              {words}
            </li>
          ) : null,
        )}
      </ul>
    );
  }, [model, view, marks, mode, names.join()]);
}

function drawSample(canvas: HTMLCanvasElement | null, mark: Mark): void {
  const context = contextOf(canvas, SIZE, SIZE);
  if (context !== undefined) drawMarksAt(context, mark, [SIZE / 2, SIZE / 2], 5, themeOf(context.canvas));
}
