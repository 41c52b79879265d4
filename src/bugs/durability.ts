/** Variants that sign before a record is durable, or forget records (bugs B). */
import type { Round } from "../core/base/ids.ts";
import { parseSlotKey, slotKey } from "../core/base/slot.ts";
import type { Committee } from "../core/consensus/committee.ts";
import type { SlotState } from "../core/consensus/slot-state.ts";
import type { Offer } from "../core/validator/message.ts";
import { CLOSE_RECORD_KEY, type SlotRecord } from "../core/validator/output.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import { timerOf } from "../core/validator/timer.ts";
import {
  keepOutputs,
  type ProgramChange,
  replaceOutputs,
  replaceRules,
  replaceStep,
  type VariantTable,
} from "./known-bad-variant.ts";

export const DURABILITY: VariantTable = {
  "close-not-durable": {
    mistake: "a close is not durable: a restarted validator votes and commits in the epoch that it has closed",
    source: "protocol 6.3, 8; bugs B1",
    caughtBy: ["amnesia", "accountability", "liveness"],
    program: keepOutputs((output) => output.type !== "persist" || output.key !== CLOSE_RECORD_KEY),
  },
  "forgetful-rejoin": {
    mistake: "a validator that lost its disk signs again with its old key, of which it has no record",
    source: "protocol 11.3; bugs B2",
    caughtBy: ["amnesia", "accountability"],
    program: (real) => ({ ...real, start: () => real.start() }),
  },
  "hasty-closing": {
    mistake: "the closes of f + 1 validators justify a closing: a value that none of them has seen locked is void",
    source: "protocol 6.3, 3.3; bugs B8, F10",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
    rules: replaceRules("validator", (real) => ({
      contentFault: (view, content) => {
        const { environment } = view;
        const committee = withSmallQuorum(environment.committee);
        const isClosing = content.value.type === "closing";
        return real.contentFault(isClosing ? { ...view, environment: { ...environment, committee } } : view, content);
      },
    })),
    program: replaceStep((real, state, input) => {
      if (!isAboutClosing(input)) return real.step(state, input);
      const { environment } = state;
      const committee = withSmallQuorum(environment.committee);
      const hasty = { ...state, environment: { ...environment, committee } };
      const outputs = real.step(hasty, input);
      const { environment: after } = hasty;
      // A step that entered the next epoch has the committee of that epoch by now.
      Object.assign(state, hasty, { environment: after.committee === committee ? environment : after });
      return outputs;
    }),
  },
  "lock-by-value": {
    mistake: "a validator checks for its own vote by operation, not by slot",
    source: "bugs B3",
    caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
    program: replaceStep((real, state, input) => {
      const offer = offerIn(input);
      const before = offer === undefined ? undefined : state.slots.records.get(slotKey(offer.slot));
      if (offer === undefined || before === undefined || before.decided !== undefined) return real.step(state, input);
      const value = state.environment.hashes.value(offer.content.value);
      const votes = before.votes.filter((vote) => vote.value === value);
      storeRecord(state, { ...before, votes });
      const outputs = real.step(state, input);
      const after = state.slots.records.get(slotKey(offer.slot)) ?? before;
      const forgotten = before.votes.filter((vote) => !after.votes.includes(vote));
      storeRecord(state, { ...after, votes: [...forgotten, ...after.votes] });
      return outputs;
    }),
  },
  "locks-left-behind": {
    mistake:
      "a validator that closes an epoch shows what it saw decided, and not what it has locked: hidden certificates are voided",
    source: "protocol 6.3, 3.3; bugs B8",
    caughtBy: ["agreement", "irreversibility", "amnesia", "accountability", "checkpoints", "convergence", "validity"],
    rules: replaceRules("validator", (real) => ({
      claimsOf: (state) => real.claimsOf(state).filter(({ type }) => type === "finality"),
    })),
  },
  "undurable-lock": {
    mistake: "locks and commits are not durable: a restarted validator claims that it holds none",
    source: "protocol 3.1, 3.3; bugs B1",
    caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
    program: alterSlotRecords((record) => ({ ...record, lock: undefined, carried: undefined, commits: [] })),
  },
  "undurable-round": {
    mistake: "the round of a slot is not durable: a restarted validator commits in a round that it has left",
    source: "protocol 3.1, 3.2; bugs B1",
    caughtBy: ["amnesia", "accountability", "agreement", "irreversibility", "convergence"],
    program: alterSlotRecords((record) => ({ ...record, round: 0 as Round, carried: undefined })),
  },
  "undurable-proposal": {
    mistake: "a proposal is not durable: a restarted proposer makes another one for the same round",
    source: "protocol 3.1, 3.2; bugs B1",
    caughtBy: ["amnesia", "accountability"],
    program: alterSlotRecords((record) => ({ ...record, proposed: undefined })),
  },
  "reasons-not-recalled": {
    mistake: "a restarted validator no longer shows the reason for which it left round 0: the others do not follow it",
    source: "protocol 3.2, 11.2; bugs B1",
    caughtBy: ["amnesia", "liveness"],
    program: replaceStep((real, state, input) => {
      if (input.type !== "restart") return real.step(state, input);
      const records = input.records.map(
        ([key, record]) => [key, record.of === "slot" ? { ...record, reasons: [] } : record] as const,
      );
      return real.step(state, { ...input, records });
    }),
  },
  "vote-before-persist": {
    mistake: "votes and commits are sent before they are durable: a crash in between loses them",
    source: "protocol 3.1; bugs B1",
    caughtBy: ["amnesia", "accountability"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      const isPersist = outputs.map((output) => output.type === "persist");
      return [...outputs.filter((_, i) => !isPersist[i]), ...outputs.filter((_, i) => isPersist[i])];
    }),
  },
};

function withSmallQuorum(committee: Committee): Committee {
  return { ...committee, quorum: committee.faulty + 1 };
}

function isAboutClosing(input: Input): boolean {
  if (input.type === "timer") {
    const timer = timerOf(input.name);
    return timer.kind === "closing" || (timer.kind === "retry" && parseSlotKey(timer.slot).kind === "epoch");
  }
  return input.type === "message" && input.message.type === "consensus" && input.message.body.type === "close";
}

function offerIn(input: Input): Offer | undefined {
  return input.type === "message" && input.message.type === "offer" ? input.message : undefined;
}

function storeRecord(state: ValidatorState, slot: SlotState): void {
  state.slots.records.set(slotKey(slot.slot), slot);
}

/** Writes records in another form than they have in memory. */
function alterSlotRecords(change: (record: SlotRecord) => SlotRecord): ProgramChange {
  return replaceOutputs((output) =>
    output.type === "persist" && output.record.of === "slot" ? { ...output, record: change(output.record) } : output,
  );
}
