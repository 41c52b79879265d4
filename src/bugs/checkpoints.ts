/** Variants with wrong checkpoints, pruning or state transfer (bugs F). */
import type { Nonce } from "../core/base/ids.ts";
import { subtreeOf } from "../core/ledger/pieces.ts";
import { isSettled, mayVoteInSlot } from "../core/validator/slot-position.ts";
import { type KnownBadVariant, replaceRules, replaceStep } from "./known-bad-variant.ts";

/** Final refusal of a checkpoint by the voter's clock (protocol 6.1). */
export const clockInTheRules: KnownBadVariant = {
  name: "clock-in-the-rules",
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
};

/** Slots applied before the last checkpoint count as listed (protocol 8). */
export const listedByTime: KnownBadVariant = {
  name: "listed-by-time",
  mistake: "a proposer lists the slots applied since the last checkpoint, not those that no checkpoint lists",
  source: "protocol 8; bugs F1, F5",
  caughtBy: ["checkpoints", "liveness"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    const isNew = outputs.some((output) => output.type === "event" && output.event.type === "checkpointed");
    if (isNew) state.sync.log.clear();
    return outputs;
  }),
};

/** Slot reopened after a checkpoint listed it (protocol 6.2). */
export const revivedSlots: KnownBadVariant = {
  name: "revived-slots",
  mistake: "a validator that has pruned a slot makes a new record of it, and commits with an old lock certificate",
  source: "protocol 6.2; bugs F13",
  caughtBy: ["agreement", "amnesia", "accountability", "irreversibility", "validity", "footprint"],
  rules: replaceRules("validator", () => ({ isPruned: () => false })),
};

/** Installed state that differs from the proved one (protocol 6.2). */
export const slotsCountedAsNonces: KnownBadVariant = {
  name: "slots-counted-as-nonces",
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
};

/** Snapshot that differs from its checkpoint (bugs F18). */
export const staleSnapshot: KnownBadVariant = {
  name: "stale-snapshot",
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
};

/** Source of a state that keeps a validator waiting (protocol 6.2). */
export const onlyStateSource: KnownBadVariant = {
  name: "only-state-source",
  mistake: "a joining validator asks one source at a time, which may send a little of what it was asked for, late",
  source: "protocol 6.2",
  caughtBy: ["convergence", "liveness"],
  rules: replaceRules("validator", () => ({ sourcesAtOnce: () => 1 })),
};

/** Transfer that a newer checkpoint ends (protocol 6.2). */
export const restartedTransfer: KnownBadVariant = {
  name: "restarted-transfer",
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
};

/** Close that omits decisions waiting for funds or content (protocol 8). */
export const unappliedLeftOut: KnownBadVariant = {
  name: "unapplied-left-out",
  mistake:
    "a validator that closes an epoch shows what it has applied, and not what it knows to be final and could not apply yet",
  source: "protocol 6.3, 8; bugs F10",
  caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
  rules: replaceRules("validator", (real) => ({
    claimsOf: (state) => real.claimsOf(state).filter(({ slot }) => isSettled(state, slot)),
  })),
};

/** Pieces of a state accepted without proof (protocol 6.2). */
export const unprovenState: KnownBadVariant = {
  name: "unproven-state",
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
};

/** Votes for unchecked checkpoints (protocol 6.1). */
export const unreadCheckpoint: KnownBadVariant = {
  name: "unread-checkpoint",
  mistake: "voters take a proposed checkpoint as it comes: they do not replay its list, and do not compare its roots",
  source: "protocol 6.1; bugs F3",
  caughtBy: ["agreement", "checkpoints", "liveness", "convergence", "validity"],
  rules: replaceRules("validator", (real) => ({
    checkContent: (state, at, slot, content, round) =>
      slot.kind === "checkpoint" && content.value.type === "checkpoint" && mayVoteInSlot(state, slot)
        ? { answer: "accept" }
        : real.checkContent(state, at, slot, content, round),
  })),
};
