/** Violated invariants: what each demands, and the statements that contradict each other, signer by signer. */

import { slotName, type TimelineModel } from "../../report/timeline/model.ts";
import { valueText } from "../../run/events/reference-text.ts";
import type { RunEventOf } from "../../run/events/run-event.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { Section, Table } from "../parts.tsx";

interface ViolationsProps {
  readonly model: TimelineModel;
  readonly choose: (position: number) => void;
}

export function Violations({ model, choose }: ViolationsProps) {
  const { violations, demands } = model.data;
  const [first, ...others] = violations;
  if (first === undefined) return null;
  const conflicts = [...certificateConflicts(model), ...statementConflicts(model)];
  return (
    <Section class="violations" label="Violations">
      <ul>
        <Item model={model} violation={first} choose={choose} />
      </ul>
      {others.length === 0 ? null : (
        <details>
          <summary>{others.length} more</summary>
          <ul>
            {others.map((violation, at) => (
              <Item key={at} model={model} violation={violation} choose={choose} />
            ))}
          </ul>
        </details>
      )}
      {demands.map((sentence) => (
        <p key={sentence} class="hint">
          {sentence}
        </p>
      ))}
      {conflicts.length === 0 ? null : (
        <Table
          head={["Signer", "Statement", "Slot", "First", "Second"]}
          caption="Statements that contradict each other"
          rows={conflicts.slice(0, CONFLICTS).map(({ signer, statement, slot, sides }) => [
            signer,
            statement,
            slot,
            ...sides.map(({ position, text }) => (
              <button key={position} type="button" class="link" onClick={() => choose(position)}>
                {text}
              </button>
            )),
          ])}
        />
      )}
    </Section>
  );
}

interface ItemProps extends ViolationsProps {
  readonly violation: NamedViolation;
}

function Item({ model, violation: { invariant, step, virtualMs, detail, faulty, beyondF }, choose }: ItemProps) {
  return (
    <li>
      <button type="button" class="link" onClick={() => choose(model.positionOfStep(step))}>
        {invariant} at {virtualMs} ms, step {step}
      </button>
      {beyondF ? " (more than f validators are Byzantine, which excuses it)" : ""}: {detail}
      {faulty.length === 0 ? null : <strong> Faulty: {faulty.join(", ")}.</strong>}
    </li>
  );
}

const CONFLICTS = 60;

interface Side {
  readonly position: number;
  readonly text: string;
}

interface Conflict {
  readonly signer: string;
  readonly statement: string;
  readonly slot: string;
  readonly sides: readonly [Side, Side];
}

/** Two certificates of one slot: who signed both must be faulty. */
function certificateConflicts(model: TimelineModel): readonly Conflict[] {
  const first = new Map<string, { readonly event: RunEventOf<"decided">; readonly position: number }>();
  const found = new Map<string, Conflict>();
  for (const [position, event] of model.events.entries()) {
    if (event.kind !== "decided") continue;
    const slot = slotName(event.slot);
    const known = first.get(slot);
    if (known === undefined) {
      first.set(slot, { event, position });
      continue;
    }
    const texts = [known.event, event].map(({ value, round }) => `${valueText(value, model.labels)}, round ${round}`);
    if (valueText(known.event.value, model.labels) === valueText(event.value, model.labels)) continue;
    const both = event.signers.filter((name) => known.event.signers.includes(name));
    for (const signer of both.length === 0 ? ["nobody signed both"] : both) {
      const sides = [side(known.position, texts[0]), side(position, texts[1])] as const;
      found.set(`${signer} ${slot} ${texts[1]}`, { signer, statement: "certificate", slot, sides });
    }
  }
  return [...found.values()];
}

/** Two statements of one signer for one round with different values. */
function statementConflicts(model: TimelineModel): readonly Conflict[] {
  const first = new Map<string, { readonly text: string; readonly position: number }>();
  const found = new Map<string, Conflict>();
  for (const [position, event] of model.events.entries()) {
    if (event.kind !== "signed" || event.statement === "roundChange" || event.statement === "close") continue;
    const slot = `${slotName(event.slot)}, round ${event.round}`;
    const key = `${event.party} ${event.statement} ${event.epoch} ${slot}`;
    const text = valueText(event.value, model.labels);
    const known = first.get(key);
    if (known === undefined) first.set(key, { text, position });
    else if (known.text !== text && !found.has(`${key} ${text}`))
      found.set(`${key} ${text}`, {
        ...{ signer: event.party, statement: event.statement, slot },
        sides: [side(known.position, known.text), side(position, text)],
      });
  }
  return [...found.values()];
}

function side(position: number, text: string | undefined): Side {
  return { position, text: text ?? "" };
}
