/** Types of expectations; `schema/expect.ts` describes them. */
import type { Role } from "../core/base/operation.ts";
import type { RefusalCode } from "../core/base/refusal.ts";
import type { Misbehaviour } from "../core/validator/output.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { AnyCoveragePoint } from "./coverage-points.ts";
import type { Decimal, KeyName, Name, OneOrMoreNames } from "./scalar-types.ts";

export type Expectation = {
  readonly at?: number;
  readonly within_ms?: number;
  readonly faulty?: readonly Name[];
} & ExpectationKinds;

/** Exactly one of them. */
export interface ExpectationKinds {
  readonly final?: OneOrMoreNames;
  readonly superseded?: OneOrMoreNames;
  readonly pending?: OneOrMoreNames;
  readonly undecided?: OneOrMoreNames;
  readonly refused?: Readonly<Record<Name, RefusalCode>>;
  readonly failed?: Readonly<Record<Name, RefusalCode>>;
  readonly fee?: Readonly<Record<Name, Decimal>>;
  readonly balance?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly nonce?: Readonly<Record<Name, number>>;
  readonly pool?: Readonly<Record<Name, Decimal>>;
  readonly token?: Readonly<Record<Name, TokenState>>;
  readonly blocked?: OneOrMoreNames;
  readonly violation?: InvariantName | "none";
  readonly stalled?: true | OneOrMoreNames;
  readonly nothing_final?: true;
  readonly coverage?: AnyCoveragePoint | readonly AnyCoveragePoint[];
  readonly reported?: Readonly<Record<Name, Misbehaviour | "any">>;
  readonly all_final?: true;
  readonly checkpointed?: OneOrMoreNames;
  readonly unlisted?: OneOrMoreNames;
  readonly checkpoints?: number | { readonly at_least: number };
  readonly void?: OneOrMoreNames;
  readonly epoch?: number | { readonly at_least: number };
  readonly committee?: readonly KeyName[];
}

export type ExpectationKind = keyof ExpectationKinds;

export interface TokenState {
  readonly exists?: boolean;
  readonly paused?: boolean;
  readonly private?: boolean;
  readonly name?: string;
  readonly uri?: string;
  readonly additional?: Readonly<Record<string, string>>;
  readonly decimals?: number;
  readonly master?: Name;
  readonly supply?: Decimal;
  readonly roles?: Readonly<Partial<Record<Role, readonly Name[]>>>;
  readonly allowance?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}
