/**
 * Strategy: closes an epoch twice, with its claims to one half of its peers and without claims to the other half
 * (protocol 6.3).
 */
import type { Address } from "../../core/base/ids.ts";
import type { Output } from "../../core/validator/output.ts";
import { withoutClaims } from "./locks.ts";
import { type InterceptedStep, type Strategy, withoutMemory } from "./strategy.ts";

export function doubleClose(): Strategy<undefined> {
  return withoutMemory((step) => step.outputs.flatMap((output) => twice(step, output)));
}

function twice({ self, peers }: InterceptedStep, output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "close") return [output];
  const half = peers.slice(0, (peers.length + 1) >> 1);
  const isFirst = (peer: Address): boolean => peer === self || half.includes(peer);
  return [
    { ...output, to: output.to.filter(isFirst) },
    withoutClaims({ ...output, to: output.to.filter((peer) => !isFirst(peer)) }),
  ];
}
