/** Statements of a run that contradict each other, signer by signer. */
import { valueText } from "../../run/events/reference-text.ts";
import type { RunEventOf } from "../../run/events/run-event.ts";
import type { NamedViolation } from "../../run/verdict.ts";
import { slotName, type TimelineModel } from "./model.ts";

/** One of two statements: position of its event, and its value. */
export interface ConflictSide {
  readonly position: number;
  readonly text: string;
}

/** Two statements, the earlier one first, of which a correct signer makes at most one. */
export interface Conflict {
  readonly signer: string;
  readonly statement: string;
  readonly slot: string;
  readonly sides: readonly [ConflictSide, ConflictSide];
}

/** Returns the contradictions of a run, those of certificates first. O(events). */
export function conflictsOf(model: TimelineModel): readonly Conflict[] {
  return [...certificateConflicts(model), ...statementConflicts(model)];
}

/** Returns the contradiction that a violation's step completes, else one that a faulty validator completed earlier. */
export function conflictBehind(
  { events }: TimelineModel,
  conflicts: readonly Conflict[],
  { step, faulty }: NamedViolation,
): Conflict | undefined {
  const stepOf = ({ sides: [, { position }] }: Conflict): number => events[position]?.step ?? 0;
  return (
    conflicts.find((conflict) => stepOf(conflict) === step) ??
    conflicts.findLast((conflict) => faulty.includes(conflict.signer) && stepOf(conflict) < step)
  );
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
    const [one, other] = [valueText(known.event.value, model.labels), valueText(event.value, model.labels)];
    if (one === other) continue;
    const both = event.signers.filter((name) => known.event.signers.includes(name));
    for (const signer of both.length === 0 ? ["nobody signed both"] : both)
      found.set(`${signer} ${slot} ${other}, round ${event.round}`, {
        ...{ signer, statement: "certificate", slot },
        sides: [
          { position: known.position, text: `${one}, round ${known.event.round}` },
          { position, text: `${other}, round ${event.round}` },
        ],
      });
  }
  return [...found.values()];
}

/** Two statements of one signer for one round with different values. */
function statementConflicts(model: TimelineModel): readonly Conflict[] {
  const first = new Map<string, ConflictSide>();
  const found = new Map<string, Conflict>();
  for (const [position, event] of model.events.entries()) {
    if (event.kind !== "signed" || event.statement === "roundChange" || event.statement === "close") continue;
    const slot = `${slotName(event.slot)}, round ${event.round}`;
    const key = `${event.party} ${event.statement} ${event.epoch} ${slot}`;
    const side = { position, text: valueText(event.value, model.labels) };
    const known = first.get(key);
    if (known === undefined) first.set(key, side);
    else if (known.text !== side.text && !found.has(`${key} ${side.text}`))
      found.set(`${key} ${side.text}`, {
        ...{ signer: event.party, statement: event.statement, slot },
        sides: [known, side],
      });
  }
  return [...found.values()];
}
