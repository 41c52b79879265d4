/** Variants with wrong checkpoints, pruning, state transfer or epoch changes (bugs F). */
import { entryOf } from "../core/base/entry.ts";
import type { Nonce } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import type { Committee } from "../core/consensus/committee.ts";
import type { Vote } from "../core/consensus/message.ts";
import { beginNextEpoch } from "../core/ledger/epoch.ts";
import { subtreeOf } from "../core/ledger/pieces.ts";
import { type Content, isClosing } from "../core/validator/content.ts";
import { enterEpoch } from "../core/validator/epochs/closing.ts";
import type { Output } from "../core/validator/output.ts";
import { isSettled, mayVoteInSlot } from "../core/validator/slot-position.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { withByzantinePeer } from "./byzantine-peer.ts";
import { replaceOutputs, replaceRules, replaceStep, type VariantTable } from "./known-bad-variant.ts";

/** Votes for one value, and its content. */
interface GatheredVotes {
  readonly votes: Map<string, Vote>;
  content: Content | undefined;
}

/** Votes that the attacker has gathered, one record for each state of it. */
const memories = new WeakMap<ValidatorState, GatheredVotes>();

/** Votes that no other validator has seen together, presented in the next epoch as votes of that epoch. */
const attack = withByzantinePeer((state, input, wanted) => {
  const memory = entryOf(memories, state, (): GatheredVotes => ({ votes: new Map(), content: undefined }));
  if (input.type !== "message" || input.message.type !== "consensus") return wanted;
  const { body } = input.message;
  if (body.type === "vote" && body.slot.kind === "account" && body.epoch === 0) {
    memory.votes.set(body.signer, body);
    memory.content = state.slots.contents.get(body.value) ?? memory.content;
  }
  return [...wanted, ...disclosure(state, memory)];
});

export const CHECKPOINTS_AND_EPOCHS: VariantTable = {
  "clock-in-the-rules": {
    mistake:
      "a voter refuses a checkpoint with a timestamp more than two seconds from its own clock, in place of waiting",
    source: "protocol 6.1; bugs F16",
    caughtBy: ["checkpoints", "accountability"],
    rules: replaceRules("validator", (real) => ({
      checkContent: (state, clock, slot, content, round) => {
        const { value } = content;
        if (value.type === "checkpoint" && Math.abs(value.header.timestamp * 1_000 - clock) > 2_000) {
          return { answer: "refuse", refusal: { code: "validation_proposal", reason: "the time is another here" } };
        }
        return real.checkContent(state, clock, slot, content, round);
      },
    })),
  },
  "listed-by-time": {
    mistake: "a proposer lists the slots applied since the last checkpoint, not those that no checkpoint lists",
    source: "protocol 8; bugs F1, F5",
    caughtBy: ["liveness"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      const isNew = outputs.some((output) => output.type === "event" && output.event.type === "checkpointed");
      if (isNew) state.sync.log.clear();
      return outputs;
    }),
  },
  "revived-slots": {
    mistake: "a validator that has pruned a slot makes a new record of it, and commits with an old lock certificate",
    source: "protocol 6.2; bugs F13",
    caughtBy: ["agreement", "amnesia", "accountability", "irreversibility", "validity", "footprint"],
    rules: replaceRules("validator", () => ({ isPruned: () => false })),
  },
  "slots-counted-as-nonces": {
    mistake: "a validator that installs a transferred state takes the number of an account's slots for its nonce",
    source: "protocol 6.2, 5; bugs F18",
    caughtBy: ["validity", "accounts", "convergence", "accountability", "checkpoints", "liveness", "irreversibility"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      if (!outputs.some((output) => output.type === "event" && output.event.type === "joined")) return outputs;
      let { accounts } = state.ledger;
      for (const [address, account] of accounts.entries())
        if (account.nonce < account.sequence)
          accounts = accounts.set(address, { ...account, nonce: Number(account.sequence) as Nonce });
      state.ledger = { ...state.ledger, accounts };
      return outputs;
    }),
  },
  "stale-snapshot": {
    mistake:
      "a snapshot names the new checkpoint and holds the state before it, from which a restarted validator continues",
    source: "protocol 11.2; bugs F18",
    caughtBy: [
      "accountability",
      "agreement",
      "checkpoints",
      "convergence",
      "conservation",
      "accounts",
      "authority",
      "validity",
      "liveness",
      "fees",
    ],
    program: replaceStep((real, state, input) => {
      const before = state.checkpoints.last.state;
      return real.step(state, input).map((output) => {
        const isSnapshot = output.type === "persist" && output.record.of === "snapshot";
        return isSnapshot ? { ...output, record: { ...output.record, state: before } } : output;
      });
    }),
  },
  "only-state-source": {
    mistake: "a joining validator asks one source at a time, which may send a little of what it was asked for, late",
    source: "protocol 6.2",
    caughtBy: ["convergence", "liveness"],
    rules: replaceRules("validator", () => ({ sourcesAtOnce: () => 1 })),
  },
  "restarted-transfer": {
    mistake: "the offer of a newer state ends the transfer of a joining validator, which drops the pieces that it has",
    source: "protocol 6.2",
    caughtBy: ["convergence", "liveness"],
    program: replaceStep((real, state, input) => {
      if (input.type === "message" && input.message.type === "snapshot" && state.transfer !== undefined) {
        const { value } = input.message.content;
        const { number } = state.transfer.target.content.value.header;
        const isNewer = value.type === "checkpoint" && value.header.number > number;
        if (isNewer) state.transfer = undefined;
      }
      return real.step(state, input);
    }),
  },
  "unapplied-left-out": {
    mistake:
      "a validator that closes an epoch shows what it has applied, and not what it knows to be final and could not apply yet",
    source: "protocol 6.3, 8; bugs F10",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
    rules: replaceRules("validator", (real) => ({
      claimsOf: (state) => real.claimsOf(state).filter(({ slot }) => isSettled(state, slot)),
    })),
  },
  "unproven-state": {
    mistake: "a joining validator does not check the pieces of a state against the state root",
    source: "protocol 6.2; bugs F14",
    caughtBy: [
      "agreement",
      "checkpoints",
      "convergence",
      "conservation",
      "accounts",
      "authority",
      "validity",
      "footprint",
    ],
    rules: replaceRules("validator", () => ({ provenPiece: (_inputs, _part, piece) => subtreeOf(piece) })),
  },
  "unread-checkpoint": {
    mistake: "voters take a proposed checkpoint as it comes: they do not replay its list, and do not compare its roots",
    source: "protocol 6.1; bugs F3",
    caughtBy: ["agreement", "checkpoints", "liveness", "convergence", "validity"],
    rules: replaceRules("validator", (real) => ({
      checkContent: (state, at, slot, content, round) =>
        slot.kind === "checkpoint" && content.value.type === "checkpoint" && mayVoteInSlot(state, slot)
          ? { answer: "accept" }
          : real.checkContent(state, at, slot, content, round),
    })),
  },
  "epoch-by-hash": {
    mistake: "a validator votes in the next epoch once the closing is final, before it has applied the closing",
    source: "protocol 6.3, 8",
    caughtBy: [
      "agreement",
      "irreversibility",
      "amnesia",
      "accountability",
      "checkpoints",
      "convergence",
      "validity",
      "conservation",
      "accounts",
      "fees",
      "liveness",
      "authority",
    ],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      forgetClosing(state);
      return [...outputs, ...closeEarly(state, input)];
    }),
  },
  "epochless-statements": {
    mistake: "signatures cover no epoch: votes of the previous epoch count in this one",
    source: "protocol 6.4; bugs F8, F9, C7",
    caughtBy: ["agreement", "accountability", "amnesia", "irreversibility", "validity"],
    statement: (real) => (chainId, body) => real(chainId, { ...body, epoch: 0 as never }),
    attack,
  },
  "old-quorum": {
    mistake: "after a change of the committee the quorum is still that of the first committee",
    source: "protocol 6.4; bugs F11",
    caughtBy: ["agreement", "accountability", "irreversibility", "amnesia", "validity"],
    program: (real) => {
      const committees = new WeakMap<Committee, Committee>();
      return {
        ...real,
        step: (state, input) => {
          keepQuorum(state, committees);
          return real.step(state, input);
        },
      };
    },
  },
  "private-cause": {
    mistake:
      "an EpochClose carries no cause: the one validator that knows the cause stops, another is silent, and nothing goes on",
    source: "protocol 6.3, 8",
    caughtBy: ["liveness"],
    program: replaceOutputs((output) =>
      output.type === "sign" && output.message.body.type === "close"
        ? { ...output, message: { ...output.message, reason: undefined } }
        : output,
    ),
  },
};

