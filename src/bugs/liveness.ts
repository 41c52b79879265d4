/** Variants that stop asking, or are filled up (bugs H). */
import { parseSlotKey, slotKey } from "../core/base/slot.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { DecisionView } from "../core/validator/decision-inputs.ts";
import type { Output } from "../core/validator/output.ts";
import { timerOf } from "../core/validator/timer.ts";
import { createVariantState, type KnownBadVariant, replaceRules, replaceStep } from "./known-bad-variant.ts";

/** No retransmission (bugs H2). */
export const neverAsksAgain: KnownBadVariant = {
  name: "never-asks-again",
  mistake: "there are no retransmissions: no vote is requested again, and no relay is taken over",
  source: "bugs H2; protocol 3.1",
  caughtBy: ["liveness"],
  program: replaceStep((real, state, input) =>
    real.step(state, input).filter((output) => output.type !== "setTimer" || timerOf(output.name).kind !== "retry"),
  ),
};

/** Retries with an end (protocol 3.1). */
export const givesUp: KnownBadVariant = {
  name: "gives-up",
  mistake: "a slot is retried four times and then left alone: no vote is requested again, and no relay is taken over",
  source: "bugs H2; protocol 3.1",
  caughtBy: ["liveness", "convergence"],
  program: replaceStep((real, state, input) =>
    real
      .step(state, input)
      .filter(
        (output) =>
          output.type !== "setTimer" ||
          !output.name.startsWith("retry ") ||
          (state.slots.retries.get(output.name.slice("retry ".length)) ?? 0) <= RETRIES,
      ),
  ),
};

/** Retries before the variant gives up. */
const RETRIES = 4;

/** No detection of missed slots (protocol 10). */
export const neverCompares: KnownBadVariant = {
  name: "never-compares",
  mistake:
    "validators do not compare what they have applied: a validator that was down receives decisions by chance only",
  source: "bugs H2, D17; protocol 10",
  caughtBy: ["convergence", "liveness"],
  program: replaceStep((real, state, input) =>
    real.step(state, input).filter((output) => output.type !== "setTimer" || timerOf(output.name).kind !== "sync"),
  ),
};

/** One lock for a whole validator (invariant I16: an undecided account delays no other). */
export const oneOpenSlot: KnownBadVariant = {
  name: "one-open-slot",
  mistake: "a validator votes in one account at a time: an undecided slot delays all other accounts",
  source: "bugs H7; protocol 7.8, 7.16",
  caughtBy: ["liveness", "fairness"],
  rules: replaceRules("validator", (real) => ({
    checkContent: (state, at, slot, content, round) => {
      const isBusy = slot.kind === "account" && round === 0 && hasOtherOpenSlot(state, slotKey(slot));
      return isBusy
        ? { answer: "wait", missing: { code: "system_queue_full", limit: 1 } }
        : real.checkContent(state, at, slot, content, round);
    },
  })),
};

function hasOtherOpenSlot({ slots: { records: slots } }: DecisionView, key: string): boolean {
  return slots
    .values()
    .some(
      ({ slot, votes, decided }) =>
        slot.kind === "account" && votes.length > 0 && decided === undefined && slotKey(slot) !== key,
    );
}

/** Bound small enough for a scenario to reach; otherwise the same as the real ones. */
const ROOM = 64;

/** One queue for submissions and disclosed operations: a Byzantine relay fills it with keys that cost nothing. */
export const oneQueue: KnownBadVariant = {
  name: "one-queue",
  mistake:
    "what others disclosed takes the room of what clients submit: one relay makes every validator refuse its own clients",
  source: "protocol 9.2; 7.8",
  caughtBy: ["liveness"],
  rules: replaceRules("validator", (real) => ({
    exceededLimit: (queues) => (queues.submitted + queues.disclosed >= ROOM ? ROOM : real.exceededLimit(queues)),
  })),
};

/** Operation that stops every validator that applies it, even after a restart (bugs H5). */
export const poisonOperation: KnownBadVariant = {
  name: "poison-operation",
  mistake:
    "a validator that applies metadata with a member beside name and uri does nothing any more, restarted or not",
  source: "bugs H5",
  caughtBy: ["liveness", "convergence", "answers"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    return isPoisoned(state.ledger) ? outputs.filter(({ type }) => type === "event" || type === "persist") : outputs;
  }),
};

function isPoisoned({ tokens }: LedgerState): boolean {
  return [...tokens.values()].some(({ additional }) => additional.length > 0);
}

/** Everybody has to agree (bugs H1). */
export const waitsForAll: KnownBadVariant = {
  name: "waits-for-all",
  mistake: "a certificate needs the signatures of all validators: one that is silent stops the network",
  source: "bugs H1; protocol 1.1",
  caughtBy: ["liveness"],
  rules: replaceRules("consensus", () => ({ quorumOf: (n) => n })),
};

/** A start that looks at what clients ask for next, and not at what is due. */
export const idleAfterRestart: KnownBadVariant = {
  name: "idle-after-restart",
  mistake: "a restarted validator begins no list, and waits for none, though operations of the token are due",
  source: "protocol 11.2; bugs H2",
  caughtBy: ["liveness"],
  program: replaceStep((real, state, input) => {
    const outputs = real.step(state, input);
    return input.type === "restart" ? outputs.filter((output) => !startsList(output)) : outputs;
  }),
};

function startsList(output: Output): boolean {
  if (output.type === "setTimer") {
    const timer = timerOf(output.name);
    return (timer.kind === "token" || timer.kind === "retry") && parseSlotKey(timer.slot).kind === "token";
  }
  if (output.type !== "sign") return false;
  const { body } = output.message;
  return body.type === "proposal" && body.slot.kind === "token";
}

const stopped = createVariantState<true>("stopped");

/** Text of a peer that is taken for what its type promises (protocol 3.4, Form). */
export const formUnread: KnownBadVariant = {
  name: "form-unread",
  mistake: "a text or number of another form than its type promises stops who receives it, until a restart",
  source: "protocol 3.4, 12",
  caughtBy: ["liveness", "convergence"],
  program: replaceStep((real, state, input) => {
    const { isWellFormed } = state.environment.rules.validator;
    if (input.type === "message" && !isWellFormed(input.message)) stopped.keep(state, true);
    return stopped.of(state) === true ? [] : real.step(state, input);
  }),
};
