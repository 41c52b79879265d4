/** Known-bad variants by name. A file of a theme exports its variants and nothing else. */
import * as admission from "./admission.ts";
import * as answers from "./answers.ts";
import * as balances from "./balances.ts";
import * as barriers from "./barriers.ts";
import * as batchPayments from "./batch-payments.ts";
import * as bridges from "./bridges.ts";
import * as burns from "./burns.ts";
import { CANARY, CONTROL } from "./canary.ts";
import * as cancellationAndRecovery from "./cancellation-and-recovery.ts";
import * as checkpoints from "./checkpoints.ts";
import * as clawbacks from "./clawbacks.ts";
import * as durability from "./durability.ts";
import * as encoding from "./encoding.ts";
import * as epochs from "./epochs.ts";
import * as fees from "./fees.ts";
import * as identities from "./identities.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import * as liveness from "./liveness.ts";
import * as locksAndRounds from "./locks-and-rounds.ts";
import * as multisig from "./multisig.ts";
import * as nonces from "./nonces.ts";
import * as padding from "./padding.ts";
import * as quorums from "./quorums.ts";
import * as retention from "./retention.ts";
import * as roles from "./roles.ts";
import * as tokenLists from "./token-lists.ts";
import * as verification from "./verification.ts";

const THEMES: readonly Readonly<Record<string, KnownBadVariant>>[] = [
  admission,
  answers,
  balances,
  barriers,
  batchPayments,
  bridges,
  burns,
  cancellationAndRecovery,
  checkpoints,
  clawbacks,
  durability,
  encoding,
  epochs,
  fees,
  identities,
  liveness,
  locksAndRounds,
  multisig,
  nonces,
  padding,
  quorums,
  retention,
  roles,
  tokenLists,
  verification,
];

/** All variants in the order of their names, without canary and control. */
export const BUGS: readonly KnownBadVariant[] = THEMES.flatMap((theme) => Object.values(theme)).sort((a, b) =>
  a.name < b.name ? -1 : 1,
);

/** Returns the variant of a name, canary and control included; `undefined` if there is none. */
export function findBug(name: string): KnownBadVariant | undefined {
  return [...BUGS, CANARY, CONTROL].find((bug) => bug.name === name);
}
