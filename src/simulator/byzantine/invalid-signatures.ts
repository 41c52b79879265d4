/** Strategy: sends statements with a broken signature, or in the name of another validator. */
import type { Address, Signature } from "../../core/base/ids.ts";
import type { SignedMessage, Unsigned } from "../../core/consensus/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Ratio } from "../plan.ts";
import { type Strategy, withoutMemory } from "./strategy.ts";

/** Signature that no key makes: s is zero. */
const BROKEN = `0x${"0".repeat(63)}1${"0".repeat(64)}00` as Signature;

/** `chance`: of each statement. Half of them name a peer as their signer. */
export function invalidSignatures(chance: Ratio): Strategy<undefined> {
  return withoutMemory((turn) =>
    turn.outputs.map((output) => {
      if (output.type !== "sign" || turn.choose(chance.in) >= chance.of) return output;
      const named = [turn.self, ...turn.peers];
      return forged(output, turn.choose(2) === 0 ? turn.self : (named[turn.choose(named.length)] as Address));
    }),
  );
}

function forged(output: Extract<Output, { type: "sign" }>, signer: Address): Output {
  const body = { ...(output.message.body as Unsigned), signer, signature: BROKEN } as SignedMessage;
  return { type: "send", to: output.to, message: { ...output.message, body } };
}
