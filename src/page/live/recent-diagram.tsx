/** The last events of the network as a space-time diagram, which can be stopped to look at it. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { modelOf, type Timeline, type TimelineData } from "../../report/timeline/model.ts";
import { Diagram } from "../diagram/diagram.tsx";
import { useCone, useServedState } from "../hooks.ts";
import { EventPanel } from "../panels/event-panel.tsx";
import { Player } from "../panels/player.tsx";
import { START, viewOf } from "../view.ts";

/** Milliseconds between two reads of the events. */
const EVENTS_MS = 1_000;

export function RecentDiagram() {
  const [isOpen, setOpen] = useState(false);
  const [isRunning, setRunning] = useState(true);
  const { state: events } = useServedState<TimelineData>("/page/events.json", EVENTS_MS, isOpen && isRunning);
  return (
    <details class="recent" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Messages of the last operations</summary>
      {isOpen ? (
        <>
          <label class="check">
            <input type="checkbox" checked={isRunning} onChange={() => setRunning(!isRunning)} />
            follow the network; a chosen event stops it
          </label>
          {events === undefined || events.events.length === 0 ? (
            <p class="hint">Events are kept while this part is open. None so far: pay above.</p>
          ) : (
            <EventDiagram events={events} isRunning={isRunning} stop={() => setRunning(false)} />
          )}
        </>
      ) : null}
    </details>
  );
}

interface EventDiagramProps {
  readonly events: TimelineData;
  /** True while events are added: then the newest one is in sight. */
  readonly isRunning: boolean;
  /** Called when an event is chosen. */
  readonly stop: () => void;
}

export function EventDiagram({ events, isRunning, stop }: EventDiagramProps) {
  // Equal events make the same model: a network at rest is drawn once.
  const key = `${events.events.length} ${events.events.at(-1)?.step}`;
  const model: Timeline = useMemo(() => modelOf(events), [key]);
  const view = useMemo(() => viewOf(model, START, "order"), [model]);
  const [chosen, setChosen] = useState<number>();
  const { cone, ...coneSwitch } = useCone(model, chosen);
  useEffect(() => {
    if (isRunning) setChosen(undefined);
  }, [isRunning]);
  const choose = (position: number | undefined): void => {
    setChosen(position);
    if (position !== undefined) stop();
  };
  return (
    <>
      <Diagram {...{ model, view, chosen, cone, choose }} axis="order" followsEnd={isRunning}>
        <Player {...{ model, view, chosen, choose }} />
      </Diagram>
      {chosen === undefined ? null : <EventPanel {...{ model, chosen, choose, ...coneSwitch }} />}
    </>
  );
}
