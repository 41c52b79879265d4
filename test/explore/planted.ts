/** Mistakes planted into the program as replaced steps and rules, each with the smallest exploration that finds it. */
import type { Variant } from "../../src/bugs/known-bad-variant.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import type { SlotState } from "../../src/core/consensus/slot-state.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import type { Input } from "../../src/core/validator/step.ts";
import { timerOf } from "../../src/core/validator/timer.ts";

/** Planted mistake with the exploration that finds it. */
export interface PlantedMistake {
  readonly name: string;
  readonly variant: Omit<Variant, "name">;
  /** Operations of `scenarioOf`. */
  readonly operations: readonly string[];
  readonly rounds: number;
  readonly crashes?: number;
  /** Byzantine validator, if it is not the last one. */
  readonly byzantine?: string;
  readonly check: "agreement" | "amnesia" | "certificate" | "barrier" | "liveness";
}

/** Replaces the step of each validator, or of the named one. */
function step(
  change: (state: ValidatorState, input: Input, real: () => readonly Output[]) => readonly Output[],
  only?: string,
): Omit<Variant, "name"> {
  return {
    program: (real, node) =>
      only !== undefined && node !== only
        ? real
        : {
            ...real,
            step: (state, input) => change(state as ValidatorState, input, () => real.step(state, input)),
          },
  };
}

/** Drops the consensus messages that meet a condition on the record of their slot. */
function drop(
  isDropped: (body: { readonly type: string; readonly round: number }, record: SlotState) => boolean,
): Omit<Variant, "name"> {
  return step((state, input, real) => {
    if (input.type !== "message" || input.message.type !== "consensus") return real();
    const { body } = input.message;
    const record = state.slots.records.get(slotKey(body.slot));
    return record !== undefined && isDropped(body, record) ? [] : real();
  });
}

/** Ignores the inputs that would change a record of a slot in this way. */
function refuse(isRefused: (before: SlotState, after: SlotState) => boolean): Omit<Variant, "name"> {
  return {
    program: (real) => ({
      ...real,
      step: (state, input) => {
        const trial = real.fork(state) as ValidatorState;
        real.step(trial, input);
        const before = (state as ValidatorState).slots.records;
        const isWrong = [...trial.slots.records.entries()].some(([key, after]) => {
          const record = before.get(key);
          return record !== undefined && record !== after && isRefused(record, after);
        });
        return isWrong ? [] : real.step(state, input);
      },
    }),
  };
}

/** Returns true if two ballots of one kind and round share a signer. */
function hasDoubleBallot({ ballots }: SlotState): boolean {
  return ballots.some((first, index) =>
    ballots
      .slice(index + 1)
      .some(
        (second) =>
          second.type === first.type &&
          second.round === first.round &&
          second.seals.some(({ signer }) => first.seals.some((seal) => seal.signer === signer)),
      ),
  );
}

/** Commits on a lock when its content comes, whatever the round of the slot is by then. */
function commitLate(state: ValidatorState, _: Input, real: () => readonly Output[]): readonly Output[] {
  const waiting = [...state.sync.missingContents.entries()];
  const outputs = real();
  const late = waiting.flatMap(([key, slot]): readonly Output[] => {
    const record = state.slots.records.get(slotKey(slot));
    if (state.sync.missingContents.has(key) || record?.lock === undefined || record.decided !== undefined) return [];
    const { round, value } = record.lock;
    if (!key.startsWith(`${value} `) || record.round <= round) return [];
    state.slots.records.set(slotKey(slot), { ...record, commits: [...record.commits, { round, value }] });
    const body = { type: "commit", epoch: record.epoch, slot, round, value } as const;
    return [{ type: "sign", to: [], message: { type: "consensus", body, contents: [], reason: undefined } }];
  });
  return [...outputs, ...late];
}

/** Forgets the votes of round 0 before a retry after the first one. */
function forgetAfterRetries(state: ValidatorState, input: Input, real: () => readonly Output[]): readonly Output[] {
  const timer = input.type === "timer" ? timerOf(input.name) : undefined;
  const record = timer?.kind === "retry" ? state.slots.records.get(timer.slot) : undefined;
  if (timer?.kind === "retry" && record?.round === 0 && (state.slots.retries.get(timer.slot) ?? 0) > 0)
    state.slots.records.set(timer.slot, { ...record, votes: [] });
  return real();
}

export const PLANTED: readonly PlantedMistake[] = [
  {
    name: "a decision of an earlier round is dropped",
    variant: refuse(({ round, decided }, after) => decided === undefined && (after.decided?.round ?? round) < round),
    operations: ["x", "y", "c"],
    rounds: 0,
    check: "liveness",
  },
  {
    name: "a double vote or commit makes a collector deaf to votes and commits",
    variant: drop(({ type }, record) => (type === "vote" || type === "commit") && hasDoubleBallot(record)),
    operations: ["x", "y", "c"],
    rounds: 0,
    check: "liveness",
  },
  {
    name: "a validator ignores the cancellations that clients submit to it",
    variant: step(
      (_, input, real) =>
        input.type === "submit" && "operation" in input.submission && input.submission.operation.kind === "cancellation"
          ? []
          : real(),
      "v3",
    ),
    operations: ["x", "y", "c"],
    rounds: 0,
    check: "liveness",
  },
  {
    name: "a commit follows the content of a lock, although its round was left",
    variant: step(commitLate),
    operations: ["x", "c"],
    rounds: 1,
    check: "amnesia",
  },
  {
    name: "the second retry forgets the vote of round 0",
    variant: step(forgetAfterRetries),
    operations: ["x", "y"],
    rounds: 0,
    check: "amnesia",
  },
];
