/** Proposers of lists that no honest one makes (protocol 8). */
import type { Content } from "../core/validator/content.ts";
import { proposes, withByzantinePeer } from "./byzantine-peer.ts";
import type { ValidatorProgram } from "./known-bad-variant.ts";

/** Proposes each list with every operation repeated `times` times. */
export function proposesLists(times: number): (real: ValidatorProgram) => ValidatorProgram {
  return withByzantinePeer(proposes((_state, _slot, content) => repeated(content, times)));
}

function repeated({ value, operations, certificates }: Content, times: number): Content | undefined {
  if (value.type !== "list") return undefined;
  const again = <T>(all: readonly T[]): readonly T[] => all.flatMap((one) => Array.from({ length: times }, () => one));
  return {
    value: { ...value, ids: again(value.ids) },
    operations: again(operations),
    certificates: again(certificates),
  };
}
