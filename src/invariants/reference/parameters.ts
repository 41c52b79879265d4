/** Comparison of epoch parameters (specification 11.1). */
import type { EpochParameters, FeeEntry } from "../../core/base/epoch.ts";

/** Returns parameters as text: equal texts are equal parameters, whatever the order of the tokens' fees. */
export function parametersText({ validators, fees, checkpoints, epochLength }: EpochParameters): string {
  const tokens = [...fees.tokens].map(([token, entry]) => `${token} ${entryText(entry)}`).sort();
  const policy =
    checkpoints === undefined
      ? "none"
      : [
          checkpoints.intervalMs,
          checkpoints.slots,
          checkpoints.limit,
          checkpoints.periodSeconds,
          checkpoints.empty,
        ].join(" ");
  const members = validators.map(({ key, reward }) => `${key} ${reward}`);
  return [members.join(","), [entryText(fees.default), ...tokens].join(","), policy, epochLength ?? "none"].join(";");
}

function entryText({ payment, cancellation, recovery }: FeeEntry): string {
  return [payment, cancellation, recovery].join(" ");
}
