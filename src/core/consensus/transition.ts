/** Small moves that several transitions share. */
import type { Address, Hash, Round } from "../base/ids.ts";
import { digits } from "../base/slot.ts";
import { VALUES_PER_SIGNER } from "./limits.ts";
import { changed, type SlotMisbehaviour, type Transition } from "./slot-state.ts";

const CONTRADICTIONS = { vote: "double vote", commit: "double commit", proposal: "double proposal" } as const;

/** Notes which value a signer names; `false` once it has named too many. A second one is a contradiction: reported. */
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

/** Accuses a signer of something that its own signatures show. */
export function report(transition: Transition, signer: Address, misbehaviour: SlotMisbehaviour): void {
  transition.effects.push({ type: "report", signer, misbehaviour });
}
