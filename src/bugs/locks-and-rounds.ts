/** Variants with wrong rules for locks, commits, round changes and closes, or for reports about them (bugs C). */
import { requireDefined } from "../core/base/assert.ts";
import type { Epoch, Hash, Round } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { RoundChange } from "../core/consensus/message.ts";
import { roundValueIn } from "../core/consensus/slot-state.ts";
import { isChainContent } from "../core/validator/content.ts";
import type { SnapshotOffer } from "../core/validator/message.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { proofOf } from "../core/validator/transfer/state-transfer.ts";
import { type PeerAttack, withByzantinePeer } from "./byzantine-peer.ts";
import { replaceOutputs, replaceRules, replaceStep, type VariantTable } from "./known-bad-variant.ts";

export const LOCKS_AND_ROUNDS: VariantTable = {
  "counted-reports": {
    mistake: "a lock forces a value only if two round changes report it, so a recovery misses a hidden certificate",
    source: "protocol 2; bugs C3, C4",
    caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
    rules: replaceRules("consensus", () => ({ forcedValue: valueReportedTwice })),
  },
  "first-lock-wins": {
    mistake: "a proposer goes on with the lock of the lowest round that it receives, not with that of the highest",
    source: "protocol 3.2, 3.3; bugs C6",
    caughtBy: ["agreement", "irreversibility", "accountability", "convergence", "validity"],
    rules: replaceRules("consensus", () => ({
      forcedValue: (justification) => {
        const locks = justification.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
        return locks.reduce((lowest, lock) => (lock.round < lowest.round ? lock : lowest), locks[0] as never)?.value;
      },
    })),
  },
  "hidden-locks": {
    mistake: "a round change never carries its sender's lock: a value that may be final is skipped",
    source: "protocol 3.2, 3.3; bugs C2",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
    rules: replaceRules("consensus", () => ({ carriedLock: () => undefined })),
  },
  "late-commit": {
    mistake: "a validator commits on a lock of a round that it has left, after a round change without the lock",
    source: "protocol 3.2, 3.3; bugs C5",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
    rules: replaceRules("consensus", () => ({
      mayCommit: (state, lock, holdsContent) => holdsContent && roundValueIn(state.commits, lock.round) === undefined,
    })),
  },
  "lock-holders-stay": {
    mistake: "a holder of a lock never leaves round 0 on an equivocation proof",
    source: "protocol 3.2",
    caughtBy: ["liveness"],
    rules: replaceRules("validator", (real) => ({
      mayLeave: (state, at, slot, reason) => {
        const isLocked = state.slots.records.get(slotKey(slot))?.lock !== undefined;
        return !(reason.kind === "equivocation" && isLocked) && real.mayLeave(state, at, slot, reason);
      },
    })),
  },
  "one-proposer": {
    mistake: "the proposer of a slot is the same in every round: if it is silent, no round succeeds",
    source: "protocol 3, 3.2",
    caughtBy: ["liveness"],
    rules: replaceRules("consensus", () => ({
      proposerOf: ({ members }) => requireDefined(members[0], "first validator"),
    })),
  },
  "proposer-without-epoch": {
    mistake: "a slot that stays open has the same first proposer in every epoch",
    source: "protocol 3",
    caughtBy: ["liveness"],
    rules: replaceRules("consensus", (real) => ({
      proposerOf: (committee, slot, round) => real.proposerOf({ ...committee, epoch: 0 as Epoch }, slot, round),
    })),
  },
  "pulled-by-one": {
    mistake:
      "a validator moves to the highest round that any one validator names: one Byzantine validator keeps all others moving",
    source: "protocol 8; 3.2",
    caughtBy: ["liveness"],
    rules: replaceRules("consensus", () => ({ pulledRound: (rounds) => Math.max(0, ...rounds) as Round })),
    attack: withByzantinePeer(nameNextRound),
  },
  "repeats-below-its-round": {
    mistake: "a commit is sent again in the round of its lock, even if a crash prevented its signature",
    source: "protocol 3.2; 7.6",
    caughtBy: ["amnesia"],
    rules: replaceRules("consensus", () => ({ mayRepeat: () => true })),
  },
  "single-round-finality": {
    mistake: "a quorum of votes is final, and a cancellation needs only round changes without a lock",
    source: "protocol 2; bugs C1, C3",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
    program: replaceOutputs(commitWithVote),
  },
  /** Skip by f + 1 round changes, which need not include a holder of the lock (protocol 3.3). */
  "unjustified-skip": {
    mistake:
      "f + 1 round changes justify a proposal: a validator that voted or committed in round 0 votes for a skip in round 1",
    source: "protocol 3.2, 3.3; bugs C2, C3",
    caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
    program: replaceStep((real, state, input) => {
      if (!isAboutRounds(input)) return real.step(state, input);
      const { environment } = state;
      const committee = { ...environment.committee, quorum: environment.committee.faulty + 1 };
      const lenient = { ...state, environment: { ...environment, committee } };
      const outputs = real.step(lenient, input);
      Object.assign(state, lenient, { environment });
      return outputs;
    }),
  },
  "vote-out-of-sequence": {
    mistake: "a slot is voted for before every earlier slot of its sequence is applied",
    source: "protocol 8, first trap; 3.1",
    caughtBy: ["validity"],
    rules: replaceRules("validator", (real) => ({
      mayVoteInSlot: () => true,
      checkContent: (state, at, slot, content, round) => {
        const verdict = real.checkContent(state, at, slot, content, round);
        const isOperation = content.value.type === "operation";
        return verdict.answer !== "accept" && isOperation && !real.mayVoteInSlot(state, slot)
          ? { answer: "accept" }
          : verdict;
      },
    })),
  },
  "lower-rounds-justify": {
    mistake: "round changes to lower rounds justify a proposal, too: what their senders locked since is not looked at",
    source: "protocol 3.2, for exactly r",
    caughtBy: ["accountability", "agreement", "irreversibility", "validity"],
    rules: replaceRules("consensus", (real) => ({
      proposalFault: (context, proposal) => {
        const { round, justification } = proposal;
        const raised = justification.map((change) => (change.round < round ? { ...change, round } : change));
        const changeFault: typeof real.changeFault = (verifier, change) =>
          real.changeFault(verifier, justification[raised.indexOf(change)] ?? change);
        const rules = { ...context.rules, changeFault };
        return real.proposalFault({ ...context, rules }, { ...proposal, justification: raised });
      },
    })),
  },
  "unsigned-close": {
    mistake: "a close counts for the member that it names without that member's signature",
    source: "protocol 6.3",
    caughtBy: ["agreement", "accountability"],
    rules: replaceRules("consensus", (real) => ({
      closeFault: (verifier, close) =>
        real.closeFault({ ...verifier, authenticator: { ...verifier.authenticator, verifies: () => true } }, close),
    })),
  },
  "unread-lock": {
    mistake: "the lock that a round change carries is not verified",
    source: "protocol 3.2",
    caughtBy: ["agreement", "accountability"],
    rules: replaceRules("consensus", (real) => ({
      changeFault: (context, change) =>
        real.changeFault({ ...context, rules: { ...context.rules, certificateFault: () => undefined } }, change),
    })),
  },
  "foreign-lock": {
    mistake: "a round change may carry the lock of another slot, or of its own round",
    source: "protocol 3.2",
    caughtBy: ["agreement", "accountability", "convergence"],
    rules: replaceRules("consensus", (real) => ({
      changeFault: (context, change) => {
        const { lock } = change;
        if (lock === undefined) return real.changeFault(context, change);
        const { committee, authenticator, rules } = context;
        if (!committee.index.has(change.signer) || change.epoch !== committee.epoch) return "invalid signature";
        if (!authenticator.verifies(change, change.signer, change.signature)) return "invalid signature";
        return rules.certificateFault(committee, authenticator, lock) === undefined ? undefined : "invalid certificate";
      },
    })),
  },
  "unforced-proposal": {
    mistake: "a proposal may name another value than the lock that its justification shows",
    source: "protocol 3.2, 3.3",
    caughtBy: ["agreement", "accountability", "validity"],
    rules: replaceRules("consensus", (real) => ({
      proposalFault: (context, proposal) =>
        real.proposalFault({ ...context, rules: { ...context.rules, forcedValue: () => undefined } }, proposal),
    })),
  },
  /** Offer of a state that answers a question of an earlier life (protocol 6.2). */
  "late-offer-accuses": {
    mistake: "who offers a state that does not prove itself from here on is reported, whatever was asked",
    source: "protocol 6.2, 7.11",
    caughtBy: ["accountability"],
    program: replaceStep((real, state, input) => {
      if (input.type !== "message" || input.message.type !== "snapshot") return real.step(state, input);
      const accused = isUnproven(state, input.message) ? [falseState(input.from, input.message)] : [];
      return [...accused, ...real.step(state, input)];
    }),
  },
};

