/** What a served network begins with: plain JSON, the head of its recording. */
import type { PrivateKey } from "../core/crypto/scheme.ts";
import type { Scenario } from "../scenario/scenario.ts";

export interface Setup {
  /** Its network and genesis, and the steps that befall it at their virtual times. */
  readonly scenario: Scenario;
  readonly seed: string;
  readonly crypto: "real" | "stand-in";
  /** Private keys of named accounts; the key of any other name follows from the name. */
  readonly keys: Readonly<Record<string, PrivateKey>>;
  /** The names of those that stand ready for clients, in order. */
  readonly accounts: readonly string[];
  /** Unix milliseconds of virtual time 0: what the clocks of all validators begin with. */
  readonly startedAt: number;
}
