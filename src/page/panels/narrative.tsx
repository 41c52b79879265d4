/** Narrative of the run in sentences; each leads to its event in the diagram. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { Section } from "../parts.tsx";

interface NarrativeProps {
  readonly model: TimelineModel;
  readonly chosen: number | undefined;
  readonly choose: (position: number) => void;
}

/** Sentences of a part of the list, which the browser lays out once it is near. */
const PART = 100;

export function Narrative({ model, chosen, choose }: NarrativeProps) {
  const list = useRef<HTMLDivElement>(null);
  const { lines } = model.data;
  const current = chosen === undefined ? -1 : sentenceOf(model, chosen);
  useEffect(() => {
    const item = list.current?.children[Math.floor(current / PART)]?.children[current % PART];
    if (item === undefined || list.current === null) return undefined;
    item.classList.add("current");
    // Only the list scrolls, not the page.
    const [{ top, bottom }, frame] = [item.getBoundingClientRect(), list.current.getBoundingClientRect()];
    if (top < frame.top || bottom > frame.bottom) list.current.scrollTop += top - frame.top - frame.height / 2;
    return () => item.classList.remove("current");
  }, [current, lines]);
  // Made once, however many sentences there are.
  const parts = useMemo(() => {
    const items = lines.map((line, at) => (
      <li key={at} class={line.isBreach ? "breach" : ""}>
        <button type="button" class="entry" onClick={() => choose(model.positionOfStep(line.step))}>
          <span class="time">
            {at > 0 && model.when(lines[at - 1] ?? line) === model.when(line) ? "" : model.when(line)}
          </span>
          <span class="words">{line.text}</span>
        </button>
      </li>
    ));
    return Array.from({ length: Math.ceil(lines.length / PART) }, (_, at) => (
      <ol key={at}>{items.slice(at * PART, (at + 1) * PART)}</ol>
    ));
  }, [model]);
  return (
    <Section class="narrative" label="Narrative">
      {lines.length === 0 ? <p class="hint">Nothing happened.</p> : null}
      <div ref={list} class="sentences">
        {parts}
      </div>
    </Section>
  );
}

/** The sentence of an event, else the last one until its step; -1 for none. */
function sentenceOf({ events, text, data: { lines } }: TimelineModel, chosen: number): number {
  const [step, words] = [events[chosen]?.step ?? 0, text(chosen)];
  const exact = lines.findIndex((line) => line.step === step && line.text === words);
  return exact < 0 ? lines.findLastIndex((line) => line.step <= step) : exact;
}
