/**
 * Exact exploration of very small configurations: an independent reference of the reduced one (src/explore).
 *
 * It has no transitions, normal forms, symmetry or invisible steps: each step gives one validator one input, memories are
 * compared whole, and states also by what each validator has sent. Inputs are messages that validators sent in this run,
 * operations of the scenario, timers that are set, and what the Byzantine validator signs or assembles from these
 * messages. Left out, as in the reduced one: synchronisation, queue limits, rounds beyond the bound.
 */
import type { Address, Epoch, Hash, Round } from "../../src/core/base/ids.ts";
import { parseSlotKey, type SlotKey, slotKey } from "../../src/core/base/slot.ts";
import { finalityOf, lockOf } from "../../src/core/consensus/certificate.ts";
import type { Commit, ConsensusMessage, LockCertificate, RoundChange, Vote } from "../../src/core/consensus/message.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { PeerMessage, SlotReason } from "../../src/core/validator/message.ts";
import { skipContent } from "../../src/core/validator/slots/reason-check.ts";
import { timerName, timerOf } from "../../src/core/validator/timer.ts";
import { Liveness } from "../../src/explore/liveness/liveness.ts";
import { contradictionIn } from "../../src/explore/model/checks.ts";
import { choose, combinations } from "../../src/explore/model/guard.ts";
import {
  applyInputs,
  decisionsOf,
  initialState,
  type LocalState,
  type NumberStatement,
  type UntimedInput,
  type Watcher,
} from "../../src/explore/model/local-state.ts";
import { StatementTable } from "../../src/explore/model/statements.ts";
import { type System, type SystemOptions, systemOf } from "../../src/explore/model/system.ts";
import { slotOf } from "../../src/explore/model/values.ts";
import { bounds as quorumsOf } from "../../src/invariants/history/quorum.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { memoryText, outcomeText, plain, signedText } from "./support.ts";

/** Memory of one validator with the messages that it has sent, by number. */
interface ExactLocal {
  readonly localState: LocalState;
  readonly sent: readonly number[];
  /** Text of the signatures. */
  readonly signed: string;
}

const EPOCH = 0 as Epoch;

/** Messages that are explored; the others synchronise. */
const EXPLORED: ReadonlySet<string> = new Set(["consensus", "offer", "disclosure"]);

/** Message with its sender. */
type ShownMessage = Readonly<{ from: Address; message: PeerMessage }>;

/** Numbers of the local states of all honest validators. */
export type ExactState = readonly number[];

/** Failure of an edge or a state, as the checks of the reduced exploration are called. */
export type ExactFailure = "agreement" | "amnesia" | "certificate";

export class ExactWorld {
  readonly system: System;
  readonly #statements = new StatementTable();
  readonly #locals: ExactLocal[] = [];
  readonly #localNumbers = new Map<string, number>();
  readonly #messages: ShownMessage[] = [];
  readonly #messageNumbers = new Map<string, number>();
  readonly #inputs: UntimedInput[] = [];
  readonly #inputNumbers = new Map<string, number>();
  readonly #pools = new Map<string, readonly number[]>();
  readonly #edges = new Map<string, number>();
  readonly #values: ReadonlyMap<SlotKey, readonly Content[]>;
  readonly failures = new Set<ExactFailure>();

  constructor(scenario: Scenario, options: SystemOptions) {
    this.system = systemOf(scenario, options);
    this.#values = this.#valuesOf();
  }

  first(): ExactState {
    return this.system.honest.map((participant, by) => {
      const sent = new Set<number>();
      return this.#localNumber(by, initialState(participant, this.#number(by), this.#watch(by, sent)), sent);
    });
  }

