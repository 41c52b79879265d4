/** Types of a scenario file, from its schema. */
import type { Static } from "typebox";
import { DEFAULT_SEED } from "./limits.ts";
import type { scenarioShape } from "./schema/schema.ts";

export type Scenario = Static<typeof scenarioShape>;
/** Returns the seed of a scenario's run: the given one, else its own, else 1. */
export function seedOf({ seed }: Pick<Scenario, "seed">, given?: string): string {
  return given ?? seed ?? DEFAULT_SEED;
}

export type NetworkSpec = NonNullable<Scenario["network"]>;
export type GenesisSpec = NonNullable<Scenario["genesis"]>;
export type TokenSpec = NonNullable<GenesisSpec["tokens"]>[string];
export type ClientSpec = NonNullable<Scenario["clients"]>[string];
/** One event of a golden transcript: time, kind and what it refers to, by name. */
export type TranscriptEntry = NonNullable<Scenario["transcript"]>[number];
