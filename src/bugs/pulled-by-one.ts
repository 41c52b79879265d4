import type { Round } from "../core/base/ids.ts";
import type { Output } from "../core/validator/output.ts";
import { type PeerAttack, withByzantinePeer } from "./byzantine-peer.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

const attack = withByzantinePeer(namesTheNext);

/** Round change to the highest round that any validator names (protocol 8). */
export const pulledByOne: KnownBadVariant = {
  name: "pulled-by-one",
  mistake:
    "a validator moves to the highest round that any one validator names: one Byzantine validator keeps all others moving",
  source: "protocol 8; 3.2",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    consensus: { ...real.consensus, pulledRound: (rounds) => Math.max(0, ...rounds) as Round },
  }),
  program: attack,
  attack,
};

/** The attacker names the next round after each proposal for an account, before a lock of the round exists. */
function namesTheNext(...[{ environment }, input, wanted]: Parameters<PeerAttack>): readonly Output[] {
  const { others } = environment;
  if (input.type !== "message" || input.message.type !== "consensus") return wanted;
  const { body } = input.message;
  if (body.type !== "proposal" || body.round === 0 || body.slot.kind !== "account") return wanted;
  const { epoch, slot } = body;
  const lie = { type: "roundChange", epoch, slot, round: (body.round + 1) as Round, lock: undefined } as const;
  return [
    ...wanted,
    { type: "sign", to: others, message: { type: "consensus", body: lie, contents: [], reason: undefined } },
  ];
}
