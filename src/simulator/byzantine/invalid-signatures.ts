/** Strategy: sends statements with a broken signature, or in the name of another validator. */
import type { Address, Signature } from "../../core/base/ids.ts";
import type { SignedMessage, StatementContent } from "../../core/consensus/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Ratio } from "../plan.ts";
import { type Strategy, withoutMemory } from "./strategy.ts";

/** Signature that no key makes: s is zero. */
const BROKEN = `0x${"0".repeat(63)}1${"0".repeat(64)}00` as Signature;

/** `chance`: of each statement. Half of them name a peer as their signer. */
export function invalidSignatures(chance: Ratio): Strategy<undefined> {
  return withoutMemory((step) =>
    step.outputs.map((output) => {
      if (output.type !== "sign" || step.choose(chance.in) >= chance.of) return output;
      const named = [step.self, ...step.peers];
      return forged(output, step.choose(2) === 0 ? step.self : (named[step.choose(named.length)] as Address));
    }),
  );
}

function forged(output: Extract<Output, { type: "sign" }>, signer: Address): Output {
  const body = { ...(output.message.body as StatementContent), signer, signature: BROKEN } as SignedMessage;
  return { type: "send", to: output.to, message: { ...output.message, body } };
}
