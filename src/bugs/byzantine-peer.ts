/** Byzantine peers with messages that no strategy of the scenario language sends. A scenario declares them. */
import type { Slot } from "../core/base/slot.ts";
import type { Content } from "../core/validator/content.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import type { ValidatorProgram } from "./known-bad-variant.ts";

/** Outputs of the attacker in place of its honest program's. */
export type PeerAttack = (state: ValidatorState, input: Input, wanted: readonly Output[]) => readonly Output[];

/** Returns the programs in which the last validator of the committee attacks and all others run the real one. */
export function withByzantinePeer(attack: PeerAttack): (real: ValidatorProgram) => ValidatorProgram {
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
export function proposes(
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
