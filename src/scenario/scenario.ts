/** A scenario file: its type. Other types stand beside their schemas (schema/), which the compiler compares with them. */
import type { Role } from "../core/base/operation.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { CheckpointsSpec, EpochsSpec, FeesSpec } from "./schema/epoch.ts";
import type { Expectation } from "./schema/expect.ts";
import type { Chance, Decimal, Delay, KeyName, Name } from "./schema/scalars.ts";
import type { ScheduleSpec } from "./schema/schedule.ts";
import type { Step } from "./schema/step.ts";

export interface Scenario {
  readonly name: string;
  /** The section of `docs/specification.md` or `docs/protocol.md` that the file shows. */
  readonly shows?: string;
  readonly network?: Network;
  readonly schedule?: ScheduleSpec;
  readonly genesis?: GenesisSpec;
  readonly clients?: Readonly<Record<Name, ClientSpec>>;
  /** The known-bad variant that runs instead of the real program. */
  readonly bug?: Name;
  readonly steps?: readonly Step[];
  readonly healing?: HealingSpec;
  /** Bound of events; default `RUN_STEPS`. */
  readonly events?: number;
  readonly expect?: readonly Expectation[];
  readonly invariants_off?: Readonly<Partial<Record<InvariantName, string>>>;
  readonly transcript?: readonly TranscriptEntry[];
}

/** One event of a golden transcript: time, kind and what it refers to, by name. */
export type TranscriptEntry = Readonly<Record<string, unknown>>;

export interface Network {
  readonly validators?: number;
  /** Validators that run from the start and sign nothing before they join a committee. */
  readonly spares?: readonly Name[];
  readonly delay_ms?: Delay;
  readonly client_delay_ms?: Delay;
  readonly loss?: Chance;
  readonly duplicate?: Chance;
  readonly reorder?: Chance;
  readonly write_ms?: Delay;
  /** Validators that run twice with one key: `v4` and `v4'`. */
  readonly twins?: readonly Name[];
}

export interface GenesisSpec {
  readonly chain_id?: number;
  readonly tokens?: Readonly<Record<Name, TokenSpec>>;
  readonly balances?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly fees?: FeesSpec;
  /** Most operations of one token slot. */
  readonly list_limit?: number;
  /** Issued tokens start unpaused; default: paused (specification 6.5). */
  readonly open_tokens?: boolean;
  /** Checkpoint policy; default: no checkpoints. */
  readonly checkpoints?: CheckpointsSpec;
  /** Number of checkpoints after which an epoch closes; default: by governance only. */
  readonly epochs?: EpochsSpec;
  /** Reward account by validator; default: the account of its own name. */
  readonly rewards?: Readonly<Record<KeyName, Name>>;
}

export interface TokenSpec {
  readonly decimals: number;
  readonly master: Name;
  readonly name?: string;
  readonly state?: "paused" | "unpaused";
  readonly private?: boolean;
  readonly roles?: Readonly<Partial<Record<Role, readonly Name[]>>>;
  /** Allowances of holders of MintBurnTokens; default 0. */
  readonly allowances?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}

export interface ClientSpec {
  /** Two services with this account's key, `alice` and `alice'`, each correct by itself. */
  readonly twin?: boolean;
  readonly behaviour?: "correct" | "scripted";
  readonly home?: Name;
  readonly window?: number;
  readonly timeout_ms?: number;
  readonly cancel_after?: number;
  readonly give_up_after?: number;
  /** `reuse`: the next operation gets the nonce of one refused undisclosed (protocol 4.2). */
  readonly on_refusal?: "cancel" | "reuse";
}

export interface HealingSpec {
  readonly at?: number;
  readonly core?: readonly Name[];
  readonly everywhere?: boolean;
  /** No healing: liveness is not demanded. */
  readonly none?: boolean;
}
