/** States around a path of the explorer: those on it in a row, and those beside it to which other steps lead. */

import { countText } from "../../invariants/text.ts";
import type { PathStateFacts } from "../../report/run-data.ts";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { EventLink, Section } from "../parts.tsx";

interface StateGraphProps {
  readonly model: TimelineModel;
  readonly states: readonly PathStateFacts[];
  /** Step of the chosen event. */
  readonly step: number | undefined;
  readonly choose: (position: number) => void;
}

const COLUMN = 48;
const ROW = 18;
const RADIUS = 6;
/** States beside the path that are drawn in one column; the list below has all. */
const ROWS = 6;

/** State beside the path, and the steps that lead to it. */
interface Neighbour {
  readonly state: number;
  readonly texts: readonly string[];
}

/** Marks the state before the step of the chosen event, and lists the steps that were possible in it. */
export function StateGraph({ model, states, step = 1, choose }: StateGraphProps) {
  const here = Math.max(
    0,
    states.findLastIndex(({ depth }) => depth < step),
  );
  const [shown, next] = [states[here], states[here + 1]];
  const columns = columnsOf(states);
  const width = COLUMN * (states.length + 1);
  const height = ROW * (2 + Math.max(...columns.map(({ length }) => Math.min(length, ROWS + 1))));
  return (
    <Section class="states" label="States around the path">
      <div class="scroll">
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${states.length} states on the path, and those beside it`}
        >
          <line class="path" x1={xOf(0)} x2={xOf(states.length)} y1={ROW} y2={ROW} />
          {columns.map((column, index) => (
            <Column key={states[index]?.state} {...{ column, index }} />
          ))}
          {states.map(({ state }, index) => (
            <circle key={state} class={index === here ? "path chosen" : "path"} cx={xOf(index)} cy={ROW} r={RADIUS}>
              <title>{`state ${state}`}</title>
            </circle>
          ))}
          <text class="end" x={xOf(states.length)} y={ROW}>
            ✕
          </text>
        </svg>
      </div>
      <p class="hint">
        Possible in state {shown?.state}, after {countText(shown?.depth ?? 0, "step")}
        {next === undefined ? ", where the search ended" : ""}:
      </p>
      <ul>
        {shown?.steps.map(({ text, to }) => (
          <li key={`${to} ${text}`}>
            {next !== undefined && to === next.state ? (
              <EventLink position={model.positionOfStep(next.depth + 1)} choose={choose}>
                {text} → state {to}, on the path
              </EventLink>
            ) : (
              `${text}${to === null ? "" : ` → state ${to}`}`
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Draws the states beside the path to which one of its states leads first. */
function Column({ column, index }: { readonly column: readonly Neighbour[]; readonly index: number }) {
  const surplus = column.length - ROWS;
  return (
    <>
      {column.slice(0, ROWS).map(({ state, texts }, row) => (
        <g key={state}>
          <line x1={xOf(index)} y1={ROW} x2={xOf(index + 1)} y2={ROW * (row + 2)} />
          <circle cx={xOf(index + 1)} cy={ROW * (row + 2)} r={RADIUS / 2} />
          <title>{`state ${state}: ${texts.join("; ")}`}</title>
        </g>
      ))}
      {surplus > 0 ? (
        <text x={xOf(index + 1)} y={ROW * (ROWS + 2)}>
          +{surplus}
        </text>
      ) : null}
    </>
  );
}

function xOf(column: number): number {
  return COLUMN * (column + 1 / 2);
}

/** Returns, for each state on the path, the states beside it to which its steps lead; each state once, where it comes first. */
function columnsOf(states: readonly PathStateFacts[]): readonly (readonly Neighbour[])[] {
  const known = new Set(states.map(({ state }) => state));
  return states.map(({ steps }) => {
    const found = new Map<number, readonly string[]>();
    for (const { text, to } of steps)
      if (to !== null && (!known.has(to) || found.has(to))) {
        found.set(to, [...(found.get(to) ?? []), text]);
        known.add(to);
      }
    return [...found].map(([state, texts]) => ({ state, texts }));
  });
}
