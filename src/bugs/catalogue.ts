/** Known-bad variants by name, with the canary and the control of a hunt, which must detect the first and not the second. */
import type { Amount } from "../core/base/amount.ts";
import { credit } from "../core/ledger/balances.ts";
import { INVARIANTS } from "../invariants/catalogue.ts";
import { ANSWERS } from "./admission-and-answers.ts";
import { alterStateAfterApply, paymentOf } from "./altered-rules.ts";
import { BALANCES } from "./balances.ts";
import { BARRIERS } from "./barriers.ts";
import { BATCH_PAYMENTS } from "./batch-payments.ts";
import { BURNS } from "./burns.ts";
import { CANCELLATION_AND_RECOVERY } from "./cancellation-and-recovery.ts";
import { CHECKPOINTS_AND_EPOCHS } from "./checkpoints-and-epochs.ts";
import { DURABILITY } from "./durability.ts";
import { FEES } from "./fees.ts";
import { IDENTITIES } from "./identities.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { LIVENESS } from "./liveness.ts";
import { LOCKS_AND_ROUNDS } from "./locks-and-rounds.ts";
import { MULTISIG } from "./multisig.ts";
import { NONCE_RULES } from "./nonces.ts";
import { QUORUMS } from "./quorums.ts";
import { ROLES } from "./roles.ts";
import { TOKEN_LISTS } from "./token-lists.ts";

const THEMES = [
  ANSWERS,
  BALANCES,
  BARRIERS,
  BATCH_PAYMENTS,
  BURNS,
  CANCELLATION_AND_RECOVERY,
  CHECKPOINTS_AND_EPOCHS,
  DURABILITY,
  FEES,
  IDENTITIES,
  LIVENESS,
  LOCKS_AND_ROUNDS,
  MULTISIG,
  NONCE_RULES,
  QUORUMS,
  ROLES,
  TOKEN_LISTS,
];

/** All variants in the order of their names, without canary and control. */
export const BUGS: readonly KnownBadVariant[] = THEMES.flatMap((theme) => Object.entries(theme))
  .map(([name, variant]) => ({ name, ...variant }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

/** Broken in every payment. A hunt that misses it detects nothing. */
export const CANARY: KnownBadVariant = {
  name: "canary",
  mistake: "every payment creates one unit",
  source: "protocol 7.3",
  caughtBy: ["conservation", "validity"],
  rules: alterStateAfterApply((after, _before, decided) => {
    const payment = paymentOf(decided);
    return payment === undefined ? after : credit(after, payment.recipient, payment.token, 1n as Amount);
  }),
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

/** Returns the variant of a name, canary and control included; `undefined` if there is none. */
export function findBug(name: string): KnownBadVariant | undefined {
  return [...BUGS, CANARY, CONTROL].find((bug) => bug.name === name);
}
