import type { Nonce } from "../core/base/ids.ts";
import type { Output } from "../core/validator/output.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Refused operation that is relayed (protocol 8; 4.2). */
export const hastyRefusal: KnownBadVariant = {
  name: "hasty-refusal",
  mistake:
    "the entry validator responds that another operation was decided for the nonce, and relays this one all the same",
  source: "protocol 8; 4.2",
  caughtBy: ["irreversibility"],
  program: (real) => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return input.type === "submit" ? outputs.map(refuseAnyway) : outputs;
    },
  }),
};

function refuseAnyway(output: Output): Output {
  if (output.type !== "reply" || output.reply.status !== "pending") return output;
  const refusal = { code: "business_decided_otherwise", nonce: 0 as Nonce, by: output.id } as const;
  return { ...output, reply: { status: "refused", refusal, shown: true } };
}
