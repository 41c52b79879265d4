/** The nearest passing run below the failing one, and the first events in which they differ. */
import { useMemo, useState } from "preact/hooks";
import type { RunDifference, Sibling } from "../../report/run-data.ts";
import { modelOf, type Timeline, type TimelineModel } from "../../report/timeline/model.ts";
import { Diagram } from "../diagram/diagram.tsx";
import { Section } from "../parts.tsx";
import { type Filter, viewOf } from "../view.ts";

interface SiblingProps {
  readonly model: TimelineModel;
  readonly sibling: Sibling;
  readonly filter: Filter;
  readonly choose: (position: number) => void;
}

const NONE: readonly number[] = [];

export function SiblingRun({ model, sibling, filter, choose }: SiblingProps) {
  const passing: Timeline = useMemo(() => modelOf(sibling), [sibling]);
  const view = useMemo(() => viewOf(passing, filter, "order"), [passing, filter]);
  const [chosen, setChosen] = useState(sibling.statement?.there ?? sibling.event?.there);
  const isThere = chosen !== undefined && chosen < passing.events.length;
  const show = ({ here, there }: RunDifference): void => {
    choose(Math.min(here, model.events.length - 1));
    setChosen(there);
  };
  return (
    <Section class="sibling" label="Nearest passing run">
      <p class="hint">
        {sibling.file}: {sibling.title}
      </p>
      <table>
        <thead>
          <tr>
            <th>First difference</th>
            <th>In this run</th>
            <th>In the passing run</th>
            <th>
              <span class="hidden">Show</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Row name="event" difference={sibling.event} {...{ model, passing, show }} />
          <Row name="statement" difference={sibling.statement} {...{ model, passing, show }} />
        </tbody>
      </table>
      <Diagram
        {...{ view, choose: setChosen, violations: NONE, cone: undefined }}
        model={passing}
        chosen={isThere ? chosen : undefined}
        axis="order"
      >
        <p class="sentence" aria-live="polite">
          {isThere ? passing.text(chosen) : ""}
        </p>
      </Diagram>
    </Section>
  );
}

interface RowProps {
  readonly name: string;
  readonly difference: RunDifference | undefined;
  readonly model: TimelineModel;
  readonly passing: Timeline;
  readonly show: (difference: RunDifference) => void;
}

function Row({ name, difference, model, passing, show }: RowProps) {
  if (difference === undefined)
    return (
      <tr>
        <th scope="row">{name}</th>
        <td colSpan={3}>none</td>
      </tr>
    );
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{placeText(model, difference.here)}</td>
      <td>{placeText(passing, difference.there)}</td>
      <td>
        <button type="button" onClick={() => show(difference)}>
          Show<span class="hidden"> the first {name} that differs</span>
        </button>
      </td>
    </tr>
  );
}

function placeText({ events, text }: Timeline, position: number): string {
  const event = events[position];
  return event === undefined ? "the end" : `${event.at} ms: ${text(position)}`;
}
