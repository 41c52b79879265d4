/** Legend of the diagram: what occurs in it, as it is drawn. */
import { useEffect, useMemo, useRef } from "preact/hooks";
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
  const { samples, swatches } = useMemo(() => {
    const numbers = new Set(Array.from(view.shown, (position) => marks[position] ?? -1));
    const shown = [...numbers].sort((a, b) => a - b).flatMap((number) => MARK_LIST[number] ?? []);
    const kinds = new Set<string>(model.bands.map(({ kind }) => kind));
    for (const { fate, isHeld } of model.messages) kinds.add(fate).add(isHeld ? "held" : "");
    return { samples: [...new Map(shown.map((mark) => [mark.label, mark])).values()], swatches: kinds };
  }, [model, view, marks]);
  return (
    <ul class="legend" aria-label="Legend">
      {samples.map((mark) => (
        <li key={mark.label}>
          <Sample mark={mark} />
          {mark.label}
        </li>
      ))}
      {Object.entries(SWATCHES).map(([name, words]) =>
        swatches.has(name) || extra[name] === true ? (
          <li key={name}>
            <span class={`swatch ${name}`} />
            {words}
          </li>
        ) : null,
      )}
    </ul>
  );
}

function Sample({ mark }: { readonly mark: Mark }) {
  const mode = useColourScheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element === null ? undefined : contextOf(element, SIZE, SIZE);
    if (element === null || context === undefined) return;
    drawMarksAt(context, mark, [SIZE / 2, SIZE / 2], 5, themeOf(element));
  }, [mark, mode]);
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} class="sample" />
    </span>
  );
}
