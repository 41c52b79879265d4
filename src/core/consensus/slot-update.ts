/** Helpers that several transitions share. */
import type { Address, Hash, Round } from "../base/ids.ts";
import { paddedNumber } from "../base/slot.ts";
import { VALUES_PER_SIGNER } from "./limits.ts";
import { type SlotMisbehaviour, type SlotUpdate, withChanges } from "./slot-state.ts";

const EQUIVOCATIONS = { vote: "double vote", commit: "double commit", proposal: "double proposal" } as const;

/**
 * Records the value that a signer names; returns false once it has named too many. A second one is equivocation, and is
 * reported.
 */
export function noteValueOfSigner(
  update: SlotUpdate,
  type: keyof typeof EQUIVOCATIONS,
  round: Round,
  signer: Address,
  value: Hash,
): boolean {
  const { claims } = update.state;
  const key = `${type} ${paddedNumber(round)} ${signer}`;
  const named = claims.get(key) ?? [];
  if (named.includes(value)) return true;
  if (named.length > 0) report(update, signer, EQUIVOCATIONS[type]);
  if (named.length >= VALUES_PER_SIGNER) return false;
  update.state = withChanges(update.state, { claims: claims.set(key, named.concat(value)) });
  return true;
}

/** Reports misbehaviour that a signer's own signatures prove. */
export function report(update: SlotUpdate, signer: Address, misbehaviour: SlotMisbehaviour): void {
  update.effects.push({ type: "report", signer, misbehaviour });
}
