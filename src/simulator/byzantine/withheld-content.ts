/** Withholding of the contents of checkpoints and closings from one half of the peers, even if they ask. */
import type { Address } from "../../core/base/ids.ts";
import { type Content, isChainContent } from "../../core/validator/content.ts";
import type { PeerMessage, UnsignedMessage } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { InterceptedStep } from "./strategy.ts";

/**
 * Returns the output unchanged for the first half of its peers and for itself, and without chain links for the others.
 */
export function withheldContent({ self, peers }: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" && output.type !== "send") return [output];
  const shown = [self, ...peers.slice(0, (peers.length + 1) >> 1)];
  const [to, blind] = [output.to.filter((one) => shown.includes(one)), output.to.filter((one) => !shown.includes(one))];
  return [{ ...output, to }, ...(blind.length === 0 ? [] : [blindly(output, blind)])];
}

function blindly(output: Extract<Output, { type: "sign" | "send" }>, to: readonly Address[]): Output {
  if (output.type === "sign") return { ...output, to, message: { ...output.message, contents: bare(output.message) } };
  const { message } = output;
  if (message.type === "consensus") return { ...output, to, message: { ...message, contents: bare(message) } };
  if (message.type !== "decisions") return { ...output, to };
  const decided = message.decided.filter(({ content }) => !isChainContent(content));
  return { ...output, to, message: { ...message, decided, contents: bare(message) } };
}

function bare({
  contents,
}: UnsignedMessage | Extract<PeerMessage, { type: "consensus" | "decisions" }>): readonly Content[] {
  return contents.filter((content) => !isChainContent(content));
}
