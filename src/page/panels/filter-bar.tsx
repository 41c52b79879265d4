/** Filters of the diagram. */
import { useMemo } from "preact/hooks";
import { slotName, slotOfEvent, type TimelineModel } from "../../report/timeline/model.ts";
import { Choice } from "../parts.tsx";
import { type Axis, type Filter, GROUP_NAMES, GROUPS, START, type View } from "../view.ts";

interface FilterBarProps {
  readonly model: TimelineModel;
  readonly view: View;
  readonly filter: Filter;
  readonly axis: Axis;
  readonly setFilter: (filter: Filter) => void;
  readonly setAxis: (axis: Axis) => void;
}

const ALL = ["", "all"] as const;
const AXES = [
  ["order", "order of steps"],
  ["time", "virtual time"],
] as const;

export function FilterBar({ model, view, filter, axis, setFilter, setAxis }: FilterBarProps) {
  const { slots, operations } = useMemo(() => choicesOf(model), [model]);
  const toggled = <T,>(set: ReadonlySet<T>, one: T): ReadonlySet<T> => {
    const next = new Set(set);
    if (!next.delete(one)) next.add(one);
    return next;
  };
  const box = (name: string, label: string, isChecked: boolean, toggle: () => void) => (
    <label key={name}>
      <input type="checkbox" checked={isChecked} onChange={toggle} />
      {label}
    </label>
  );
  return (
    <details class="filters">
      <summary>
        Filters:{" "}
        <span class="count" aria-live="polite">
          {view.shown.length} of {model.events.length} events
        </span>
      </summary>
      <form aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <fieldset>
          <legend>Show</legend>
          {GROUP_NAMES.map((name) =>
            box(name, GROUPS[name].label, filter.groups.has(name), () =>
              setFilter({ ...filter, groups: toggled(filter.groups, name) }),
            ),
          )}
        </fieldset>
        <details>
          <summary>Parties{filter.parties.size === 0 ? "" : `: ${[...filter.parties].join(", ")}`}</summary>
          <fieldset class="parties">
            <legend class="hidden">Parties; none chosen: all</legend>
            {model.lanes.map((name) =>
              box(name, name, filter.parties.has(name), () =>
                setFilter({ ...filter, parties: toggled(filter.parties, name) }),
              ),
            )}
          </fieldset>
        </details>
        <div class="row">
          <Choice
            name="Slot"
            value={filter.slot}
            options={[ALL, ...slots]}
            set={(slot) => setFilter({ ...filter, slot })}
          />
          <Choice
            name="Operation"
            value={filter.operation}
            options={[ALL, ...operations]}
            set={(operation) => setFilter({ ...filter, operation })}
          />
          <label>
            Search
            <input
              type="search"
              value={filter.text}
              placeholder="a word of an event"
              onInput={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
            />
          </label>
          <Choice name="Axis" value={axis} options={AXES} set={(name) => setAxis(name === "time" ? "time" : "order")} />
          <button type="button" onClick={() => setFilter(START)}>
            Reset
          </button>
        </div>
      </form>
    </details>
  );
}

/** Most entries of a list of choices; the search finds the rest. */
const CHOICES = 500;

function choicesOf(model: TimelineModel) {
  const slots = new Set<string>();
  const operations = new Map<string, string>();
  for (const event of model.events) {
    const slot = slotOfEvent(event);
    if (slot !== undefined) slots.add(slotName(slot));
    if (event.kind === "operation")
      operations.set(event.operation, model.labels.get(event.operation)?.text ?? event.operation);
  }
  const inOrder = new Intl.Collator("en", { numeric: true });
  return { slots: [...slots].sort(inOrder.compare).slice(0, CHOICES), operations: [...operations].slice(0, CHOICES) };
}
