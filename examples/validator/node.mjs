// A native validator for quorumlab, written from its documents: --node native:examples/validator/node.mjs
import { Validator } from "./validator.mjs";

/** A node: a function from an input to a list of outputs (node interface 2). */
export function createNode() {
  let validator = null;
  return (input) => {
    if (input.input === "start") {
      validator = new Validator(input);
      return validator.start(input.records);
    }
    return validator.step(input);
  };
}
