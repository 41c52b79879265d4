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
  const isEssential = new Set(why.essential.map(({ key }) => key));
  const isEnough = new Set(why.sufficient.map(({ key }) => key));
  const others = why.essential.filter(({ key }) => !isEnough.has(key));
  const all = [...why.sufficient, ...others].sort((a, b) => a.event.step - b.event.step);
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
          isEssential.has(key) ? (isEnough.has(key) ? "yes" : "in the whole run") : "",
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
