/** Mistakes planted into the program as replaced steps and rules, each with the smallest exploration that finds it. */
import { replaceRules, type Variant } from "../../src/bugs/known-bad-variant.ts";
import { type SlotKey, slotKey } from "../../src/core/base/slot.ts";
import type { Tally } from "../../src/core/consensus/ballots.ts";
import { finalityOf } from "../../src/core/consensus/certificate.ts";
import type { Proposal, Seal } from "../../src/core/consensus/message.ts";
import type { ConsensusRules } from "../../src/core/consensus/rules.ts";
import { decidedRecord, type SlotState } from "../../src/core/consensus/slot-state.ts";
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
  /** Number of validators, if it is not 4. */
  readonly validators?: number;
  /** Highest round, if it is not 0. */
  readonly rounds?: number;
  /** True if one round fewer is exhausted without a violation. */
  readonly isExcludedBelow?: true;
  readonly crashes?: number;
  /** Byzantine validator, if it is not the last one. */
  readonly byzantine?: string;
  /** True if the oracles see nothing on any such path of validators without normalization. */
  readonly isUnconfirmed?: true;
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

/** Replaces the records of slots after each input that meets a condition. */
function records(
  change: (record: SlotState, state: ValidatorState) => SlotState,
  isDue: (input: Input) => boolean = () => true,
): Omit<Variant, "name"> {
  return step((state, input, real) => {
    const outputs = real();
    if (!isDue(input)) return outputs;
    for (const [key, record] of [...state.slots.records.entries()]) {
      const changed = change(record, state);
      if (changed !== record) state.slots.records.set(key as SlotKey, changed);
    }
    return outputs;
  });
}

/** Loses a part of the records in a restart. */
function lose(part: Partial<SlotState>): Omit<Variant, "name"> {
  return records(
    (record) => (record.decided === undefined ? { ...record, ...part } : record),
    ({ type }) => type === "restart",
  );
}

/** Decides a value by commits that this test takes for a quorum. */
function decideBy(areEnough: (commits: readonly Tally[], quorum: number) => boolean): Omit<Variant, "name"> {
  return records((record, { environment: { committee } }) => {
    const commits = record.ballots.filter(({ type }) => type === "commit");
    for (const { round, value, seals } of commits) {
      const alike = commits.filter((other) => other.value === value);
      const chosen = [{ type: "commit", round, value, seals } as const, ...alike];
      if (record.decided !== undefined || !areEnough(chosen, committee.quorum)) continue;
      const { epoch, slot } = record;
      return decidedRecord(record, finalityOf({ type: "commit", epoch, slot, round, value }, seals));
    }
    return record;
  });
}

function signersOf(tallies: readonly { readonly seals: readonly Seal[] }[]): ReadonlySet<string> {
  return new Set(tallies.flatMap(({ seals }) => seals.map(({ signer }) => signer)));
}

/** Forgets the vote of a round in which a quorum voted, for no value enough of them. */
function forgetSplitVote(record: SlotState, { environment: { committee } }: ValidatorState): SlotState {
  const votes = record.ballots.filter(({ type, round }) => type === "vote" && round === record.round);
  const isSplit =
    signersOf(votes).size >= committee.quorum && votes.every(({ seals }) => seals.length < committee.quorum);
  return isSplit && record.votes.length > 0 ? { ...record, votes: [] } : record;
}

/** Takes round changes to any round for a justification. */
function justifyByAnyRound({ changeFault, proposalFault, proposerOf, forcedValue }: ConsensusRules) {
  return (context: Parameters<typeof proposalFault>[0], proposal: Proposal): ReturnType<typeof proposalFault> => {
    const { justification, round, signer, signature, slot, value } = proposal;
    if (justification.every((change) => change.round === round)) return proposalFault(context, proposal);
    const isSound =
      context.authenticator.verifies(proposal, signer, signature) &&
      proposerOf(context.committee, slot, round) === signer &&
      new Set(justification.map((change) => change.signer)).size === context.committee.quorum &&
      justification.every((change) => changeFault(context, change) === undefined);
    const forced = forcedValue(justification);
    return isSound && (forced === undefined || forced === value) ? undefined : "unjustified proposal";
  };
}

/** Leaves out the signed outputs of a type after inputs that meet a condition. */
function omitSigned(type: string, isDue: (input: Input) => boolean): Omit<Variant, "name"> {
  return step((_, input, real) =>
    real().filter((output) => output.type !== "sign" || output.message.body.type !== type || !isDue(input)),
  );
}

/** Signs commits without a record of them. */
function commitWithoutRecord(_: ValidatorState, __: Input, real: () => readonly Output[]): readonly Output[] {
  const outputs = real();
  const signs = outputs.some((output) => output.type === "sign" && output.message.body.type === "commit");
  return signs ? outputs.filter(({ type }) => type !== "persist") : outputs;
}

