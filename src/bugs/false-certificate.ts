/** Attacker that assembles finality certificates from its own commit and other seals. */
import type { Commit, Seal } from "../core/consensus/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { PeerAttack } from "./byzantine-peer.ts";

/**
 * Commits alone to the value of its vote in round 0, and broadcasts a certificate as soon as it has its own signature.
 * `fill` makes the seals.
 */
export function forgesFinality(fill: (state: ValidatorState, commit: Commit) => readonly Seal[]): PeerAttack {
  return (state, input, wanted) => {
    const { self, others } = state.environment;
    const alone = wanted.flatMap((output) => commitAlone(output, self));
    if (input.type !== "message" || input.from !== self || input.message.type !== "consensus") {
      return [...wanted, ...alone];
    }
    const { body } = input.message;
    const content = body.type === "commit" ? state.slots.contents.get(body.value) : undefined;
    if (body.type !== "commit" || content === undefined) return [...wanted, ...alone];
    const { epoch, slot, round, value } = body;
    const certificate = { type: "finality", epoch, slot, round, value, seals: fill(state, body) } as const;
    const message = { type: "consensus", body: certificate, contents: [content], reason: undefined } as const;
    return [...wanted, ...alone, { type: "send", to: others, message }];
  };
}

function commitAlone(output: Output, self: ValidatorState["environment"]["self"]): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "vote" || output.message.body.round > 0) return [];
  const body = { ...output.message.body, type: "commit" } as const;
  return [{ type: "sign", to: [self], message: { type: "consensus", body, contents: [], reason: undefined } }];
}
