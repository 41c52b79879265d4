/** The nearest passing run below the failing one, and the first events in which they differ. */
import { useMemo, useState } from "preact/hooks";
import type { RunDifference, Sibling } from "../../report/run-data.ts";
import { modelOf, type Timeline, type TimelineModel } from "../../report/timeline/model.ts";
import { Diagram } from "../diagram/diagram.tsx";
import { Section, Table } from "../parts.tsx";
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
  const cellsOf = (name: string, difference: RunDifference | undefined) =>
    difference === undefined
      ? [name, "none", "none", ""]
      : [
          name,
          placeText(model, difference.here),
          placeText(passing, difference.there),
          <button key="show" type="button" onClick={() => show(difference)}>
            Show<span class="hidden"> the first {name} that differs</span>
          </button>,
        ];
  return (
    <Section class="sibling" label="Nearest passing run">
      <p class="hint">
        {sibling.file}: {sibling.title}
      </p>
      <Table
        head={["First difference", "In this run", "In the passing run", "Show"]}
        rows={[cellsOf("event", sibling.event), cellsOf("statement", sibling.statement)]}
      />
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

function placeText({ events, text, when }: Timeline, position: number): string {
  const event = events[position];
  return event === undefined ? "the end" : `${when(event)}: ${text(position)}`;
}
