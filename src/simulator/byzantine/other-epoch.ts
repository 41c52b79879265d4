/**
 * Strategy: signs its votes and commits for the next epoch; they are well-formed and invalid in this one (protocol
 * 3.0).
 */
import { type Epoch, next } from "../../core/base/ids.ts";
import type { Output } from "../../core/validator/output.ts";
import { type Strategy, withoutMemory } from "./strategy.ts";

export function otherEpoch(): Strategy<undefined> {
  return withoutMemory(({ outputs }) => outputs.map(lying));
}

function lying(output: Output): Output {
  if (output.type !== "sign") return output;
  const { body } = output.message;
  if (body.type !== "vote" && body.type !== "commit") return output;
  return { ...output, message: { ...output.message, body: { ...body, epoch: next(body.epoch as Epoch) } } };
}
