/** Overview of the whole run: how many events there are when, and the part that the diagram shows. */
import { useEffect, useRef } from "preact/hooks";
import { useColourScheme } from "../hooks.ts";
import type { View } from "../view.ts";
import { MARK_LIST } from "./marks.ts";
import { contextOf, themeOf } from "./theme.ts";

interface MinimapProps {
  readonly view: View;
  readonly marks: Int8Array;
  /** Part that the diagram shows, in shares of the run. */
  readonly window: readonly [from: number, to: number];
  readonly chosen: number | undefined;
  /** Moves the diagram to a share of the run. */
  readonly move: (share: number) => void;
}

const HEIGHT = 44;

export function Minimap({ view, marks, window: [from, to], chosen, move }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mode = useColourScheme();
  useEffect(() => {
    const width = canvas.current?.clientWidth ?? 0;
    const context = contextOf(canvas.current, width, HEIGHT);
    if (context === undefined) return;
    const { tone } = themeOf(context.canvas);
    const { all, finals, breaks } = densities(view, marks, width);
    const most = Math.max(1, ...all);
    for (let x = 0; x < width; x++) {
      const height = (HEIGHT - 6) * Math.sqrt((all[x] ?? 0) / most);
      context.fillStyle = tone("muted");
      context.fillRect(x, HEIGHT - height, 1, height);
      context.fillStyle = tone("final");
      if ((finals[x] ?? 0) > 0) context.fillRect(x, HEIGHT - 4, 1, 4);
      context.fillStyle = tone("bad");
      if ((breaks[x] ?? 0) > 0) context.fillRect(x, 0, 2, 6);
    }
  }, [view, marks, mode]);
  const moved = (event: PointerEvent): void => {
    const element = canvas.current;
    if (element === null || event.buttons !== 1) return;
    move((event.clientX - element.getBoundingClientRect().left) / element.clientWidth);
  };
  const left = Math.max(0, from) * 100;
  return (
    <div class="minimap" aria-hidden="true">
      <canvas ref={canvas} style={{ height: `${HEIGHT}px` }} onPointerDown={moved} onPointerMove={moved} />
      {chosen === undefined ? null : (
        <span class="chosen" style={{ left: `${((view.places[chosen] ?? 0) / view.width) * 100}%` }} />
      )}
      <span class="window" style={{ left: `${left}%`, width: `${Math.max(0.4, Math.min(1, to) * 100 - left)}%` }} />
    </div>
  );
}

function densities(view: View, marks: Int8Array, width: number) {
  const [all, finals, breaks] = [new Uint32Array(width), new Uint32Array(width), new Uint32Array(width)];
  for (const position of view.shown) {
    const x = Math.min(width - 1, Math.floor(((view.places[position] ?? 0) / view.width) * width));
    all[x] = (all[x] ?? 0) + 1;
    const tone = MARK_LIST[marks[position] ?? -1]?.tone;
    if (tone === "final") finals[x] = (finals[x] ?? 0) + 1;
    if (tone === "bad") breaks[x] = (breaks[x] ?? 0) + 1;
  }
  return { all, finals, breaks };
}
