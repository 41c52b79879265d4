/** Variants that stop asking, are filled up, or keep what is over (bugs H). */
import { parseSlotKey, slotKey } from "../core/base/slot.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { DecisionView } from "../core/validator/decision-inputs.ts";
import type { Output } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import { timerOf } from "../core/validator/timer.ts";
import {
  createVariantState,
  keepOutputs,
  type ProgramChange,
  replaceRules,
  replaceStep,
  type VariantTable,
} from "./known-bad-variant.ts";

/** Retries before the variant gives up. */
const RETRIES = 4;

/** Bound small enough for a scenario to reach; otherwise the same as the real ones. */
const ROOM = 64;

const stopped = createVariantState<true>("stopped");

interface EntryCollection<K, V> {
  entries(): readonly (readonly [key: K, value: V])[];
  has(key: K): boolean;
  set(key: K, value: V): void;
}

export const LIVENESS: VariantTable = {
  "never-asks-again": {
    mistake: "there are no retransmissions: no vote is requested again, and no relay is taken over",
    source: "bugs H2; protocol 3.1",
    caughtBy: ["liveness"],
    program: keepOutputs((output) => output.type !== "setTimer" || timerOf(output.name).kind !== "retry"),
  },
  "gives-up": {
    mistake: "a slot is retried four times and then left alone: no vote is requested again, and no relay is taken over",
    source: "bugs H2; protocol 3.1",
    caughtBy: ["liveness", "convergence"],
    program: keepOutputs((output, _input, { slots }) => {
      const timer = output.type === "setTimer" ? timerOf(output.name) : undefined;
      return timer?.kind !== "retry" || (slots.retries.get(timer.slot) ?? 0) <= RETRIES;
    }),
  },
  "never-compares": {
    mistake:
      "validators do not compare what they have applied: a validator that was down receives decisions by chance only",
    source: "bugs H2, D17; protocol 10",
    caughtBy: ["convergence", "liveness"],
    program: keepOutputs((output) => output.type !== "setTimer" || timerOf(output.name).kind !== "sync"),
  },
  /** One lock for a whole validator (invariant I16: an undecided account delays no other). */
  "one-open-slot": {
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
  },
  /** One queue for submissions and disclosed operations: a Byzantine relay fills it with keys that cost nothing. */
  "one-queue": {
    mistake:
      "what others disclosed takes the room of what clients submit: one relay makes every validator refuse its own clients",
    source: "protocol 9.2; 7.8",
    caughtBy: ["liveness"],
    rules: replaceRules("validator", (real) => ({
      exceededLimit: (queues) => (queues.submitted + queues.disclosed >= ROOM ? ROOM : real.exceededLimit(queues)),
    })),
  },
  "poison-operation": {
    mistake:
      "a validator that applies metadata with a member beside name and uri does nothing any more, restarted or not",
    source: "bugs H5",
    caughtBy: ["liveness", "convergence", "answers"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      return isPoisoned(state.ledger) ? outputs.filter(({ type }) => type === "event" || type === "persist") : outputs;
    }),
  },
  "waits-for-all": {
    mistake: "a certificate needs the signatures of all validators: one that is silent stops the network",
    source: "bugs H1; protocol 1.1",
    caughtBy: ["liveness"],
    rules: replaceRules("consensus", () => ({ quorumOf: (n) => n })),
  },
  /** A start that looks at what clients ask for next, and not at what is due. */
  "idle-after-restart": {
    mistake: "a restarted validator begins no list, and waits for none, though operations of the token are due",
    source: "protocol 11.2; bugs H2",
    caughtBy: ["liveness"],
    program: keepOutputs((output, input) => input.type !== "restart" || !startsList(output)),
  },
  "form-unread": {
    mistake: "a text or number of another form than its type promises stops who receives it, until a restart",
    source: "protocol 3.4, 12",
    caughtBy: ["liveness", "convergence"],
    program: replaceStep((real, state, input) => {
      const { isWellFormed } = state.environment.rules.validator;
      if (input.type === "message" && !isWellFormed(input.message)) stopped.keep(state, true);
      return stopped.of(state) === true ? [] : real.step(state, input);
    }),
  },
  "keeps-listed-records": {
    mistake: "the records of slots that a checkpoint lists stay in memory",
    source: "bugs H9; protocol 7.15",
    caughtBy: ["footprint"],
    program: retainEntries(({ slots }) => slots.records),
  },
  "keeps-old-outcomes": {
    mistake: "the outcomes of operations stay in memory after the last checkpoint that shows them is dropped",
    source: "bugs H9; protocol 7.15",
    caughtBy: ["footprint"],
    program: retainEntries(({ mempool }) => mempool.outcomes),
  },
  "keeps-subscribers": {
    mistake: "the clients of an operation stay subscribed after its last answer",
    source: "bugs H9; protocol 7.15",
    caughtBy: ["footprint"],
    program: retainEntries(({ mempool }) => mempool.subscribers),
  },
  "keeps-refused-digests": {
    mistake:
      "a validator remembers for good under which kind it admitted a signature, even if it refused the operation",
    source: "bugs H9; protocol 9.3, 7.15",
    caughtBy: ["footprint", "validity"],
    program: retainEntries(({ mempool }) => mempool.digests),
  },
  "uncounted-showings": {
    mistake:
      "what peers show is kept and counted in no budget: free keys fill a validator's memory until its nonces are used",
    source: "bugs H9; protocol 9.2, 7.15",
    caughtBy: ["footprint"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      state.mempool.chargedItems.clear();
      state.mempool.budgets.clear();
      return outputs;
    }),
  },
};

function hasOtherOpenSlot({ slots: { records: slots } }: DecisionView, key: string): boolean {
  return slots
    .values()
    .some(
      ({ slot, votes, decided }) =>
        slot.kind === "account" && votes.length > 0 && decided === undefined && slotKey(slot) !== key,
    );
}

function isPoisoned({ tokens }: LedgerState): boolean {
  return [...tokens.values()].some(({ additional }) => additional.length > 0);
}

function startsList(output: Output): boolean {
  if (output.type === "setTimer") {
    const timer = timerOf(output.name);
    return (timer.kind === "token" || timer.kind === "retry") && parseSlotKey(timer.slot).kind === "token";
  }
  if (output.type !== "sign") return false;
  const { body } = output.message;
  return body.type === "proposal" && body.slot.kind === "token";
}

/** Puts back what a step drops of a collection. */
function retainEntries<K, V>(collection: (state: ValidatorState) => EntryCollection<K, V>): ProgramChange {
  return replaceStep((real, state, input) => {
    const before = collection(state).entries();
    const outputs = real.step(state, input);
    const after = collection(state);
    for (const [key, value] of before) if (!after.has(key)) after.set(key, value);
    return outputs;
  });
}
