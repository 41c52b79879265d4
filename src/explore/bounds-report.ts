/** Report of the bounds and the model of an exploration, printed with its counts. */
import type { Scenario } from "../scenario/scenario.ts";
import { CHECKS } from "./checks.ts";
import { ALWAYS } from "./guard.ts";
import { demandsIn, type LivenessMode } from "./liveness.ts";
import { interchangeableIn } from "./symmetry.ts";
import { type SystemOptions, systemOf } from "./system.ts";
import { accountValues } from "./values.ts";

/** Bounds in the JSON line; member names are part of the contract. */
export interface BoundsReport {
  readonly validators: number;
  readonly byzantine: string;
  /** Validators under symmetry reduction: states that differ only by a permutation of them count once. */
  readonly interchangeable: readonly string[];
  readonly rounds: number;
  readonly crashes: number;
  readonly operations: readonly string[];
  readonly values: readonly string[];
  readonly checks: readonly string[];
  /** States whose continuations are checked: `off` if there are no demands. */
  readonly liveness: LivenessMode;
  /** Decisions that every continuation has to make. */
  readonly owed: readonly string[];
  /** Sentences on what can happen, which states are equivalent and what is left out. */
  readonly model: readonly string[];
}

/** Returns the bounds of an exploration of this scenario. @throws NotExplorable if it cannot be explored. */
export function boundsReport(scenario: Scenario, options: SystemOptions, liveness: LivenessMode): BoundsReport {
  const system = systemOf(scenario, options);
  const owed = liveness === "off" ? [] : demandsIn(system);
  const { rounds, crashes } = system.bounds;
  const operations = [...system.operations, ...system.recoveries].map(({ name }) => name);
  const names = accountValues(system, () => ALWAYS).map(({ name }) => name);
  return {
    validators: system.honest.length + 1,
    byzantine: system.byzantine.name,
    interchangeable: interchangeableIn(system).map((by) => system.honest[by]?.name ?? ""),
    rounds,
    crashes,
    operations,
    values: [...new Set(names)],
    checks: Object.entries(CHECKS)
      .filter(([name]) => name !== "liveness" || owed.length > 0)
      .map(([name, section]) => `${name} (protocol ${section})`),
    liveness: owed.length > 0 ? liveness : "off",
    owed,
    model: liveness === "off" || owed.length === 0 ? MODEL : [...MODEL, CONTINUED[liveness]],
  };
}

/** Descriptions of the continuations for each liveness mode. */
const CONTINUED: Readonly<Record<Exclude<LivenessMode, "off">, string>> = {
  resting:
    "liveness: each resting state is continued without further faults until all demands are met, once with the Byzantine validator silent and once with it correct",
  every:
    "liveness: each state is continued without further faults and earlier messages until all demands are met, once with the Byzantine validator silent and once with it correct",
};

const MODEL: readonly string[] = [
  "the network keeps everything that was ever signed and delivers it to any validator, at any time, in any order, any number of times, or never",
  "the Byzantine validator signs every vote and commit, round changes and closes with every existing certificate or none, and as proposer every proposal of the scenario's values on every set of round changes or closes",
  "clients submit every operation to any validator at any time; timers fire at any time once they are set; a crash happens between any two outputs",
  "certificates are identified by slot, round and value, justifications by their locks, closings by the slots that they list, each independent of the signers",
  "normalization removes from memory whatever can be delivered again: incomplete votes, round changes, reasons and offers",
  "partial-order reduction: an invisible step is delayed until its validator next signs, so states are those after a signature, a crash, or a submission that a restriction may bar",
  "no validator leaves round 0 in an exploration of round 0 alone, and a recovery is proposed only if the scenario submits one",
  "left out: synchronisation and state transfer, checkpoints except closings, burns from other accounts, queue limits, malformed messages, reasons that only votes pay for",
];
