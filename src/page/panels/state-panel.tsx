/** State of validators after the chosen event, with what has just changed; two of them side by side. */
import { useMemo, useState } from "preact/hooks";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { type PartyState, type SlotView, StateReader } from "../../report/timeline/party-state.ts";
import { Choice, Section } from "../parts.tsx";

interface StatePanelProps {
  readonly model: TimelineModel;
  readonly chosen: number | undefined;
}

type Row = readonly [name: string, text: string];

/** Kinds of state, in the order in which they are shown. */
const TITLES = ["Validator", "Pending operations", "Slots", "Timers", "Balances"] as const;

type Rows = ReadonlyMap<string, string>;

type Sections = Readonly<Partial<Record<(typeof TITLES)[number], Rows>>>;

export function StatePanel({ model, chosen }: StatePanelProps) {
  const { validators, isTimed = true } = model.data;
  const reader = useMemo(() => new StateReader(model), [model]);
  const [pair, setPair] = useState(() => firstPair(model, chosen));
  const position = chosen ?? model.events.length - 1;
  // Of the step before: one step changes several members.
  const before = model.positionOfStep(model.events[position]?.step ?? 0) - 1;
  const { now, earlier } = useMemo(() => {
    const states = reader.statesAfter(before);
    const rowsBefore = new Map(pair.map((name) => [name, sectionsOf(states.get(name), isTimed)]));
    const later = reader.statesAfter(position);
    return { earlier: rowsBefore, now: new Map(pair.map((name) => [name, sectionsOf(later.get(name), isTimed)])) };
  }, [reader, position, before, pair]);
  const shown = pair.slice(0, validators.length);
  return (
    <Section
      class="state"
      label="State of validators"
      title={`State ${chosen === undefined ? "at the end" : `after event ${chosen + 1}`}`}
    >
      <table>
        <thead>
          <tr>
            <td />
            {shown.map((name, place) => (
              <th key={place} scope="col">
                <Choice
                  name={`Validator ${place + 1}`}
                  isNameHidden
                  value={name}
                  options={validators}
                  set={(other) => setPair(place === 0 ? [other, pair[1]] : [pair[0], other])}
                />
              </th>
            ))}
          </tr>
        </thead>
        {TITLES.map((title) => (
          <Group
            key={title}
            title={title}
            now={shown.map((name) => now.get(name)?.[title])}
            before={shown.map((name) => earlier.get(name)?.[title])}
          />
        ))}
      </table>
      <p class="hint">Marked: changed by this step. Undurable state is lost in a crash.</p>
    </Section>
  );
}

interface GroupProps {
  readonly title: string;
  /** Rows of each validator. */
  readonly now: readonly (Rows | undefined)[];
  readonly before: readonly (Rows | undefined)[];
}

/** One kind of state, a column for each validator. */
function Group({ title, now, before }: GroupProps) {
  const names = new Set(now.flatMap((rows) => [...(rows?.keys() ?? [])]));
  if (names.size === 0) return null;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={now.length + 1}>
          {title}
        </th>
      </tr>
      {[...names].map((name) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {now.map((rows, place) => (
            <td key={place} class={before[place]?.get(name) === rows?.get(name) ? "" : "changed"}>
              {rows?.get(name)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** The validator of the chosen event, and the one before or after it. */
function firstPair({ data, lanes, laneOf }: TimelineModel, chosen: number | undefined): readonly [string, string] {
  const { validators } = data;
  const acting = chosen === undefined ? -1 : validators.indexOf(lanes[laneOf[chosen] ?? -1] ?? "");
  const other = acting > 0 ? acting - 1 : 1;
  return [validators[Math.max(0, acting)] ?? "", validators[other] ?? ""];
}

/** Slots that are listed: those at work, and the last ones that were applied. */
const OPEN = 12;
const APPLIED = 4;

function sectionsOf(state: PartyState | undefined, isTimed: boolean): Sections {
  if (state === undefined) return {};
  const running = state.isRunning ? "running" : "down";
  const all = [...state.slots];
  const open = all.filter(([, { isApplied }]) => !isApplied).slice(0, OPEN);
  const slots = [...open, ...all.filter(([, { isApplied }]) => isApplied).slice(-APPLIED)];
  return {
    Validator: new Map([
      ["status", state.isByzantine ? `${running}, Byzantine` : running],
      ["epoch", String(state.epoch)],
      ["checkpoint", String(state.checkpoint)],
    ]),
    "Pending operations": new Map([...state.pending].map((operation) => [shortText(operation), "admitted"])),
    Slots: new Map(slots.flatMap(([name, slot]) => slotRows(name, slot))),
    Timers: new Map([...state.timers].map(([name, due]) => [name, isTimed ? `due at ${due} ms` : "set"])),
    Balances: new Map(state.balances),
  };
}

function slotRows(name: string, slot: SlotView): readonly Row[] {
  const { epoch, round, vote, commit, proposal, certificate, isApplied, isDurable } = slot;
  const parts = [isApplied ? "applied" : `round ${round}`, `epoch ${epoch}`, isDurable ? "durable" : "not durable"];
  const statements: readonly (readonly [string, string | undefined])[] = [
    ["proposal", proposal],
    ["vote", vote],
    ["lock", commit],
    ["certificate", certificate],
  ];
  return [
    [name, parts.join(", ")],
    ...statements.flatMap(([kind, text]): readonly Row[] => (text === undefined ? [] : [[`${name} ${kind}`, text]])),
  ];
}

/** An id by its beginning. */
function shortText(operation: string): string {
  return /^0x[0-9a-f]{64}$/.test(operation) ? `${operation.slice(0, 10)}…` : operation;
}
