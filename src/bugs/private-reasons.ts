import type { Output } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Round change without its reason, so that no other validator follows (protocol 8). */
export const privateReasons: KnownBadVariant = {
  name: "private-reasons",
  mistake: "round changes travel without their reason, and cancellations are not disclosed: f + 1 never know of one",
  source: "protocol 8; 3.2",
  caughtBy: ["liveness"],
  program: (real) => ({ ...real, step: (state, input) => real.step(state, input).flatMap(keepToOneself) }),
};

function keepToOneself(output: Output): readonly Output[] {
  if (output.type === "send" && output.message.type === "shown") return [];
  return output.type === "sign" ? [{ ...output, message: { ...output.message, reason: undefined } }] : [output];
}
