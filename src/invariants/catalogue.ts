/** The invariants by name: where the protocol states each, which rows of docs/bugs.md it catches, what it says. */

import type { Oracle } from "./fold.ts";
import type { InvariantName, Setting } from "./observation.ts";
import { accountability } from "./oracles/accountability.ts";
import { accounts } from "./oracles/accounts.ts";
import { agreement } from "./oracles/agreement.ts";
import { amnesia } from "./oracles/amnesia.ts";
import { authority } from "./oracles/authority.ts";
import { checkpoints } from "./oracles/checkpoints.ts";
import { conservation } from "./oracles/conservation.ts";
import { convergence } from "./oracles/convergence.ts";
import { fees } from "./oracles/fees.ts";
import { irreversibility } from "./oracles/irreversibility.ts";
import { liveness } from "./oracles/liveness.ts";
import { validity } from "./oracles/validity.ts";

export interface CatalogueEntry {
  readonly name: InvariantName;
  /** Section of docs/protocol.md. */
  readonly section: string;
  /** Rows of docs/bugs.md. */
  readonly bugs: readonly string[];
  readonly sentence: string;
  /** Whether more than f Byzantine validators can break it without anybody else's fault (protocol 7, last paragraph). */
  readonly needsBound: boolean;
  readonly oracle: (setting: Setting) => Oracle;
}

/** In the order of protocol 7; where one record breaks several, the first named tells most about the cause. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: "agreement",
    section: "7.1",
    bugs: ["I1", "I2", "I3", "I21"],
    sentence:
      "No slot has two values for which a quorum of commits exists among all signatures ever made, and every closing of an epoch decides what is final there, and no decision contradicts what an honest validator has applied.",
    needsBound: true,
    oracle: agreement,
  },
  {
    name: "irreversibility",
    section: "7.2",
    bugs: ["I6", "I12", "I21"],
    sentence:
      "What any client or validator saw as final stays; what was refused and shown to nobody is never decided, what is void in an epoch not there, and whoever lost a nonce hears to what.",
    needsBound: true,
    oracle: irreversibility,
  },
  {
    name: "conservation",
    section: "7.3",
    bugs: ["I7"],
    sentence: "Balances and fee pool equal genesis plus minted minus burned, and receipts explain every balance.",
    needsBound: false,
    oracle: conservation,
  },
  {
    name: "accounts",
    section: "7.4",
    bugs: ["I8", "I9"],
    sentence: "No balance falls below zero, nonces rise by one, and no operation takes effect twice.",
    needsBound: false,
    oracle: accounts,
  },
  {
    name: "authority",
    section: "7.5",
    bugs: ["I13", "I14"],
    sentence:
      "Every effect was authorised by a role held at its place in the token's order, restrictions bar, and only the operator changes what an epoch fixes.",
    needsBound: false,
    oracle: authority,
  },
  {
    name: "amnesia",
    section: "7.6",
    bugs: ["I4", "I5"],
    sentence:
      "An honest validator never contradicts what it signed before, nor signs in an epoch that it has closed, whatever crashes.",
    needsBound: false,
    oracle: amnesia,
  },
  {
    name: "convergence",
    section: "7.7",
    bugs: ["I10", "I14"],
    sentence: "Once faults have healed and traffic has stopped, all honest validators hold the same state.",
    needsBound: true,
    oracle: convergence,
  },
  {
    name: "liveness",
    section: "7.8",
    bugs: ["I15", "I16"],
    sentence:
      "After the healing every operation of a correct client is decided within the bound, or void with its epoch, every validator that is asked answers, and epochs close.",
    needsBound: false,
    oracle: liveness,
  },
  {
    name: "checkpoints",
    section: "7.9",
    bugs: ["I7", "I11"],
    sentence:
      "One hash per number, parents link, each decided operation stands in one checkpoint, that of its epoch's closing at the latest, and all replays.",
    needsBound: true,
    oracle: checkpoints,
  },
  {
    name: "fees",
    section: "7.10",
    bugs: ["I7"],
    sentence:
      "Each receipt's fee is its epoch's, mint and burn are free, the pool is the sum of fees less what was shared, and the shares are equal.",
    needsBound: false,
    oracle: fees,
  },
  {
    name: "accountability",
    section: "7.11",
    bugs: ["I17"],
    sentence: "Contradicting signatures name their key, nobody honest is named, broken agreement names f + 1.",
    needsBound: false,
    oracle: accountability,
  },
  {
    name: "validity",
    section: "7.13",
    bugs: ["I10", "I13", "I19"],
    sentence:
      "Whatever an honest validator signs satisfies the rules of an independent, sequential reference ledger in its epoch.",
    needsBound: false,
    oracle: validity,
  },
];

/** All oracles for one run. */
export function everyOracle(setting: Setting): readonly Oracle[] {
  return CATALOGUE.map((entry) => entry.oracle(setting));
}
