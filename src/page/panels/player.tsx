/** Time travel: slider, steps and playback over the events that are shown. */
import { useEffect, useState } from "preact/hooks";
import { lowerBound, type Timeline } from "../../report/timeline/model.ts";
import type { View } from "../view.ts";

interface PlayerProps {
  readonly model: Timeline;
  readonly view: View;
  readonly chosen: number | undefined;
  readonly choose: (position: number | undefined) => void;
}

/** Milliseconds between two events of a playback. */
const BEAT = 120;

export function Player({ model, view, chosen, choose }: PlayerProps) {
  const [isPlaying, setPlaying] = useState(false);
  const { shown } = view;
  const place = chosen === undefined ? -1 : lowerBound(shown, chosen);
  const isShown = chosen !== undefined && shown[place] === chosen;
  const to = (at: number): void => {
    if (shown.length > 0) choose(shown[Math.max(0, Math.min(shown.length - 1, at))]);
  };
  const next = (): void => to(isShown ? place + 1 : Math.max(0, place));
  const previous = (): void => to(place - 1);

  useEffect(() => {
    if (!isPlaying) return undefined;
    if (isShown && place >= shown.length - 1) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(next, BEAT);
    return () => clearTimeout(timer);
  }, [isPlaying, chosen, view]);

  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const action = actionOf(event.key, {
        next,
        previous,
        to,
        last: shown.length - 1,
        toggle: () => setPlaying(!isPlaying),
      });
      if (action === undefined) return;
      // The space bar presses the button that has the focus.
      if (event.key === " " && event.target instanceof HTMLButtonElement) return;
      event.preventDefault();
      action();
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
      <button type="button" class="wide" onClick={() => setPlaying(!isPlaying)}>
        {isPlaying ? "Pause" : "Play"}
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

interface Moves {
  readonly next: () => void;
  readonly previous: () => void;
  readonly to: (at: number) => void;
  readonly last: number;
  readonly toggle: () => void;
}

function actionOf(key: string, { next, previous, to, last, toggle }: Moves): (() => void) | undefined {
  switch (key) {
    case "ArrowRight":
      return next;
    case "ArrowLeft":
      return previous;
    case "Home":
      return () => to(0);
    case "End":
      return () => to(last);
    case " ":
      return toggle;
    default:
      return undefined;
  }
}
