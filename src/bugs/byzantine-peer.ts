/** Byzantine peers with messages that no strategy of the scenario language sends. A scenario declares them. */
import type { Slot } from "../core/base/slot.ts";
import type { Commit, Seal } from "../core/consensus/message.ts";
import type { Content } from "../core/validator/content.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import type { ProgramChange } from "./known-bad-variant.ts";

/** Outputs of the attacker in place of its honest program's. */
export type PeerAttack = (state: ValidatorState, input: Input, wanted: readonly Output[]) => readonly Output[];

/** Returns the programs in which the last validator of the committee attacks and all others run the real one. */
export function withByzantinePeer(attack: PeerAttack): ProgramChange {
  return (real) => ({
    ...real,
    step: (state, input) => {
      const wanted = real.step(state, input);
      const { self, committee } = state.environment;
      return self === committee.members[committee.members.length - 1] ? attack(state, input, wanted) : wanted;
    },
  });
}

/** Proposes another content than an honest proposer, wherever `choose` returns one. */
export function proposeInstead(
  choose: (state: ValidatorState, slot: Slot, content: Content) => Content | undefined,
): PeerAttack {
  return (state, _input, wanted) =>
    wanted.map((output) => {
      if (output.type !== "sign" || output.message.body.type !== "proposal") return output;
      const { body, contents } = output.message;
      const [honest] = contents;
      const content = honest === undefined ? undefined : choose(state, body.slot, honest);
      if (content === undefined) return output;
      const value = state.environment.hashes.value(content.value);
      return { ...output, message: { ...output.message, body: { ...body, value }, contents: [content] } };
    });
}

/**
 * Attacker that assembles finality certificates from its own commit and other seals: it commits alone to the value of
 * its vote in round 0, and broadcasts a certificate as soon as it has its own signature. `fill` makes the seals.
 */
export function forgeFinality(fill: (state: ValidatorState, commit: Commit) => readonly Seal[]): PeerAttack {
  return (state, input, wanted) => {
    const { self, peers } = state.environment;
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
    return [...wanted, ...alone, { type: "send", to: peers, message }];
  };
}

function commitAlone(output: Output, self: ValidatorState["environment"]["self"]): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "vote" || output.message.body.round > 0) return [];
  const body = { ...output.message.body, type: "commit" } as const;
  return [{ type: "sign", to: [self], message: { type: "consensus", body, contents: [], reason: undefined } }];
}
