/** The nearest passing run, and the first events in which the two differ. */
import type { RunDifference, Sibling } from "../../report/run-data.ts";
import type { Timeline, TimelineModel } from "../../report/timeline/model.ts";
import { EventLink, Section } from "../parts.tsx";

interface SiblingProps {
  readonly model: TimelineModel;
  readonly sibling: Sibling;
  readonly passing: Timeline;
  readonly isBelow: boolean;
  readonly setBelow: (isBelow: boolean) => void;
  readonly choose: (position: number) => void;
}

export function SiblingRun({ model, sibling, passing, isBelow, setBelow, choose }: SiblingProps) {
  const item = (name: string, difference: RunDifference | undefined) =>
    difference === undefined ? (
      <p>No {name} differs.</p>
    ) : (
      <p>
        <EventLink position={Math.min(difference.here, model.events.length - 1)} choose={choose}>
          The first {name} that differs
        </EventLink>
        : {placeText(model, difference.here)}; in the passing run {placeText(passing, difference.there)}
      </p>
    );
  return (
    <Section class="sibling" label="Nearest passing run">
      <p class="hint">
        {sibling.file}: {sibling.title}
      </p>
      {item("event", sibling.event)}
      {item("statement", sibling.statement)}
      <label class="check">
        <input type="checkbox" checked={isBelow} onChange={() => setBelow(!isBelow)} />
        draw it below this run
      </label>
    </Section>
  );
}

function placeText({ events, text, when }: Timeline, position: number): string {
  const event = events[position];
  return event === undefined ? "the run has ended" : `${when(event)}, ${text(position)}`;
}