function valueReportedTwice(justification: readonly RoundChange[]): Hash | undefined {
  const reports = new Map<Hash, number>();
  for (const { lock } of justification) {
    if (lock !== undefined) reports.set(lock.value, (reports.get(lock.value) ?? 0) + 1);
  }
  for (const [value, count] of reports) if (count > 1) return value;
  return undefined;
}

/** The attacker names the next round after each proposal for an account, before a lock of the round exists. */
function nameNextRound(...[{ environment }, input, wanted]: Parameters<PeerAttack>): readonly Output[] {
  const { peers } = environment;
  if (input.type !== "message" || input.message.type !== "consensus") return wanted;
  const { body } = input.message;
  if (body.type !== "proposal" || body.round === 0 || body.slot.kind !== "account") return wanted;
  const { epoch, slot } = body;
  const change = { type: "roundChange", epoch, slot, round: (body.round + 1) as Round, lock: undefined } as const;
  return [
    ...wanted,
    { type: "sign", to: peers, message: { type: "consensus", body: change, contents: [], reason: undefined } },
  ];
}

function commitWithVote(output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "vote") return [output];
  const commit = { ...output.message, body: { ...output.message.body, type: "commit" as const } };
  return [output, { ...output, message: commit }];
}

function isAboutRounds(input: Input): boolean {
  if (input.type !== "message" || input.message.type !== "consensus") return false;
  return input.message.body.type === "roundChange" || input.message.body.type === "proposal";
}

function isUnproven(state: ValidatorState, offer: SnapshotOffer): boolean {
  const { ledger, checkpoints } = state;
  const { content } = offer;
  if (!isChainContent(content) || content.value.header.number <= checkpoints.last.header.number) return false;
  const links = offer.links.filter(({ head }) => head.epoch >= ledger.epoch);
  return proofOf(state, { ...offer, links, content }) === undefined;
}

function falseState(peer: ValidatorState["environment"]["self"], { certificate }: SnapshotOffer): Output {
  return { type: "report", peer, misbehaviour: "false state", slot: slotKey(certificate.slot) };
}
