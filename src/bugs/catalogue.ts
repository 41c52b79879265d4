/** Known-bad variants by name, with the self-check of a hunt: a variant for each oracle, and a control. */
import { INVARIANTS } from "../invariants/catalogue.ts";
import type { InvariantName } from "../invariants/observation.ts";
import { ANSWERS } from "./admission-and-answers.ts";
import { BALANCES_AND_NONCES } from "./balances-and-nonces.ts";
import { BURNS } from "./burns.ts";
import { CANCELLATION_AND_RECOVERY } from "./cancellation-and-recovery.ts";
import { CHECKPOINTS_AND_EPOCHS } from "./checkpoints-and-epochs.ts";
import { DURABILITY } from "./durability.ts";
import { FEES_AND_BATCHES } from "./fees-and-batches.ts";
import { IDENTITIES_AND_SIGNERS } from "./identities-and-signers.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { LISTS_AND_BARRIERS } from "./lists-and-barriers.ts";
import { LIVENESS } from "./liveness.ts";
import { LOCKS_AND_ROUNDS } from "./locks-and-rounds.ts";
import { QUORUMS } from "./quorums.ts";
import { ROLES } from "./roles.ts";

const THEMES = [
  ANSWERS,
  BALANCES_AND_NONCES,
  LISTS_AND_BARRIERS,
  BURNS,
  CANCELLATION_AND_RECOVERY,
  CHECKPOINTS_AND_EPOCHS,
  DURABILITY,
  FEES_AND_BATCHES,
  IDENTITIES_AND_SIGNERS,
  LIVENESS,
  LOCKS_AND_ROUNDS,
  QUORUMS,
  ROLES,
];

/** All variants in the order of their names, without the control. */
export const BUGS: readonly KnownBadVariant[] = THEMES.flatMap((theme) => Object.entries(theme))
  .map(([name, variant]) => ({ name, ...variant }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Variant that an oracle reports within few drawn worlds. */
export interface Probe {
  readonly bug: string;
  /** Part of the text that the report must contain, for an oracle that checks several properties; default: any. */
  readonly words?: string;
  /** True if only runs with a Byzantine validator count. They excuse this oracle beyond f, so too wide an excuse shows. */
  readonly needsByzantine?: true;
}

/** Probes of a hunt's self-check: an oracle, a fault or an end of faults that is missing leaves one unreported. */
export const PROBES: Readonly<Record<InvariantName, Probe>> = {
  agreement: { bug: "commit-is-vote", needsByzantine: true },
  irreversibility: { bug: "hasty-refusal", needsByzantine: true },
  conservation: { bug: "lost-fee", words: "is not conserved" },
  accounts: { bug: "nonce-gap" },
  authority: { bug: "id-covers-signature" },
  amnesia: { bug: "undurable-lock" },
  convergence: { bug: "never-compares", needsByzantine: true },
  liveness: { bug: "private-cause" },
  checkpoints: { bug: "nonce-gap", needsByzantine: true },
  fees: { bug: "lost-fee" },
  accountability: { bug: "unjustified-skip" },
  validity: { bug: "unread-nonce" },
  answers: { bug: "told-twice" },
  footprint: { bug: "keeps-subscribers" },
  fairness: { bug: "careless-lists" },
  recovery: { bug: "nonce-gap" },
};

/** Real program, wrapped like a variant. A hunt that reports it has false positives. */
export const CONTROL: KnownBadVariant = {
  name: "control",
  mistake: "nothing",
  source: "protocol 7",
  caughtBy: INVARIANTS,
  rules: (real) => ({ ...real }),
  program: (real) => ({ ...real, step: (state, input) => real.step(state, input) }),
};

/** Returns the variant of a name, the control included; `undefined` if there is none. */
export function findBug(name: string): KnownBadVariant | undefined {
  return [...BUGS, CONTROL].find((bug) => bug.name === name);
}
