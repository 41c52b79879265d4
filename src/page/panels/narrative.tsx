/** Narrative of the run in sentences; each leads to its event in the diagram. */
import { useEffect, useRef } from "preact/hooks";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { Section } from "../parts.tsx";

interface NarrativeProps {
  readonly model: TimelineModel;
  readonly step: number | undefined;
  readonly choose: (position: number) => void;
}

/** Most sentences that are shown: the last ones lead to the end or to the violation. */
const MOST = 400;

export function Narrative({ model, step, choose }: NarrativeProps) {
  const list = useRef<HTMLOListElement>(null);
  const { lines } = model.data;
  const shown = lines.slice(Math.max(0, lines.length - MOST));
  const current = step === undefined ? -1 : shown.findLastIndex((line) => line.step <= step);
  useEffect(() => {
    const item = list.current?.children[current];
    // Only the list scrolls, not the page.
    if (item instanceof HTMLElement && list.current !== null) {
      const { offsetTop, offsetHeight } = item;
      const { scrollTop, clientHeight } = list.current;
      if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
        list.current.scrollTop = offsetTop - clientHeight / 2;
    }
  }, [current]);
  return (
    <Section class="narrative" label="Narrative">
      {lines.length > MOST ? <p class="hint">{lines.length - MOST} earlier sentences are not shown.</p> : null}
      {lines.length === 0 ? <p class="hint">Nothing happened.</p> : null}
      <ol ref={list}>
        {shown.map((line, at) => (
          <li key={at} class={`${line.isBreach ? "breach" : ""} ${at === current ? "current" : ""}`}>
            <button type="button" class="entry" onClick={() => choose(model.positionOfStep(line.step))}>
              <span class="time">{shown[at - 1]?.at === line.at ? "" : `${line.at} ms`}</span>
              <span class="words">{line.text}</span>
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}
