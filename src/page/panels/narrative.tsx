/** Narrative of the run in sentences; each leads to its event in the diagram. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { Section } from "../parts.tsx";

interface NarrativeProps {
  readonly model: TimelineModel;
  readonly step: number | undefined;
  readonly choose: (position: number) => void;
}

export function Narrative({ model, step, choose }: NarrativeProps) {
  const list = useRef<HTMLOListElement>(null);
  const { lines } = model.data;
  const current = step === undefined ? -1 : lines.findLastIndex((line) => line.step <= step);
  useEffect(() => {
    const item = list.current?.children[current];
    if (!(item instanceof HTMLElement) || list.current === null) return undefined;
    item.classList.add("current");
    // Only the list scrolls, not the page.
    const { offsetTop, offsetHeight } = item;
    const { scrollTop, clientHeight } = list.current;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop - clientHeight / 2;
    return () => item.classList.remove("current");
  }, [current, lines]);
  // Made once, however many sentences there are: the style sheet spares the browser those out of sight.
  const items = useMemo(
    () =>
      lines.map((line, at) => (
        <li key={at} class={line.isBreach ? "breach" : ""}>
          <button type="button" class="entry" onClick={() => choose(model.positionOfStep(line.step))}>
            <span class="time">{lines[at - 1]?.at === line.at ? "" : `${line.at} ms`}</span>
            <span class="words">{line.text}</span>
          </button>
        </li>
      )),
    [model],
  );
  return (
    <Section class="narrative" label="Narrative">
      {lines.length === 0 ? <p class="hint">Nothing happened.</p> : null}
      <ol ref={list}>{items}</ol>
    </Section>
  );
}
