/** Invariants by name, each with its section of the protocol, its rows of docs/bugs.md and its definition. */
import type { Oracle } from "./fold.ts";
import type { InvariantName, RunSetting } from "./observation.ts";
import { accountability } from "./oracles/accountability.ts";
import { accounts } from "./oracles/accounts.ts";
import { agreement, appliedAgreement } from "./oracles/agreement.ts";
import { amnesia } from "./oracles/amnesia.ts";
import { answers } from "./oracles/answers.ts";
import { appliedAuthority, authority, secondReadings } from "./oracles/authority/authority.ts";
import { checkpoints } from "./oracles/checkpoints/checkpoints.ts";
import { conservation } from "./oracles/conservation.ts";
import { convergence } from "./oracles/convergence.ts";
import { fairness } from "./oracles/fairness/fairness.ts";
import { fees } from "./oracles/fees.ts";
import { footprint } from "./oracles/footprint.ts";
import { irreversibility } from "./oracles/irreversibility.ts";
import { liveness } from "./oracles/liveness/liveness.ts";
import { servedLiveness } from "./oracles/liveness/served-liveness.ts";
import { recovery } from "./oracles/recovery.ts";
import { validity } from "./oracles/validity/validity.ts";

interface OracleRecord {
  /** Section of docs/protocol.md. */
  readonly section: string;
  /** Rows of docs/bugs.md. */
  readonly bugs: readonly string[];
  /** The property in one sentence. */
  readonly sentence: string;
  /** The facts that the oracle compares, in one or two sentences. */
  readonly reads: string;
  /** The time at which it judges. */
  readonly judged: string;
  /** The cases that it does not count as a violation. */
  readonly excuses: string;
  /** True if more than f Byzantine validators can break it with every honest validator correct (protocol 7). */
  readonly needsBound: boolean;
  readonly oracle: (setting: RunSetting) => Oracle;
  /** Of a served network, which has no end; default: the same. */
  readonly served?: (setting: RunSetting) => Oracle | readonly Oracle[];
  /** Of validators with a protocol of their own; "none": it reads what only ours say. Default: the same. */
  readonly opaque?: ((setting: RunSetting) => Oracle) | "none";
}

export interface CatalogueEntry extends OracleRecord {
  readonly name: InvariantName;
}

/**
 * In the order of protocol 7. If one record breaks several invariants, the first in this order is closest to the cause.
 */
