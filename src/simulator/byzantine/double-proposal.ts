/**
 * Strategy: sends another list, checkpoint or closing to one half of its peers wherever an honest proposer has one
 * (protocol 3, 8).
 */
import type { Address } from "../../core/base/ids.ts";
import type { Content } from "../../core/validator/content.ts";
import type { Output } from "../../core/validator/output.ts";
import { hashOf } from "../network/pattern.ts";
import { type InterceptedStep, type Strategy, withoutMemory } from "./strategy.ts";

/** The first half receives the honest proposal, the second one another value for the same round. */
export function doubleProposal(): Strategy<undefined> {
  return withoutMemory((step) => step.outputs.flatMap((output) => twice(step, output)));
}

function twice({ self, peers }: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "proposal") return [output];
  const other = otherThan(output.message.contents[0]);
  if (other === undefined) return [output];
  const half = peers.slice(0, (peers.length + 1) >> 1);
  const isFirst = (peer: Address): boolean => peer === self || half.includes(peer);
  const body = { ...output.message.body, value: hashOf(other) };
  return [
    { ...output, to: output.to.filter(isFirst) },
    {
      ...output,
      to: output.to.filter((peer) => !isFirst(peer)),
      message: { ...output.message, body, contents: [other] },
    },
  ];
}

/**
 * Returns an equally valid value: a shorter list, if it has two operations, or a checkpoint or closing with a timestamp
 * one second later, or earlier at the largest one.
 */
function otherThan(content: Content | undefined): Content | undefined {
  if (content?.value.type === "checkpoint" || content?.value.type === "closing") {
    const { header } = content.value;
    const timestamp = header.timestamp + (header.timestamp < Number.MAX_SAFE_INTEGER ? 1 : -1);
    return { ...content, value: { ...content.value, header: { ...header, timestamp } } };
  }
  if (content?.value.type !== "list") return undefined;
  const { value, operations, certificates } = content;
  return {
    value: { ...value, ids: value.ids.slice(0, -1) },
    operations: operations.slice(0, -1),
    certificates: certificates.slice(0, -1),
  };
}
