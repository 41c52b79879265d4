/** The chosen event in words, with the event that caused it, what it caused, and its data. */
import type { Timeline } from "../../report/timeline/model.ts";
import { EventLink, Section } from "../parts.tsx";

interface EventPanelProps {
  readonly model: Timeline;
  readonly chosen: number | undefined;
  readonly showsCone: boolean;
  readonly setShowsCone: (shows: boolean) => void;
  readonly choose: (position: number) => void;
}

export function EventPanel({ model, chosen, showsCone, setShowsCone, choose }: EventPanelProps) {
  const event = chosen === undefined ? undefined : model.events[chosen];
  if (chosen === undefined || event === undefined)
    return (
      <Section class="event" label="Event">
        <p class="hint">Click an event or a sentence, or press →.</p>
      </Section>
    );
  const message = model.messages[model.messageOf[chosen] ?? -1];
  const isEnd = message !== undefined && chosen !== message.sent;
  const siblings = siblingsOf(model, chosen);
  const link = (label: string, position: number) => {
    const target = model.events[position];
    return (
      <EventLink {...{ position, choose }}>
        {label}: {model.text(position)} at {target === undefined ? "" : model.when(target)}
      </EventLink>
    );
  };
  return (
    <Section class="event" label="Event" title={`Event ${chosen + 1}`}>
      <p class="sentence" aria-live="polite">
        {model.text(chosen)}
      </p>
      <p class="hint">{model.data.isTimed === false ? `step ${event.step}` : `step ${event.step}, ${event.at} ms`}</p>
      {message === undefined ? null : (
        <p>
          {isEnd
            ? link("sent by", message.sent)
            : message.end === undefined
              ? "in flight when the run ended"
              : link(message.fate, message.end)}
        </p>
      )}
      <label class="check">
        <input type="checkbox" checked={showsCone} onChange={() => setShowsCone(!showsCone)} />
        highlight its causes and effects
      </label>
      {siblings.length < 2 ? null : (
        <details>
          <summary>{siblings.length} events in this step</summary>
          <ol class="siblings">
            {siblings.map((position) => (
              <li key={position} class={position === chosen ? "current" : ""}>
                <button type="button" class="entry" onClick={() => choose(position)}>
                  {model.text(position)}
                </button>
              </li>
            ))}
          </ol>
        </details>
      )}
      <details>
        <summary>Data</summary>
        <pre>{JSON.stringify(event, null, 1)}</pre>
      </details>
    </Section>
  );
}

function siblingsOf({ events, positionOfStep }: Timeline, chosen: number): readonly number[] {
  const step = events[chosen]?.step ?? 0;
  const found: number[] = [];
  for (let at = positionOfStep(step); events[at]?.step === step; at++)
    if (events[at]?.kind !== "operation") found.push(at);
  return found;
}
