/** Misbehaviour reports of validators without fault (bugs A12; invariant I17). */
import type { Address } from "../core/base/ids.ts";
import type { Input } from "../core/validator/input.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

type Report = Extract<Output, { type: "report" }>;

/** All signers of a batch are reported for one. */
export const batchBlamed: KnownBadVariant = {
  name: "batch-blamed",
  mistake: "an invalid signature in a batch is reported for every signer of the batch",
  source: "bugs A12; protocol 7.11",
  caughtBy: ["accountability"],
  program: accusing((report, _input, { slots }) =>
    report.misbehaviour === "invalid signature"
      ? [report.peer, ...[...(slots.get(report.slot)?.ballots.values() ?? [])].map(({ signer }) => signer)]
      : [report.peer],
  ),
};

/** The members named in an invalid certificate are reported in place of its sender. */
export const namedBlamed: KnownBadVariant = {
  name: "named-blamed",
  mistake: "an invalid certificate is held against the validators that it names, not against the sender",
  source: "bugs A12; protocol 7.11",
  caughtBy: ["accountability"],
  program: accusing((report, input) => {
    const isBroken = report.misbehaviour === "invalid certificate" || report.misbehaviour === "invalid signature";
    return isBroken ? [report.peer, ...namedIn(input)] : [report.peer];
  }),
};

/** Reports name other peers. */
function accusing(
  whom: (report: Report, input: Input, state: ValidatorState) => readonly Address[],
): NonNullable<KnownBadVariant["program"]> {
  return (real) => ({
    ...real,
    step: (state, input) =>
      real.step(state, input).flatMap((output): readonly Output[] => {
        if (output.type !== "report") return [output];
        const { self } = state.environment;
        const accused = new Set(whom(output, input, state).filter((peer) => peer !== self));
        return [...accused].map((peer) => ({ ...output, peer }));
      }),
  });
}

function namedIn(input: Input): readonly Address[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const { body } = input.message;
  const shown =
    body.type === "lock" || body.type === "finality" ? body : body.type === "roundChange" ? body.lock : undefined;
  return shown?.seals.map(({ signer }) => signer) ?? [];
}
