/** Setup of a served network: plain JSON, the head of its recording. */
import type { PrivateKey } from "../core/crypto/scheme.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface Setup {
  /** Network, genesis and the steps that are executed at their virtual times. */
  readonly scenario: Scenario;
  readonly seed: string;
  readonly crypto: "real" | "stand-in";
  /** Private keys of named accounts; the key of any other name is derived from the name. */
  readonly keys: Readonly<Record<string, PrivateKey>>;
  /** Names of the ready accounts, in order. */
  readonly accounts: readonly string[];
  /** Unix milliseconds of virtual time 0, the start of all validators' clocks. */
  readonly startedAt: number;
}
