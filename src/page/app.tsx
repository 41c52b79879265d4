/** The report of a run: its parts, and what they share: the chosen event, the filter, the axis. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { RunData } from "../report/run-data.ts";
import { type Conflict, conflictBehind, conflictsOf } from "../report/timeline/conflicts.ts";
import { modelOf, type Timeline, type TimelineModel } from "../report/timeline/model.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import type { NamedViolation } from "../run/verdict.ts";
import { Diagram } from "./diagram/diagram.tsx";
import { useCone } from "./hooks.ts";
import { EventPanel } from "./panels/event-panel.tsx";
import { FilterBar } from "./panels/filter-bar.tsx";
import { Narrative } from "./panels/narrative.tsx";
import { Player } from "./panels/player.tsx";
import { Plots } from "./panels/plots.tsx";
import { SiblingRun } from "./panels/sibling-run.tsx";
import { StateGraph } from "./panels/state-graph.tsx";
import { StatePanel } from "./panels/state-panel.tsx";
import { Causes, Violations } from "./panels/violations.tsx";
import { Head, List } from "./parts.tsx";
import { whole } from "./searches/texts.ts";
import { type Axis, START, type View, viewOf, viewsOf } from "./view.ts";

export function App({ model }: { readonly model: TimelineModel }) {
  const { end, sibling, why, states } = model.data;
  const conflicts = useMemo(() => conflictsOf(model), [model]);
  const [first] = model.data.violations;
  const [chosen, setChosen] = useState(() => linkedEvent(model) ?? (first && eventBehind(model, conflicts, first)));
  const [filter, setFilter] = useState(START);
  const [axis, setAxis] = useState<Axis>("order");
  const passing: Timeline | undefined = useMemo(() => sibling && modelOf(sibling), [sibling]);
  const [isBelow, setBelow] = useState(true);
  const { view, below } = useMemo(() => {
    if (passing === undefined || sibling === undefined || !isBelow)
      return { view: viewOf(model, filter, axis), below: undefined };
    const same = sibling.event?.here ?? Math.min(model.events.length, passing.events.length);
    const [here, there] = viewsOf([model, passing], same, filter, axis) as [View, View];
    const differs = sibling.event === undefined ? undefined : (here.places[same] ?? there.places[same]);
    return {
      view: here,
      below: { model: passing, view: there, title: `Nearest passing run: ${sibling.file}`, differs },
    };
  }, [model, passing, isBelow, filter, axis]);
  const { cone, ...coneSwitch } = useCone(model, chosen);
  const violations = useMemo(() => model.data.violations.map(({ step }) => model.positionOfStep(step)), [model]);
  const pair = useMemo(
    () => (violations.length === 0 ? NO_PAIR : pairAround(conflicts, chosen)),
    [violations, conflicts, chosen],
  );
  const essential = useMemo(() => new Set(model.data.essential), [model]);

  useEffect(() => {
    const followLink = () => setChosen(linkedEvent(model));
    addEventListener("hashchange", followLink);
    return () => removeEventListener("hashchange", followLink);
  }, [model]);
  useEffect(() => {
    history.replaceState(null, "", chosen === undefined ? "#" : `#event=${chosen + 1}`);
  }, [chosen]);

  // Parts that do not depend on the chosen event are made once: a step through events draws none of them again.
  const head = useMemo(() => <Header data={model.data} />, [model]);
  const found = useMemo(() => {
    const open = (violation: NamedViolation) => setChosen(eventBehind(model, conflicts, violation));
    return <Violations {...{ model, conflicts, open }} choose={setChosen} />;
  }, [model, conflicts]);
  const filters = useMemo(
    () => <FilterBar {...{ model, view, filter, axis, setFilter, setAxis }} />,
    [model, view, filter, axis],
  );
  const plots = useMemo(() => (model.data.isTimed === false ? null : <Plots model={model} />), [model]);
  const step = chosen === undefined ? undefined : model.events[chosen]?.step;

  return (
    <main class="run">
      <div class="screen">
        {head}
        <div class="workbench">
          <Diagram
            {...{ model, view, axis, chosen, cone, violations, pair, essential, filters, below }}
            choose={setChosen}
            followsEnd={end.verdict === "stalled"}
          >
            <Player {...{ model, view, chosen }} choose={setChosen} />
          </Diagram>
          <div class="side">
            {found}
            {sibling === undefined || passing === undefined ? null : (
              <SiblingRun {...{ model, sibling, passing, isBelow, setBelow }} choose={setChosen} />
            )}
            {why === undefined ? null : <Causes {...{ model, why }} choose={setChosen} />}
            {states === undefined ? null : <StateGraph {...{ model, states, step }} choose={setChosen} />}
            <EventPanel {...{ model, chosen, ...coneSwitch }} choose={setChosen} />
            <StatePanel {...{ model, chosen }} />
          </div>
          <Narrative {...{ model, chosen }} choose={setChosen} />
        </div>
      </div>
      {plots}
      <details class="source">
        <summary>Scenario</summary>
        <pre>{model.data.scenario}</pre>
      </details>
    </main>
  );
}

/** Head of the report: the verdict; in a folded part the network, the hash and the commands that repeat the run. */
function Header({ data }: { readonly data: RunData }) {
  const { title, parties, seed, end, events, isTimed, isCut, commands, versions } = data;
  const count = `${isCut ? "the first " : ""}${whole(events.length)} events`;
  const run =
    isTimed === false
      ? "a path of the explorer"
      : `seed ${seed} · ${whole(end.finals)} final · ${whole(end.virtualMs)} ms`;
  return (
    <Head
      brand={versions["quorumlab"]}
      title={title}
      tone={end.verdict}
      outcome={end.verdict}
      reason={end.reason.split("\n")[0]}
      summary={`${run} · ${count}`}
      facts={{ Network: parties, Hash: <code>{end.hash}</code> }}
    >
      {end.unmet.length === 0 ? null : <List class="unmet" items={end.unmet.map((words) => `expected ${words}`)} />}
      <List class="commands" label="Commands" items={commands.map((command) => <code key={command}>{command}</code>)} />
    </Head>
  );
}

/** The event that the address names: `#event=12`. */
function linkedEvent({ events }: TimelineModel): number | undefined {
  const number = /^#event=([1-9][0-9]*)$/.exec(location.hash)?.[1];
  if (number === undefined) return undefined;
  return Math.min(events.length, Number(number)) - 1;
}

/** The statement that completes the contradiction behind a violation, else one of the violation's step, else its first event. */
function eventBehind(model: TimelineModel, conflicts: readonly Conflict[], violation: NamedViolation): number {
  const first = model.positionOfStep(violation.step);
  const isStatement = ({ step, kind }: RunEvent): boolean =>
    step === violation.step && (kind === "signed" || kind === "decided" || kind === "applied");
  const statement = model.events.findIndex(isStatement);
  return conflictBehind(model, conflicts, violation)?.sides[1].position ?? (statement < 0 ? first : statement);
}

const NO_PAIR: readonly number[] = [];

/** The two statements of the contradiction to which the chosen event belongs, else of the first one. */
function pairAround(conflicts: readonly Conflict[], chosen: number | undefined): readonly number[] {
  const around = conflicts.find(({ sides }) => sides.some(({ position }) => position === chosen));
  return (around ?? conflicts[0])?.sides.map(({ position }) => position) ?? NO_PAIR;
}
