/** Invariants by name, each with its section of the protocol, its rows of docs/bugs.md and its definition. */

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
  /**
   * True if more than f Byzantine validators can break it with every honest validator correct (protocol 7, last
   * paragraph).
   */
  readonly needsBound: boolean;
  readonly oracle: (setting: Setting) => Oracle;
}

/**
 * In the order of protocol 7. If one record breaks several invariants, the first in this order is closest to the cause.
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: "agreement",
    section: "7.1",
    bugs: ["I1", "I2", "I3", "I21"],
    sentence:
      "No slot has two values with a quorum of commits among all signatures ever made, no closing of an epoch contradicts a final value, and no decision contradicts what an honest validator has applied.",
    needsBound: true,
    oracle: agreement,
  },
  {
    name: "irreversibility",
    section: "7.2",
    bugs: ["I6", "I12", "I21"],
    sentence:
      "A decision that any client or validator saw as final stays final, an operation refused undisclosed is never decided, a void one not in its epoch, and a client whose operation lost its nonce receives the winner.",
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
      "Every effect was authorised by a role held at its position in the token's order, restrictions bar, and only the operator changes the parameters of an epoch.",
    needsBound: false,
    oracle: authority,
  },
  {
    name: "amnesia",
    section: "7.6",
    bugs: ["I4", "I5"],
    sentence:
      "An honest validator never contradicts its earlier signatures, nor signs in an epoch that it has closed, even across crashes.",
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
      "After the healing every operation of a correct client is decided within the bound, or void with its epoch, every validator responds to every submission, and epochs close.",
    needsBound: false,
    oracle: liveness,
  },
  {
    name: "checkpoints",
    section: "7.9",
    bugs: ["I7", "I11"],
    sentence:
      "One hash per number, parents link, exactly one checkpoint lists each decided operation, that of its epoch's closing at the latest, and the chain replays.",
    needsBound: true,
    oracle: checkpoints,
  },
  {
    name: "fees",
    section: "7.10",
    bugs: ["I7"],
    sentence:
      "Each receipt's fee is its epoch's, mint and burn are free, the pool is the sum of fees less the shares paid out, and the shares are equal.",
    needsBound: false,
    oracle: fees,
  },
  {
    name: "accountability",
    section: "7.11",
    bugs: ["I17"],
    sentence:
      "Contradicting signatures prove their key faulty, no honest key is provably faulty, and broken agreement proves f + 1 keys faulty.",
    needsBound: false,
    oracle: accountability,
  },
  {
    name: "validity",
    section: "7.13",
    bugs: ["I10", "I13", "I19"],
    sentence:
      "Every signature of an honest validator satisfies the rules of an independent, sequential reference ledger in its epoch.",
    needsBound: false,
    oracle: validity,
  },
];

/** Returns all oracles of one run. */
export function everyOracle(setting: Setting): readonly Oracle[] {
  return CATALOGUE.map((entry) => entry.oracle(setting));
}
