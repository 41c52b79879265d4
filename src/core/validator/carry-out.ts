/** Interpreter of a validator's outputs: one hook for each kind. */
import type { Output } from "./output.ts";

/** Output of one kind. */
export type OutputOf<Kind extends Output["type"]> = Extract<Output, { readonly type: Kind }>;

/** Hooks for all kinds of outputs; `node` is the caller's own record of the validator that made the output. */
export type OutputHandler<Node> = {
  [Kind in Output["type"]]: (node: Node, output: OutputOf<Kind>) => void;
};

/** Carries out one output: calls the hook of its kind, if the handler has one. */
export function carryOut<Node>(handler: Partial<OutputHandler<Node>>, node: Node, output: Output): void {
  (handler[output.type] as ((node: Node, output: Output) => void) | undefined)?.(node, output);
}
