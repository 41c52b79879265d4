/** Interpreter of a validator's outputs: one hook for each kind. */
import { unreachable } from "../base/assert.ts";
import type { Output } from "./output.ts";

/** Output of one kind. */
export type OutputOf<Kind extends Output["type"]> = Extract<Output, { readonly type: Kind }>;

/** Hooks for all kinds of outputs; `node` is the caller's own record of the validator that made the output. */
export interface OutputHandler<Node> {
  persist(node: Node, output: OutputOf<"persist">): void;
  erase(node: Node, output: OutputOf<"erase">): void;
  sign(node: Node, output: OutputOf<"sign">): void;
  send(node: Node, output: OutputOf<"send">): void;
  setTimer(node: Node, output: OutputOf<"setTimer">): void;
  cancelTimer(node: Node, output: OutputOf<"cancelTimer">): void;
  reply(node: Node, output: OutputOf<"reply">): void;
  event(node: Node, output: OutputOf<"event">): void;
  report(node: Node, output: OutputOf<"report">): void;
  coverage(node: Node, output: OutputOf<"coverage">): void;
}

/** Carries out one output: calls the hook of its kind, if the handler has one. */
export function carryOut<Node>(handler: Partial<OutputHandler<Node>>, node: Node, output: Output): void {
  switch (output.type) {
    case "persist":
      handler.persist?.(node, output);
      return;
    case "erase":
      handler.erase?.(node, output);
      return;
    case "sign":
      handler.sign?.(node, output);
      return;
    case "send":
      handler.send?.(node, output);
      return;
    case "setTimer":
      handler.setTimer?.(node, output);
      return;
    case "cancelTimer":
      handler.cancelTimer?.(node, output);
      return;
    case "reply":
      handler.reply?.(node, output);
      return;
    case "event":
      handler.event?.(node, output);
      return;
    case "report":
      handler.report?.(node, output);
      return;
    case "coverage":
      handler.coverage?.(node, output);
      return;
    default:
      unreachable(output);
  }
}
