/** What an exploration looks at and what it leaves out, in words that stand beside its numbers. */
import type { Scenario } from "../scenario/scenario.ts";
import { type ArenaOptions, arenaOf } from "./arena.ts";
import { CHECKS } from "./checks.ts";
import { type LivenessMode, owedIn } from "./liveness.ts";
import { ALWAYS } from "./need.ts";
import { alikeIn } from "./symmetry.ts";
import { accountValues } from "./values.ts";

/** Bounds for programs: the names are part of the JSON line. */
export interface ToldBounds {
  readonly validators: number;
  readonly byzantine: string;
  /** States that differ only in which of these is which count once. */
  readonly interchangeable: readonly string[];
  readonly rounds: number;
  readonly crashes: number;
  readonly operations: readonly string[];
  readonly values: readonly string[];
  readonly checks: readonly string[];
  /** Which states are continued: `off` where nothing is owed. */
  readonly liveness: LivenessMode;
  /** The decisions that every continuation has to make. */
  readonly owed: readonly string[];
  /** In sentences: what can happen, what counts as the same, what is left out. */
  readonly model: readonly string[];
}

/** The bounds of an exploration of this scenario that checks liveness as `liveness` says. @throws NotExplorable where there can be none. */
export function toldBounds(scenario: Scenario, options: ArenaOptions, liveness: LivenessMode): ToldBounds {
  const arena = arenaOf(scenario, options);
  const owed = liveness === "off" ? [] : owedIn(arena);
  const { rounds, crashes } = arena.bounds;
  const operations = [...arena.operations, ...arena.recoveries].map(({ name }) => name);
  const names = accountValues(arena, () => ALWAYS).map(({ name }) => name);
  return {
    validators: arena.honest.length + 1,
    byzantine: arena.liar.name,
    interchangeable: alikeIn(arena).map((by) => arena.honest[by]?.name ?? ""),
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

/** Continuations, by the states from which there is one. */
const CONTINUED: Readonly<Record<Exclude<LivenessMode, "off">, string>> = {
  resting:
    "liveness: where no honest validator can sign anything more by itself, real validators go on without further faults, the Byzantine one silent and once more correct, until everything owed is decided",
  every:
    "liveness: from every state real validators go on without further faults and without any earlier message, the Byzantine one silent and once more correct, until everything owed is decided",
};

const MODEL: readonly string[] = [
  "the network keeps everything that was ever signed: any of it reaches anybody, at any time, in any order, any number of times, or never",
  "the Byzantine validator signs every vote and commit, round changes and closes with every certificate that exists or none, and in its turns every proposal of the scenario's values on every set of round changes or closes",
  "clients show every operation to everybody at any time; timers fire at any time once they are set; a crash strikes between any two outputs",
  "certificates count by slot, round and value, justifications by the locks that they name, closings by what they list: who signed makes no difference",
  "a validator forgets what it can be told again: half-collected votes, round changes, reasons and offers",
  "a step that signs nothing waits until its validator signs something next: a state is one right after somebody signed something, crashed, or was handed what a restriction may bar",
  "nobody leaves round 0 in an exploration of round 0 alone, and a recovery is proposed only where the scenario hands one in",
  "left out: synchronisation and state transfer, checkpoints but for closings, burns from other accounts, bounds of queues, malformed messages, reasons that only votes pay for",
];
