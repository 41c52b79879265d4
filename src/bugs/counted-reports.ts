import type { Hash } from "../core/base/ids.ts";
import type { RoundChange } from "../core/consensus/message.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

/** Evidence by count of reports, in place of one certificate as proof (protocol 2). */
export const countedReports: KnownBadVariant = {
  name: "counted-reports",
  mistake: "a lock forces a value only if two round changes report it, so a recovery misses a hidden certificate",
  source: "protocol 2; bugs C3, C4",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: (real) => ({ ...real, consensus: { ...real.consensus, forcedValue: reportedTwice } }),
};

function reportedTwice(justification: readonly RoundChange[]): Hash | undefined {
  const reports = new Map<Hash, number>();
  for (const { lock } of justification) {
    if (lock !== undefined) reports.set(lock.value, (reports.get(lock.value) ?? 0) + 1);
  }
  for (const [value, count] of reports) if (count > 1) return value;
  return undefined;
}