/** Forgets the lock when a cancellation comes. */
function forgetLock(state: ValidatorState, input: Input, real: () => readonly Output[]): readonly Output[] {
  const isCancellation =
    input.type === "submit" && "operation" in input.submission && input.submission.operation.kind === "cancellation";
  if (isCancellation)
    for (const [key, record] of [...state.slots.records.entries()])
      if (record.decided === undefined && record.round === 0)
        state.slots.records.set(key as SlotKey, { ...record, lock: undefined });
  return real();
}

/** Restarts without barriers. */
function loseBarriers(state: ValidatorState, input: Input, real: () => readonly Output[]): readonly Output[] {
  const outputs = real();
  if (input.type === "restart") state.slots.barriers.clear();
  return outputs;
}

export const PLANTED: readonly PlantedMistake[] = [
  {
    name: "a decision of an earlier round is dropped",
    variant: refuse(({ round, decided }, after) => decided === undefined && (after.decided?.round ?? round) < round),
    operations: ["x", "y", "c"],
    check: "liveness",
  },
  {
    name: "a double vote or commit makes a collector deaf to votes and commits",
    variant: drop(({ type }, record) => (type === "vote" || type === "commit") && hasDoubleBallot(record)),
    operations: ["x", "y", "c"],
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
    check: "liveness",
    isUnconfirmed: true,
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
    check: "amnesia",
    isUnconfirmed: true,
  },
  {
    name: "a commit is signed that no record holds",
    variant: step(commitWithoutRecord),
    operations: ["x", "y"],
    validators: 2,
    rounds: 1,
    crashes: 1,
    check: "amnesia",
  },
  {
    name: "commits of several rounds decide together",
    variant: decideBy((commits, quorum) => signersOf(commits).size >= quorum),
    operations: ["x", "c"],
    rounds: 1,
    isExcludedBelow: true,
    check: "certificate",
    isUnconfirmed: true,
  },
  {
    name: "a commit less than a quorum decides",
    variant: decideBy(([commit], quorum) => (commit?.seals.length ?? 0) >= quorum - 1),
    operations: ["x"],
    check: "certificate",
    isUnconfirmed: true,
  },
  {
    name: "locks force no value",
    variant: { rules: replaceRules("consensus", () => ({ forcedValue: () => undefined })) },
    operations: ["x", "c"],
    rounds: 1,
    isExcludedBelow: true,
    check: "agreement",
  },
  {
    name: "the lowest lock forces its value",
    variant: {
      rules: replaceRules("consensus", ({ forcedValue }) => ({
        forcedValue: (changes) => {
          const rounds = changes.flatMap(({ lock }) => lock?.round ?? []);
          return forcedValue(changes.filter(({ lock }) => lock?.round === Math.min(...rounds)));
        },
      })),
    },
    operations: ["x", "c"],
    validators: 2,
    rounds: 2,
    isExcludedBelow: true,
    check: "agreement",
    isUnconfirmed: true,
  },
  {
    name: "round changes to any round justify a proposal",
    variant: { rules: replaceRules("consensus", (real) => ({ proposalFault: justifyByAnyRound(real) })) },
    operations: ["x", "c"],
    validators: 2,
    byzantine: "v1",
    rounds: 2,
    isExcludedBelow: true,
    check: "agreement",
  },
  ...Object.entries({
    "the round": { round: 0 as SlotState["round"] },
    "the lock": { lock: undefined },
    "the lock that the round change carries": { carried: undefined },
  }).map(
    ([what, part]): PlantedMistake => ({
      name: `a restart forgets ${what}`,
      variant: lose(part),
      operations: ["x", "c"],
      validators: 2,
      rounds: 1,
      crashes: 1,
      check: "amnesia",
    }),
  ),
  {
    name: "a restart forgets the votes",
    variant: lose({ votes: [] }),
    operations: ["x", "y"],
    crashes: 1,
    check: "amnesia",
  },
  {
    name: "a restart forgets the own proposal",
    variant: lose({ proposed: undefined }),
    operations: ["x", "c"],
    validators: 2,
    byzantine: "v1",
    rounds: 1,
    crashes: 1,
    check: "amnesia",
  },
  {
    name: "a split vote is forgotten",
    variant: records(forgetSplitVote),
    operations: ["x", "y"],
    check: "amnesia",
  },
  {
    name: "a cancellation makes a validator forget its lock",
    variant: step(forgetLock),
    operations: ["x", "c"],
    validators: 2,
    check: "amnesia",
  },
  {
    name: "no retry repeats a round change",
    variant: omitSigned("roundChange", ({ type }) => type === "timer"),
    operations: ["x", "c"],
    rounds: 1,
    check: "liveness",
  },
  {
    name: "a restart forgets the barriers",
    variant: step(loseBarriers),
    operations: ["p", "x"],
    validators: 2,
    crashes: 1,
    check: "barrier",
  },
];
