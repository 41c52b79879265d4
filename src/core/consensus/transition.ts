/** Helpers that several transitions share. */
import type { Address, Hash, Round } from "../base/ids.ts";
import { digits } from "../base/slot.ts";
import { VALUES_PER_SIGNER } from "./limits.ts";
import { changed, type SlotMisbehaviour, type Transition } from "./slot-state.ts";

const CONTRADICTIONS = { vote: "double vote", commit: "double commit", proposal: "double proposal" } as const;

/**
 * Records the value that a signer names; returns false once it has named too many. A second one is equivocation, and is
 * reported.
 */
export function claim(
  transition: Transition,
  type: keyof typeof CONTRADICTIONS,
  round: Round,
  signer: Address,
  value: Hash,
): boolean {
  const { claims } = transition.state;
  const key = `${type} ${digits(round)} ${signer}`;
  const named = claims.get(key) ?? [];
  if (named.includes(value)) return true;
  if (named.length > 0) report(transition, signer, CONTRADICTIONS[type]);
  if (named.length >= VALUES_PER_SIGNER) return false;
  transition.state = changed(transition.state, { claims: claims.set(key, named.concat(value)) });
  return true;
}

/** Reports misbehaviour that a signer's own signatures prove. */
export function report(transition: Transition, signer: Address, misbehaviour: SlotMisbehaviour): void {
  transition.effects.push({ type: "report", signer, misbehaviour });
}
