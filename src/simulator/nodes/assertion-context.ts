/** Context of an exception in a validator's program: node, time and input, before the runtime's own message. */
import { unreachable } from "../../core/base/assert.ts";
import type { Input } from "../../core/validator/step.ts";
import type { Program } from "../plan.ts";

/** Returns the same program; its exceptions begin with the node, the time and the input. */
export function withAssertionContext(node: string, program: Program): Program {
  return {
    ...program,
    step: (state, input) => {
      try {
        return program.step(state, input);
      } catch (error) {
        throw told(node, input, error);
      }
    },
  };
}

function told(node: string, input: Input, error: unknown): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const words = `${node} threw ${cause.name} at ${input.at} ms on ${textOf(input)}: ${cause.message}`;
  const found = new Error(words, { cause });
  // The location of the failure, not of its detection.
  const places = (cause.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  found.stack = [words, ...places].join("\n");
  return found;
}

function textOf(input: Input): string {
  switch (input.type) {
    case "start":
      return "its start";
    case "message":
      return `a message (${input.message.type === "consensus" ? input.message.body.type : input.message.type})`;
    case "submit":
      return "a submission";
    case "govern":
      return "a governance proposal";
    case "timer":
      return `the timer "${input.name}"`;
    case "restart":
      return `its restart with ${input.records.length} records`;
    default:
      return unreachable(input);
  }
}
