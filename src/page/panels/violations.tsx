/** Violated invariants: what each demands, the statements that contradict each other, and the causes of the first violation. */
import type { Conflict } from "../../report/timeline/conflicts.ts";
import type { TimelineModel } from "../../report/timeline/model.ts";
import { effortText, whyFacts } from "../../report/why.ts";
import type { Why } from "../../run/events/causes.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { EventLink, Section, Table } from "../parts.tsx";

interface ViolationsProps {
  readonly model: TimelineModel;
  readonly conflicts: readonly Conflict[];
  /** Chooses what is behind a violation. */
  readonly open: (violation: NamedViolation) => void;
  readonly choose: (position: number) => void;
}

/** Most rows of the table. */
const CONFLICTS = 60;

export function Violations({ model, conflicts, open, choose }: ViolationsProps) {
  const { violations, demands, isTimed = true } = model.data;
  const [first, ...others] = violations;
  if (first === undefined) return null;
  return (
    <Section class="violations" label="Violations">
      <Item violation={first} {...{ isTimed, open }} />
      {others.length === 0 ? null : (
        <details>
          <summary>{others.length} more</summary>
          {others.map((violation, at) => (
            <Item key={at} {...{ violation, isTimed, open }} />
          ))}
        </details>
      )}
      {conflicts.length === 0 ? null : (
        <Table
          head={["Signer", "Statement", "Slot", "First", "Second"]}
          caption="Statements that contradict each other"
          rows={conflicts.slice(0, CONFLICTS).map(({ signer, statement, slot, sides }) => [
            signer,
            statement,
            slot,
            ...sides.map(({ position, text }) => (
              <EventLink key={position} {...{ position, choose }}>
                {text}
              </EventLink>
            )),
          ])}
        />
      )}
      <details>
        <summary>What the {demands.length === 1 ? "invariant demands" : "invariants demand"}</summary>
        {demands.map((sentence) => (
          <p key={sentence} class="hint">
            {sentence}
          </p>
        ))}
      </details>
    </Section>
  );
}

interface ItemProps extends Pick<ViolationsProps, "open"> {
  readonly violation: NamedViolation;
  readonly isTimed: boolean;
}

function Item({ violation, isTimed, open }: ItemProps) {
  const { invariant, step, virtualMs, detail, faulty, beyondF } = violation;
  const place = isTimed ? `${virtualMs} ms, step ${step}` : `step ${step}`;
  return (
    <p>
      <button type="button" class="link" onClick={() => open(violation)}>
        {invariant} at {place}
      </button>
      {beyondF ? " (more than f validators are Byzantine, which excuses it)" : ""}: {detail}
      {faulty.length === 0 ? null : <strong> Faulty: {faulty.join(", ")}.</strong>}
    </p>
  );
}

interface CausesProps extends Pick<ViolationsProps, "model" | "choose"> {
  readonly why: Why;
}

/** Most orders of deliveries that are listed. */
const ORDERS = 5;

/** Causes of the first violation, essential and sufficient ones, in the order of their steps. */
export function Causes({ model, why, choose }: CausesProps) {
  const essential = new Set(why.essential.map(({ key }) => key));
  const sufficient = new Set(why.sufficient.map(({ key }) => key));
  const byKey = new Map([...why.sufficient, ...why.essential].map((cause) => [cause.key, cause]));
  const all = [...byKey.values()].sort((a, b) => a.event.step - b.event.step);
  return (
    <Section class="causes" label="Causes">
      <p class="hint">
        These suffice, with all others of {why.causes} left out. Without an essential one the violation does not come.
      </p>
      <Table
        head={["Time", "Cause", "Essential"]}
        numbers={[0]}
        rows={all.map(({ key, text, event: { step, at } }) => [
          `${at} ms`,
          <EventLink key={key} position={model.positionOfStep(step)} choose={choose}>
            {text}
          </EventLink>,
          essential.has(key) ? (sufficient.has(key) ? "yes" : "in the whole run") : "",
        ])}
      />
      {whyFacts(why, ORDERS).map(([name, text]) => (
        <p key={text}>
          <strong>{name}:</strong> {text}
        </p>
      ))}
      <p class="hint">{effortText(why)}</p>
    </Section>
  );
}
