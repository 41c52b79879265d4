/** Bounds and defaults of scenarios and runs. Times are virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/** Bytes of one scenario file. */
export const SCENARIO_BYTES = 1_048_576;
/** Uses of YAML aliases in one file: a "billion laughs" file stops here. */
export const YAML_ALIASES = 100;
/** Tokens of one file, line ends and spaces included: thirty times those of the longest file in `scenarios`. */
export const YAML_TOKENS = 120_000;
/** Beginning of the keys of the top level that hold shared parts of a file, for anchors; nothing else reads them. */
export const SHARED_PREFIX = "x-";
/** Nesting depth of lists and maps; a scenario needs eight. */
export const YAML_DEPTH = 32;
/** Problems that one file reports. */
export const PROBLEMS_SHOWN = 20;
/** Validators of one network. */
export const VALIDATORS_MAX = 128;
/** Keys of one validator: one digit names them. */
export const KEYS_MAX = 9;
/** The last epoch that a scenario may name. */
export const EPOCHS_MAX = 1_000_000;
/** The latest time that a scenario may name: one day. */
export const TIME_MAX = 86_400_000;
/** Faults of one chaos. */
export const CHAOS_FAULTS = 10_000;
/** Orders of one workload. */
export const WORKLOAD_MAX = 100_000;
/** Kinds of orders in one workload. */
export const MIX_MAX = 100;
/** Payments of a batch: more than the ledger admits, so that a file can show the refusal. */
export const LEGS_MAX = 300;
/** The last checkpoint that a scenario may name. */
export const CHECKPOINTS_MAX = 1_000_000;
/** Steps, and expectations, of one file. */
export const STEPS_MAX = 2_000;
/** Liveness bound: time from the healing to a decision that is owed, with instant disks (protocol 13.3). */
export const LIVENESS_MS = 30_000 as Millis;
/**
 * Sequential disk writes added to the liveness bound. Several rounds of three writes each time out before round timers
 * suffice for a slow disk, and each slot and epoch starts with short ones.
 */
export const LIVENESS_WRITES = 20;
/** Longest faulty phase after the last timed step, while the network is busy. */
export const FAULTS_GRACE_MS = 5_000;
/** Time after the healing and the last progress at which a run ends; more than the liveness bound. */
export const HEALING_MS = 60_000;
/** Additional time for late decisions to reach all validators. */
export const SETTLING_MS = 5_000;
/** Default bound of events of a run, so that a livelock ends. */
export const RUN_EVENTS = 5_000_000;
/** Highest bound of events in a scenario file. */
export const EVENTS_MAX = 100_000_000;
/** Events between two checks for an interruption. */
export const RUN_SLICE = 64;
/** Most events of a golden transcript. */
export const TRANSCRIPT_EVENTS = 500;
/** Default seed. */
export const DEFAULT_SEED = "1";
