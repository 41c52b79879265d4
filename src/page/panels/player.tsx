/** Time travel: slider and steps over the events that are shown. */
import { useEffect } from "preact/hooks";
import { lowerBound, type Timeline } from "../../report/timeline/model.ts";
import type { View } from "../view.ts";

interface PlayerProps {
  readonly model: Timeline;
  readonly view: View;
  readonly chosen: number | undefined;
  readonly choose: (position: number | undefined) => void;
}

export function Player({ model, view, chosen, choose }: PlayerProps) {
  const { shown } = view;
  const place = chosen === undefined ? -1 : lowerBound(shown, chosen);
  const isShown = chosen !== undefined && shown[place] === chosen;
  const to = (at: number): void => {
    if (shown.length > 0) choose(shown[Math.max(0, Math.min(shown.length - 1, at))]);
  };
  const next = (): void => to(isShown ? place + 1 : Math.max(0, place));
  const previous = (): void => to(place - 1);

  useEffect(() => {
    const moves = new Map([
      ["ArrowRight", next],
      ["ArrowLeft", previous],
      ["Home", () => to(0)],
      ["End", () => to(shown.length - 1)],
    ]);
    const pressed = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const move = moves.get(event.key);
      if (move === undefined) return;
      event.preventDefault();
      move();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });

  const event = chosen === undefined ? undefined : model.events[chosen];
  return (
    <section class="player" aria-label="Time travel">
      <button type="button" onClick={previous} aria-label="Previous event">
        ←
      </button>
      <button type="button" onClick={next} aria-label="Next event">
        →
      </button>
      <input
        type="range"
        min={0}
        max={Math.max(0, shown.length - 1)}
        value={Math.max(0, place)}
        aria-label="Event"
        aria-valuetext={chosen === undefined ? "none chosen" : model.text(chosen)}
        disabled={shown.length === 0}
        onInput={(changed) => to(Number(changed.currentTarget.value))}
      />
      <output>{event === undefined ? "none chosen" : model.when(event)}</output>
    </section>
  );
}
