import type { FinalityCertificate } from "../core/consensus/message.ts";
import { credit } from "../core/ledger/balances.ts";
import type { Input } from "../core/validator/input.ts";
import { isSettled } from "../core/validator/slots/slot-position.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Credit for each delivery of a decision (bugs D5). */
export const creditedTwice: KnownBadVariant = {
  name: "credited-twice",
  mistake: "the payee is credited for each delivery of a payment's certificate: a duplicate pays twice",
  source: "bugs D5",
  caughtBy: ["conservation", "validity", "convergence", "checkpoints", "accounts"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const again = certificatesIn(input).filter(({ slot }) => isSettled(state, slot));
      const outputs = real.step(state, input);
      for (const certificate of again) payAgain(state, certificate);
      return outputs;
    },
  }),
};

function certificatesIn(input: Input): readonly FinalityCertificate[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const { body } = input.message;
  return body.type === "finality" ? [body] : [];
}

function payAgain(state: ValidatorState, { value }: FinalityCertificate): void {
  const signed = state.contents.get(value)?.operations[0];
  if (signed?.operation.kind !== "payment") return;
  const { recipient, token, value: amount } = signed.operation;
  state.ledger = credit(state.ledger, recipient, token, amount);
}
