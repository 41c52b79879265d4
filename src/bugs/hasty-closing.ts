import type { Committee } from "../core/consensus/committee.ts";
import type { Input } from "../core/validator/input.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Closing with fewer closes than a quorum (protocol 6.3). */
export const hastyClosing: KnownBadVariant = {
  name: "hasty-closing",
  mistake: "the closes of f + 1 validators justify a closing: a value that none of them has seen locked is void",
  source: "protocol 6.3, 3.3; bugs B8, F10",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
  rules: (real) => ({
    ...real,
    validator: {
      ...real.validator,
      contentFault: (environment, content) => {
        const { committee } = environment;
        const inputs =
          content.value.type === "closing" ? { ...environment, committee: lenient(committee) } : environment;
        return real.validator.contentFault(inputs, content);
      },
    },
  }),
  program: (real) => ({
    ...real,
    step: (state, input) => {
      if (!isAboutClosing(input)) return real.step(state, input);
      const { environment } = state;
      const committee = lenient(environment.committee);
      const hasty = { ...state, environment: { ...environment, committee } };
      const outputs = real.step(hasty, input);
      const { environment: after } = hasty;
      // A step that entered the next epoch has the committee of that epoch by now.
      Object.assign(state, hasty, { environment: after.committee === committee ? environment : after });
      return outputs;
    },
  }),
};

function lenient(committee: Committee): Committee {
  return { ...committee, quorum: committee.faulty + 1 };
}

function isAboutClosing(input: Input): boolean {
  if (input.type === "timer") return input.name.startsWith("retry epoch/") || input.name.startsWith("closing ");
  return input.type === "message" && input.message.type === "consensus" && input.message.body.type === "close";
}
