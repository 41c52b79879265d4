/** Causes of the first violation: without which it does not come, and which suffice for it. */

import type { TimelineModel } from "../../report/timeline/model.ts";
import { effortText, whyFacts } from "../../report/why.ts";
import type { Why } from "../../run/events/causes.ts";
import { Section, Table } from "../parts.tsx";

interface CausesProps {
  readonly model: TimelineModel;
  readonly why: Why;
  readonly choose: (position: number) => void;
}

/** Most orders of deliveries that are listed. */
const ORDERS = 5;

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
        rows={all.map(({ key, text, event: { step, at } }) => [
          `${at} ms`,
          <button key={key} type="button" class="link" onClick={() => choose(model.positionOfStep(step))}>
            {text}
          </button>,
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
