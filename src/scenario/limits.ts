/** Every bound of this layer, and what stands where nothing is said. Times are in virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/** Bytes of one scenario file. */
export const SCENARIO_BYTES = 1_048_576;
/** Uses of YAML aliases in one file: a "billion laughs" file stops here. */
export const YAML_ALIASES = 100;
/** How deep lists and maps may stand in each other; a scenario needs eight. */
export const YAML_DEPTH = 32;
/** Problems that one file reports. */
export const PROBLEMS_SHOWN = 20;
/** Validators of one network. */
export const VALIDATORS_MAX = 128;
/** Keys of one validator: one digit names them. */
export const KEYS_MAX = 9;
/** The last epoch that a scenario may name. */
export const EPOCHS_MAX = 1_000_000;
/** The last virtual moment that a scenario may name: one day. */
export const TIME_MAX = 86_400_000;
/** Orders of one workload. */
export const WORKLOAD_MAX = 100_000;
/** Kinds of orders in one workload. */
export const MIX_MAX = 100;
/** The last checkpoint that a scenario may name. */
export const CHECKPOINTS_MAX = 1_000_000;
/** Steps, and expectations, of one file. */
export const STEPS_MAX = 2_000;
/** Time after the healing within which an operation of a correct client is decided (protocol 13.3), where disks take no time. */
export const LIVENESS_MS = 30_000 as Millis;
/**
 * Writes that may come before a decision, one after the other, on top of that: several rounds of three each are over before
 * rounds are long enough for a slow disk, and each slot and each epoch begins with short ones again.
 */
export const LIVENESS_WRITES = 20;
/** How long after the last timed step the faulty phase may go on while the network is still busy. */
export const FAULTS_GRACE_MS = 5_000;
/** How long a run may go on after the healing and the last progress: past the bound by which liveness is judged. */
export const HEALING_MS = 60_000;
/** And this much longer where a decision made at the very end has not reached everybody, in virtual milliseconds. */
export const SETTLING_MS = 5_000;
/** Events of one run whose file names no bound, so that a livelock ends without a verdict on its end and not as a hang. */
export const RUN_STEPS = 5_000_000;
/** The most events that a scenario file may ask for. */
export const EVENTS_MAX = 100_000_000;
/** Events between two questions whether a run shall stop. */
export const RUN_SLICE = 64;
/** Records of a run that a golden transcript may hold. */
export const TRANSCRIPT_LINES = 500;
/** The seed of whoever names none: a file that fails under it needs no further word. */
export const DEFAULT_SEED = "1";
/** Events that are kept to say what keeps a run going that does not come to rest, and how many kinds of them are told. */
export const LATE_EVENTS = 1_000;
export const LATE_KINDS = 3;