/** Keeps only the hash of a closing that it has committed to, as if the content could be fetched later. */
function forgetClosing(state: ValidatorState): void {
  const { epoch } = state.ledger;
  if ((state.slots.records.get(slotKey({ kind: "epoch", epoch }))?.commits.length ?? 0) === 0) return;
  for (const [hash, content] of state.slots.contents.entries())
    if (isClosing(content)) state.slots.contents.delete(hash);
}

/** Continues with the parameters of the last epoch, from the slots applied so far. */
function closeEarly(state: ValidatorState, input: Input): readonly Output[] {
  const { epoch, parameters } = state.ledger;
  const certificate = state.slots.records.get(slotKey({ kind: "epoch", epoch }))?.decided;
  if (certificate === undefined) return [];
  const { self } = state.environment;
  const context = { state, at: input.at, clock: input.at, from: self, outputs: [], agenda: [] };
  enterEpoch(context, beginNextEpoch(state.ledger, parameters, state.checkpoints.last.header.number));
  return context.outputs;
}

function disclosure({ ledger, environment }: ValidatorState, { votes, content }: GatheredVotes): readonly Output[] {
  const [first] = votes.values();
  if (first === undefined || content === undefined) return [];
  if (ledger.epoch === 0 || votes.size < environment.committee.quorum) return [];
  const { slot, round, value } = first;
  const seals = [...votes.values()].map(({ signer, signature }) => ({ signer, signature }));
  seals.sort((a, b) => (a.signer < b.signer ? -1 : 1));
  votes.clear();
  const body = { type: "lock" as const, epoch: ledger.epoch, slot, round, value, seals };
  const message = { type: "consensus" as const, body, contents: [content], reason: undefined };
  return [{ type: "send", to: environment.peers, message }];
}

function keepQuorum(state: ValidatorState, committees: WeakMap<Committee, Committee>): void {
  const { environment } = state;
  const { committee } = environment;
  const { quorum } = environment.committeeOf(environment.genesis.epoch, environment.genesis.parameters.validators);
  if (committee.quorum === quorum) return;
  const kept = entryOf(committees, committee, () => ({ ...committee, quorum }));
  state.environment = { ...environment, committee: kept };
}