  /** Returns the numbers of the inputs that one validator may take. */
  inputs(state: ExactState, by: number): readonly number[] {
    const sent = [...new Set(state.flatMap((local) => this.#local(local).sent))].sort((a, b) => a - b);
    const key = sent.join();
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      pool = [...new Set(this.#inputsFrom(sent).map((input) => this.#inputNumber(input)))];
      this.#pools.set(key, pool);
    }
    return [...pool, ...this.#timers(this.#local(state[by] as number)).map((input) => this.#inputNumber(input))];
  }

  /** Returns the state after a validator's step, and notes what it breaks. */
  step(state: ExactState, by: number, input: number): ExactState {
    const from = state[by] as number;
    const key = `${by} ${from} ${input}`;
    let to = this.#edges.get(key);
    if (to === undefined) {
      const { localState, sent: before } = this.#local(from);
      const sent = new Set(before);
      const taken = this.#inputs[input] as UntimedInput;
      const participant = this.system.honest[by] as System["honest"][number];
      const { state: after } = applyInputs(
        participant,
        this.#number(by),
        localState,
        [taken],
        undefined,
        this.#watch(by, sent),
      );
      this.system.compiled.log.drain();
      if (contradictionIn(this.#statements, localState.signed, after.signed, (value) => value) !== undefined)
        this.failures.add("amnesia");
      to = this.#localNumber(by, after, sent);
      this.#edges.set(key, to);
    }
    const next = state.with(by, to);
    if (to !== from) this.#check(next);
    return next;
  }

  /** Returns the signatures of a state with the decisions of each validator, one text each. */
  outcomes(state: ExactState): readonly string[] {
    const signed = state.map((local) => this.#local(local).signed).join("|");
    return state.map((local, by) => outcomeText(signed, by, decisionsOf(this.#local(local).localState)));
  }

  /** Returns true if a fair run without further faults from here meets all demands. */
  isLive(state: ExactState): boolean {
    const starts = state.map((local) => {
      const { state: memory } = this.#local(local).localState;
      const timers = [...memory.slots.timers.entries()].map(([name]) => [name, 1_000] as const);
      const retries = [...memory.slots.retries.entries()].map(
        ([slot]) => [timerName({ kind: "retry", slot }), 2_000] as const,
      );
      const sync = [timerName({ kind: "sync" }), 1_000] as const;
      return { name: `exact ${local}`, state: memory, timers: new Map([...timers, ...retries, sync]) };
    });
    return new Liveness(this.system).stallFrom(starts, new Map()) === undefined;
  }

  /** Notes two values with quorums of commits, and a decision without one, the Byzantine validator's commit included. */
  #check(state: ExactState): void {
    const { quorum } = quorumsOf(this.system.committee.members.length);
    const final = new Set<string>();
    const commits = new Map<string, number>();
    const locals = state.map((local) => this.#local(local).localState);
    for (const number of locals.flatMap(({ signed }) => signed)) {
      const { body } = this.#statements.get(number).message;
      if (body.type !== "commit") continue;
      const key = `${slotKey(body.slot)} ${body.value} ${body.round}`;
      commits.set(key, (commits.get(key) ?? 0) + 1);
      if (commits.get(key) === quorum - 1) final.add(key.slice(0, key.lastIndexOf(" ")));
    }
    const slots = new Set([...final].map((key) => key.split(" ")[0]));
    if (slots.size < final.size) this.failures.add("agreement");
    for (const local of locals)
      for (const [slot, value] of decisionsOf(local))
        if (!final.has(`${slot} ${value}`)) this.failures.add("certificate");
  }

  #local(number: number): ExactLocal {
    return this.#locals[number] as ExactLocal;
  }

  #number(by: number): NumberStatement {
    return (message, sign) => this.#statements.numberOf(by, message, sign);
  }

  /** Notes each message that a validator sends and that the reduced exploration does not leave out. */
  #watch(by: number, sent: Set<number>): Watcher {
    const { key: from } = this.system.honest[by] as System["honest"][number];
    const note = (message: PeerMessage): void => {
      if (!EXPLORED.has(message.type)) return;
      const key = plain([from, message]);
      const known = this.#messageNumbers.get(key) ?? this.#messages.push({ from, message }) - 1;
      this.#messageNumbers.set(key, known);
      sent.add(known);
    };
    return {
      signed: note,
      carriedOut: (output) => {
        if (output.type === "send") note(output.message);
      },
    };
  }

  #localNumber(by: number, localState: LocalState, sent: ReadonlySet<number>): number {
    const bodies = localState.signed.map((number) => this.#statements.get(number).message.body);
    const signed = signedText(bodies);
    const key = `${by} ${memoryText(localState)} ${signed} ${[...sent].sort((a, b) => a - b).join()}`;
    const known = this.#localNumbers.get(key);
    if (known !== undefined) return known;
    this.#localNumbers.set(key, this.#locals.length);
    return this.#locals.push({ localState, sent: [...sent], signed }) - 1;
  }

  #inputNumber(input: UntimedInput): number {
    const key = plain(input, true);
    const known = this.#inputNumbers.get(key) ?? this.#inputs.push(input) - 1;
    this.#inputNumbers.set(key, known);
    return known;
  }

  /** Returns the timers of a validator that may fire: none leads beyond the bound of rounds. */
  #timers({ localState: { state } }: ExactLocal): readonly UntimedInput[] {
    const { rounds } = this.system.bounds;
    const names = [...state.slots.timers.entries()].map(([name]) => name);
    const retries = [...state.slots.retries.entries()].map(([slot]) => timerName({ kind: "retry", slot }));
    const isBeyond = (name: string): boolean => {
      const timer = timerOf(name);
      return timer.kind === "round" ? timer.round >= rounds : rounds === 0;
    };
    return [...names.filter((name) => !isBeyond(name)), ...retries].map((name) => ({ type: "timer", name }));
  }

  /** Returns all contents that may be decided in the slots of the scenario's operations. */
  #valuesOf(): ReadonlyMap<SlotKey, readonly Content[]> {
    const { operations, proofs, compiled } = this.system;
    const { commons } = compiled;
    const found = new Map<SlotKey, Content[]>();
    const note = (slot: SlotKey, content: Content): void => {
      found.set(slot, [...(found.get(slot) ?? []), content]);
    };
    const skip = (reason: Exclude<SlotReason, { kind: "burn" }>): Content =>
      skipContent(commons, commons.shared.genesis, reason);
    for (const { signed } of operations) {
      const slot = slotKey(slotOf(signed));
      if (signed.operation.kind !== "cancellation") {
        note(slot, { value: commons.hashes.operationValue(signed), operations: [signed], certificates: [] });
        continue;
      }
      for (const { signed: displaced } of operations)
        if (displaced.operation.kind !== "cancellation" && slotKey(slotOf(displaced)) === slot)
          note(slot, skip({ kind: "cancellation", cancellation: signed, displaced }));
    }
    for (const { evidence } of proofs)
      note(slotKey(slotOf(evidence.first)), skip({ kind: "equivocation", proof: evidence }));
    return found;
  }

  /** Returns what the network, the clients and the Byzantine validator can show after these messages. */
  #inputsFrom(sent: readonly number[]): readonly UntimedInput[] {
    const { operations, recoveries, byzantine, bounds } = this.system;
    const shown = sent.map((number) => this.#messages[number] as ShownMessage);
    const bodies = shown.flatMap(({ message }) => (message.type === "consensus" ? [message.body] : []));
    const submissions = [...operations.map(({ signed }) => signed), ...recoveries.map(({ recovery }) => recovery)];
    const inputs: UntimedInput[] = [
      ...submissions.map((submission): UntimedInput => ({ type: "submit", client: "client", submission })),
      ...shown
        .filter(({ message }) => message.type !== "consensus" || this.#isWithin(message.body))
        .map(({ from, message }) => ({ type: "message", from, message }) as UntimedInput),
    ];
    const show = (body: ConsensusMessage, contents: readonly Content[] = [], reason?: SlotReason): void => {
      if (this.#isWithin(body))
        inputs.push({ type: "message", from: byzantine.key, message: { type: "consensus", body, contents, reason } });
    };
    for (const [key, contents] of this.#values) {
      const slot = parseSlotKey(key);
      for (const content of contents) {
        const value = this.#hash(content);
        if (content.value.type === "operation")
          inputs.push({ type: "message", from: byzantine.key, message: { type: "offer", slot, content } });
        for (let at = 0; at <= bounds.rounds; at++) {
          const round = at as Round;
          for (const type of ["vote", "commit"] as const)
            show(byzantine.sign({ type, epoch: EPOCH, slot, round, value }), type === "vote" ? [content] : []);
          for (const certificate of this.#certificates(bodies, key, round, value)) {
            show(certificate);
            show(certificate, [content]);
          }
        }
      }
      for (let at = 1; at <= bounds.rounds; at++) this.#showRound(bodies, key, at as Round, show);
    }
    return inputs;
  }

  /** Shows the Byzantine validator's round changes to a round, and its proposals on all sets of round changes. */
  #showRound(
    bodies: readonly ConsensusMessage[],
    key: SlotKey,
    round: Round,
    show: (body: ConsensusMessage, contents?: readonly Content[], reason?: SlotReason) => void,
  ): void {
    const { byzantine, honest, operations } = this.system;
    const slot = parseSlotKey(key);
    const contents = this.#values.get(key) ?? [];
    const locks = contents.flatMap((content) =>
      Array.from({ length: round }, (_, lower) => lower as Round).flatMap((lower) =>
        this.#certificates(bodies, key, lower, this.#hash(content)).filter((one) => one.type === "lock"),
      ),
    ) as readonly LockCertificate[];
    const own = [undefined, ...locks].map(
      (lock) => byzantine.sign({ type: "roundChange", epoch: EPOCH, slot, round, lock }) as RoundChange,
    );
    const cancellations = operations.filter(({ signed }) => signed.operation.kind === "cancellation");
    for (const change of own) {
      show(change);
      for (const { signed: cancellation } of cancellations)
        for (const { signed: displaced } of operations)
          if (displaced.operation.kind !== "cancellation")
            show(change, [], { kind: "cancellation", cancellation, displaced });
    }
    const changes = [...honest.map(({ key: signer }) => changesBy(bodies, signer, key, round)), own];
    for (const signers of choose(changes, this.system.committee.quorum))
      for (const justification of combinations(signers))
        for (const content of contents) {
          const value = this.#hash(content);
          show(byzantine.sign({ type: "proposal", epoch: EPOCH, slot, round, value, justification }), [content]);
        }
  }

  /** Returns the certificates of a value in a round that these signatures and the Byzantine validator's form, if need be one too few. */
  #certificates(
    bodies: readonly ConsensusMessage[],
    key: SlotKey,
    round: Round,
    value: Hash,
  ): readonly ConsensusMessage[] {
    const slot = parseSlotKey(key);
    const few = this.system.committee.quorum - 1;
    return (["vote", "commit"] as const).flatMap((type) => {
      const ballots = bodies.filter(
        (body): body is Vote | Commit =>
          body.type === type && slotKey(body.slot) === key && body.round === round && body.value === value,
      );
      const honest = [...new Map(ballots.map((body) => [body.signer, body])).values()].slice(0, few);
      if (honest.length < few - 1) return [];
      const ballot = { epoch: EPOCH, slot, round, value };
      const signed = [...honest, this.system.byzantine.sign({ type, ...ballot })];
      const seals = signed.map(({ signer, signature }) => ({ signer, signature }));
      return [type === "vote" ? lockOf({ type, ...ballot }, seals) : finalityOf({ type, ...ballot }, seals)];
    });
  }

  #isWithin({ type, round }: Pick<ConsensusMessage, "type" | "round">): boolean {
    const { rounds } = this.system.bounds;
    return round <= rounds && (type !== "roundChange" || rounds > 0);
  }

  #hash({ value }: Content): Hash {
    return this.system.compiled.commons.shared.hashes.value(value);
  }
}

/** Result of an exact exploration. */
interface ExactResult {
  readonly states: number;
  readonly outcomes: ReadonlySet<string>;
  readonly failures: ReadonlySet<ExactFailure>;
}

/** Visits all states, or those up to the first failure. @throws Error if there are more than `most`. */
export function exploreExactly(scenario: Scenario, options: SystemOptions, most: number): ExactResult {
  const world = new ExactWorld(scenario, options);
  const outcomes = new Set<string>();
  const first = world.first();
  const seen = new Set([first.join()]);
  const todo = [first];
  for (let state = todo.pop(); state !== undefined && world.failures.size === 0; state = todo.pop()) {
    for (const outcome of world.outcomes(state)) outcomes.add(outcome);
    for (const by of state.keys()) {
      for (const input of world.inputs(state, by)) {
        const next = world.step(state, by, input);
        const key = next.join();
        if (seen.has(key)) continue;
        if (seen.size >= most) throw new Error(`more than ${most} states`);
        seen.add(key);
        todo.push(next);
      }
    }
  }
  return { states: seen.size, outcomes, failures: world.failures };
}

/** Returns the round changes of a validator to a round, one for each lock. */
function changesBy(
  bodies: readonly ConsensusMessage[],
  signer: string,
  key: SlotKey,
  round: Round,
): readonly RoundChange[] {
  return bodies.filter(
    (body): body is RoundChange =>
      body.type === "roundChange" && body.signer === signer && slotKey(body.slot) === key && body.round === round,
  );
}
