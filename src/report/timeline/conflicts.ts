/** Statements of a run that contradict each other, signer by signer. */
import { entryOf } from "../../core/base/entry.ts";
import { valueText } from "../../run/events/reference-text.ts";
import type { RunEvent } from "../../run/events/run-event.ts";
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
  const first = new Map<string, Claim>();
  const found = new Map<string, Conflict>();
  for (const [position, event] of model.events.entries()) {
    const claim = claimOf(model, event, position);
    if (claim === undefined) continue;
    const { subject, value, statement, slot, side } = claim;
    const known = entryOf(first, subject, () => claim);
    if (known.value === value) continue;
    const signers = claim.signers.filter((name) => known.signers.includes(name));
    for (const signer of signers.length === 0 ? ["nobody signed both"] : signers)
      entryOf(
        found,
        `${signer} ${subject} ${side.text}`,
        (): Conflict => ({ signer, statement, slot, sides: [known.side, side] }),
      );
  }
  const isCertificate = ({ statement }: Conflict): boolean => statement === CERTIFICATE;
  return [...found.values()].sort((a, b) => Number(isCertificate(b)) - Number(isCertificate(a)));
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

const CERTIFICATE = "certificate";

/** A signed value. A correct signer signs no two values about one subject. */
interface Claim extends Pick<Conflict, "statement" | "slot"> {
  readonly subject: string;
  readonly value: string;
  readonly signers: readonly string[];
  readonly side: ConflictSide;
}

/** The subject of a certificate is its slot in all rounds; that of a validator's statement includes the round. */
function claimOf({ labels }: TimelineModel, event: RunEvent, position: number): Claim | undefined {
  if (event.kind === "decided") {
    const [slot, value] = [slotName(event.slot), valueText(event.value, labels)];
    const side = { position, text: `${value}, round ${event.round}` };
    return { subject: slot, statement: CERTIFICATE, slot, value, signers: event.signers, side };
  }
  if (event.kind !== "signed" || event.statement === "roundChange" || event.statement === "close") return undefined;
  const { party, statement, epoch } = event;
  const slot = `${slotName(event.slot)}, round ${event.round}`;
  const value = valueText(event.value, labels);
  const subject = `${party} ${statement} ${epoch} ${slot}`;
  return { subject, statement, slot, value, signers: [party], side: { position, text: value } };
}
