/** Variants with wrong rules for locks, commits and round changes (bugs C). */
import { requireDefined } from "../core/base/assert.ts";
import type { Epoch, Hash, Round } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { RoundChange } from "../core/consensus/message.ts";
import { roundValueIn } from "../core/consensus/slot-state.ts";
import type { Output } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import { type PeerAttack, withByzantinePeer } from "./byzantine-peer.ts";
import { type KnownBadVariant, replaceRules, replaceStep } from "./known-bad-variant.ts";

/** Evidence by count of reports, in place of one certificate as proof (protocol 2). */
export const countedReports: KnownBadVariant = {
  name: "counted-reports",
  mistake: "a lock forces a value only if two round changes report it, so a recovery misses a hidden certificate",
  source: "protocol 2; bugs C3, C4",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence"],
  rules: replaceRules("consensus", () => ({ forcedValue: valueReportedTwice })),
};

function valueReportedTwice(justification: readonly RoundChange[]): Hash | undefined {
  const reports = new Map<Hash, number>();
  for (const { lock } of justification) {
    if (lock !== undefined) reports.set(lock.value, (reports.get(lock.value) ?? 0) + 1);
  }
  for (const [value, count] of reports) if (count > 1) return value;
  return undefined;
}

/** Rounds of locks are not compared (bugs C6). */
export const firstLockWins: KnownBadVariant = {
  name: "first-lock-wins",
  mistake: "a proposer goes on with the lock of the lowest round that it receives, not with that of the highest",
  source: "protocol 3.2, 3.3; bugs C6",
  caughtBy: ["agreement", "irreversibility", "accountability", "convergence", "validity"],
  rules: replaceRules("consensus", () => ({
    forcedValue: (justification) => {
      const locks = justification.flatMap(({ lock }) => (lock === undefined ? [] : [lock]));
      return locks.reduce((lowest, lock) => (lock.round < lowest.round ? lock : lowest), locks[0] as never)?.value;
    },
  })),
};

/** Round changes without locks: no evidence for a skip (protocol 3.2, 3.3). */
export const hiddenLocks: KnownBadVariant = {
  name: "hidden-locks",
  mistake: "a round change never carries its sender's lock: a value that may be final is skipped",
  source: "protocol 3.2, 3.3; bugs C2",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: replaceRules("consensus", () => ({ carriedLock: () => undefined })),
};

/** Commit below a round that the validator left, with the lock omitted from its round change (protocol 3.3). */
export const lateCommit: KnownBadVariant = {
  name: "late-commit",
  mistake: "a validator commits on a lock of a round that it has left, after a round change without the lock",
  source: "protocol 3.2, 3.3; bugs C5",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  rules: replaceRules("consensus", () => ({
    mayCommit: (state, lock, holdsContent) => holdsContent && roundValueIn(state.commits, lock.round) === undefined,
  })),
};

/** Lock as a reason to stay in its round (protocol 3.2, b). */
export const lockHoldersStay: KnownBadVariant = {
  name: "lock-holders-stay",
  mistake: "a holder of a lock never leaves round 0 on an equivocation proof",
  source: "protocol 3.2",
  caughtBy: ["liveness"],
  rules: replaceRules("validator", (real) => ({
    mayLeave: (state, at, slot, reason) => {
      const isLocked = state.slots.records.get(slotKey(slot))?.lock !== undefined;
      return !(reason.kind === "equivocation" && isLocked) && real.mayLeave(state, at, slot, reason);
    },
  })),
};

/** Same proposer in every round (protocol 3). */
export const oneProposer: KnownBadVariant = {
  name: "one-proposer",
  mistake: "the proposer of a slot is the same in every round: if it is silent, no round succeeds",
  source: "protocol 3, 3.2",
  caughtBy: ["liveness"],
  rules: replaceRules("consensus", () => ({
    proposerOf: ({ members }) => requireDefined(members[0], "first validator"),
  })),
};

/** Proposer as a function of slot and round alone (protocol 3). */
export const proposerWithoutEpoch: KnownBadVariant = {
  name: "proposer-without-epoch",
  mistake: "a slot that stays open has the same first proposer in every epoch",
  source: "protocol 3",
  caughtBy: ["liveness"],
  rules: replaceRules("consensus", (real) => ({
    proposerOf: (committee, slot, round) => real.proposerOf({ ...committee, epoch: 0 as Epoch }, slot, round),
  })),
};

/** Round change to the highest round that any validator names (protocol 8). */
export const pulledByOne: KnownBadVariant = {
  name: "pulled-by-one",
  mistake:
    "a validator moves to the highest round that any one validator names: one Byzantine validator keeps all others moving",
  source: "protocol 8; 3.2",
  caughtBy: ["liveness"],
  rules: replaceRules("consensus", () => ({ pulledRound: (rounds) => Math.max(0, ...rounds) as Round })),
  attack: withByzantinePeer(nameNextRound),
};

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

/** Durable commit assumed to be signed (protocol 3.2). */
export const repeatsBelowItsRound: KnownBadVariant = {
  name: "repeats-below-its-round",
  mistake: "a commit is sent again in the round of its lock, even if a crash prevented its signature",
  source: "protocol 3.2; 7.6",
  caughtBy: ["amnesia"],
  rules: replaceRules("consensus", () => ({ mayRepeat: () => true })),
};

/** Finality after one round of votes (protocol 2). */
export const singleRoundFinality: KnownBadVariant = {
  name: "single-round-finality",
  mistake: "a quorum of votes is final, and a cancellation needs only round changes without a lock",
  source: "protocol 2; bugs C1, C3",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "convergence"],
  program: replaceStep((real, state, input) => real.step(state, input).flatMap(commitWithVote)),
};

function commitWithVote(output: Output): readonly Output[] {
  if (output.type !== "sign" || output.message.body.type !== "vote") return [output];
  const commit = { ...output.message, body: { ...output.message.body, type: "commit" as const } };
  return [output, { ...output, message: commit }];
}

/** Skip by f + 1 round changes, which need not include a holder of the lock (protocol 3.3). */
export const unjustifiedSkip: KnownBadVariant = {
  name: "unjustified-skip",
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
};

function isAboutRounds(input: Input): boolean {
  if (input.type !== "message" || input.message.type !== "consensus") return false;
  return input.message.body.type === "roundChange" || input.message.body.type === "proposal";
}

/** A slot is voted for before the one before it is applied (protocol 8). */
export const voteOutOfSequence: KnownBadVariant = {
  name: "vote-out-of-sequence",
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
};

/** Justification by round changes to lower rounds (protocol 3.2). */
export const lowerRoundsJustify: KnownBadVariant = {
  name: "lower-rounds-justify",
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
};