const ORACLES: Readonly<Record<InvariantName, OracleRecord>> = {
  agreement: {
    section: "7.1",
    bugs: ["I1", "I2", "I3", "I21"],
    sentence:
      "No slot has two values with a quorum of commits among all signatures ever made, no closing of an epoch contradicts a final value, and no decision contradicts what an honest validator has applied.",
    reads:
      "Every signature at the signer, delivered or not; accepted certificates, closings, halts, and the final responses that clients believed.",
    judged: "At each signature, and at each accepted certificate, closing, halt and believed response.",
    excuses: "Nothing at a single validator. Beyond f Byzantine validators its findings count as `beyond_f`.",
    needsBound: true,
    oracle: agreement,
    opaque: appliedAgreement,
  },
  irreversibility: {
    section: "7.2",
    bugs: ["I6", "I12", "I21"],
    sentence:
      "A decision that any client or validator saw as final stays final, an operation refused undisclosed is never decided, a void one not in its epoch, and a client whose operation lost its nonce receives the winner.",
    reads:
      "Applied slots, accepted certificates and closings of honest validators; all submissions, and each response as sent and as received.",
    judged: "At each of these records; its memory of finality outlives every crash.",
    excuses:
      "Two values of which one is known by its hash only; responses of Byzantine validators without a valid certificate; a refusal where one of the validators asked is Byzantine or may have disclosed the operation before a crash.",
    needsBound: true,
    oracle: irreversibility,
  },
  conservation: {
    section: "7.3",
    bugs: ["I7"],
    sentence: "Balances and fee pool equal genesis plus minted minus burned, and receipts explain every balance.",
    reads:
      "The differences of balances, fee pools and counters in the state of each honest validator, and its receipts.",
    judged: "After each slot that an honest validator applies, and after each closing.",
    excuses: "Nothing. A gap is reported once, when it appears. The receivers of fee shares are the matter of `fees`.",
    needsBound: false,
    oracle: conservation,
  },
  accounts: {
    section: "7.4",
    bugs: ["I8", "I9"],
    sentence: "No balance falls below zero, nonces rise by one, and no operation takes effect twice.",
    reads: "The differences of nonces, sequences and balances in the state of each honest validator, and its receipts.",
    judged: "After each slot that an honest validator applies, and after each closing.",
    excuses:
      "An application that a validator repeats after a restart, since its ledger begins anew. A forced burn uses no nonce.",
    needsBound: false,
    oracle: accounts,
  },
  authority: {
    section: "7.5",
    bugs: ["I13", "I14"],
    sentence:
      "Every effect was authorised by a role held at its position in the token's order, restrictions bar, an id names one operation, its owner submitted it in exactly these fields, and only the operator changes the parameters of an epoch.",
    reads:
      "The order of each token, rebuilt from the decided lists; final operations of accounts; submissions; the operator's proposals.",
    judged:
      "When a value of an account becomes final, and when an honest validator applies a slot or a closing. In a served network, where signatures are copied, also: no effect of a second reading of a signature that was submitted as another operation before.",
    excuses:
      "Effects in account slots beyond f; a payment whose restriction was not final when the client first submitted it; lists after two lists of one version were final.",
    needsBound: false,
    oracle: authority,
    served: (setting) => [authority(setting), secondReadings()],
    opaque: appliedAuthority,
  },
  amnesia: {
    section: "7.6",
    bugs: ["I4", "I5"],
    sentence:
      "An honest validator never contradicts its earlier signatures, nor signs in an epoch that it has closed, even across crashes; after it lost its disk it signs nothing with a key with which it had signed. A round change shows a reason again if an earlier one in its slot did.",
    reads:
      "Every signature of an honest key, beside all that this key signed before; lost disks; the reasons that round changes show, and those that are durable at a restart.",
    judged: "At each signature of an honest validator.",
    excuses: "The same statement signed again, and a round change to a lower round.",
    needsBound: false,
    oracle: amnesia,
    opaque: "none",
  },
  convergence: {
    section: "7.7",
    bugs: ["I10", "I14"],
    sentence: "Once faults have healed and traffic has stopped, all honest validators hold the same state.",
    reads: "The state root and the facts of each honest validator at the end of the run.",
    judged: "At the end of a run that healed and came to rest.",
    excuses:
      "Runs without a healing, runs cut short, and a validator that lacks only a closing that is younger than the time to catch up.",
    needsBound: true,
    oracle: convergence,
  },
  liveness: {
    section: "7.8",
    bugs: ["I15", "I16"],
    sentence:
      "After the healing every operation of a correct client is decided within the bound, or void with its epoch, every validator responds to every submission, epochs close, and checkpoints list what was decided.",
    reads:
      "Submissions, responses, applied slots and closings; the causes of closings that honest validators know; refusals for want of room.",
    judged:
      "When an operation ends, at each closing, and at the end of the run, from the healing on; at the end of a run that came to rest, whether a decided slot stands in no checkpoint. In a served network each second of virtual time, of what has been owed for the bound while no fault was in force.",
    excuses:
      "Operations of clients that equivocate; operations that no correct validator of the core can know; operations that wait for funds, or for an earlier nonce that nobody asks for; operations that a restriction bars and whose client was told; cancellations that nobody can pair; a closing at the end of the run whose cause is known for no longer than the bound; slots decided within the bound before the end, and a last checkpoint whose timestamp is still to come; everything after an honest validator has halted.",
    needsBound: false,
    oracle: liveness,
    served: servedLiveness,
  },
  checkpoints: {
    section: "7.9",
    bugs: ["I7", "I11"],
    sentence:
      "One hash per number, parents link, exactly one checkpoint lists each decided operation, that of its epoch's closing at the latest, and the chain replays: its state and receipts have the roots that each link names.",
    reads: "The checkpoints and closings that honest validators apply with their state roots, and every applied slot.",
    judged: "At each checkpoint and closing.",
    excuses: "Runs without checkpoints, but for what a closing lists.",
    needsBound: true,
    oracle: checkpoints,
    opaque: "none",
  },
  fees: {
    section: "7.10",
    bugs: ["I7"],
    sentence:
      "Each receipt's fee is its epoch's, mint and burn are free, the pool is the sum of fees less the shares paid out, and the shares are equal.",
    reads: "Receipts, fee pools and balances of each honest validator, and the fees of its epoch.",
    judged: "After each slot that an honest validator applies, and after each closing.",
    excuses: "The choice of a skip's fee step, which `validity` judges at the vote, where the balance is known.",
    needsBound: false,
    oracle: fees,
  },
  accountability: {
    section: "7.11",
    bugs: ["I17"],
    sentence:
      "Contradicting signatures prove their key faulty, no honest key is provably faulty, and broken agreement proves f + 1 keys faulty.",
    reads: "Every signature, and the reports of honest validators.",
    judged: "At each signature, report and closing.",
    excuses: "Reports of Byzantine validators, and accounts whose client is not a correct one.",
    needsBound: false,
    oracle: accountability,
    opaque: "none",
  },
  validity: {
    section: "7.13",
    bugs: ["I10", "I13", "I19", "I22"],
    sentence:
      "Every signature of an honest validator, and its first answer to a submission, satisfies the rules of an independent, sequential reference ledger in its epoch, and each decision that it shows proves itself.",
    reads:
      "Votes, proposals and answers of honest validators, and the slots that they apply, beside one reference ledger for each validator; and the contents and certificates of decisions that they apply or send to clients.",
    judged:
      "At each vote and proposal, at the answer in the step in which a submission arrives, at each refusal of a cancellation, and after each applied slot and closing.",
    excuses:
      "A vote repeated after a restart; the content of a forced value, of which only the place is judged; beyond f, an applied value that no rule allows. A validator that departs from its reference ledger is not judged again before its restart. A refusal for a signature, a rule of the token while a restriction of it is on its way, and the admission of what others may have disclosed.",
    needsBound: false,
    oracle: validity,
    opaque: "none",
  },
  answers: {
    section: "7.14",
    bugs: ["I22"],
    sentence:
      "A validator shows a receipt when it has applied the operation, with the outcome, code and fee that honest validators applied, and says nothing else of that operation afterwards. It tells each client that listens, once for each submission.",
    reads: "The receipts of slots that honest validators apply, and each response that they send.",
    judged: "At each response.",
    excuses:
      "Operations older than the last 16,384, and that a nonce was settled before the oldest state that is kept.",
    needsBound: false,
    oracle: answers,
  },
  footprint: {
    section: "7.15",
    bugs: ["I23"],
    sentence:
      "A validator at rest keeps what is open, what no checkpoint lists yet, and the last eight checkpoints, and nothing else; of what is open nothing that it refused, and what peers showed in their budgets only.",
    reads:
      "What each node of the healed core keeps in its collections, the slots and links that it applied, and its answers.",
    judged: "At the end of the run.",
    excuses:
      "What a restart has applied, until the next link; sixty-four contents and digests that late messages bring back; outcomes after a state transfer, for eight links; collections with as many entries as there are peers; a run without checkpoints keeps all slots.",
    needsBound: false,
    oracle: footprint,
    opaque: "none",
  },
  fairness: {
    section: "7.16",
    bugs: ["I24"],
    sentence:
      "Lists serve due operations by age, authorities burn in turn, and while no fault is active each slot in which an admitted operation waits is decided within 5 s, whatever other accounts do.",
    reads: "Admissions, proposals of honest validators beside what is due at each of them, and every applied slot.",
    judged:
      "At each proposal of a list, at each forced burn, at the first application of each slot, and at the end of the run; in a served network each second of virtual time.",
    excuses:
      "Lists and waits where a disk takes time; the turns of authorities beside Byzantine validators; waits while a fault is active, and for the liveness bound after it; accounts whose owner signed a conflict, cancels, is barred or lacks funds; slots while an epoch closes.",
    needsBound: false,
    oracle: fairness,
    opaque: "none",
  },
  recovery: {
    section: "7.17",
    bugs: ["I25"],
    sentence:
      "A recovery frees an account that is blocked, and does nothing else: it uses up one nonce, moves its fee alone, and overrules nothing that was decided.",
    reads:
      "Each recovery that an honest validator applies, with its evidence, all changes, and every vote cast in its slot.",
    judged: "At each recovery that an honest validator applies.",
    excuses: "A slot in which a Byzantine validator has signed anything: it could have offered both operations itself.",
    needsBound: true,
    oracle: recovery,
    opaque: "none",
  },
};

export const INVARIANTS: readonly InvariantName[] = Object.keys(ORACLES) as InvariantName[];

export const CATALOGUE: readonly CatalogueEntry[] = INVARIANTS.map((name) => ({ name, ...ORACLES[name] }));

/** Invariants that hold only up to f Byzantine validators (protocol 7). */
export const NEEDS_BOUND: ReadonlySet<InvariantName> = new Set(INVARIANTS.filter((name) => ORACLES[name].needsBound));

/** Returns all oracles of one run. */
export function allOracles(setting: RunSetting): readonly Oracle[] {
  return CATALOGUE.flatMap(({ oracle, opaque = oracle }) => {
    if (!setting.isOpaque) return oracle(setting);
    return opaque === "none" ? [] : opaque(setting);
  });
}

/** Returns all oracles of a served network. */
export function servedOracles(setting: RunSetting): readonly Oracle[] {
  return CATALOGUE.flatMap(({ oracle, served = oracle }) => served(setting));
}
