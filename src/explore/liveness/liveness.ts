/**
 * Liveness of reached states: from each a fair run without further faults meets all demands (demands.ts,
 * continuation.ts), whichever honest validators the clients contact, with the Byzantine validator silent, silent after
 * double votes and commits, and correct.
 *
 * `every` continues every state as the one at GST, with all earlier messages lost. `resting` continues those in which
 * no honest validator can sign anything more within the bounds while the Byzantine one is silent. All other states have
 * an honest step that signs something, and signatures only accumulate; so each of their runs without further faults and
 * lost messages leads to a resting state, which is reached and continued. `resting` thus checks all honest schedules
 * within the bounds, whereas `every` checks one schedule for each state and finds lost messages that are never resent.
 *
 * A decision signs nothing, so the search delays it. Wherever some validators can decide, the states in which all of them
 * but one have decided are continued too.
 *
 * A stall is genuine if the continuation of the path's own memories ends in it too (validate-path.ts): a normal form keeps
 * less than the memories that it represents. States that validators reach by other
 * invisible steps are not continued.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Round } from "../../core/base/ids.ts";
import { parseSlotKey, type SlotKey } from "../../core/base/slot.ts";
import type { SlotState } from "../../core/consensus/slot-state.ts";
import type { ValidatorState } from "../../core/validator/state.ts";
import { CONTINUATIONS_MAX } from "../limits.ts";
import { Fingerprints } from "../model/fingerprint.ts";
import { choose } from "../model/guard.ts";
import type { LocalState } from "../model/local-state.ts";
import { type NetworkKnowledge, slotName, valueName } from "../model/network-knowledge.ts";
import type { System } from "../model/system.ts";
import { message } from "../model/transitions-clients.ts";
import {
  type ByzantineBehaviour,
  Continuation,
  type ContinuationStart,
  continuationStart,
  type Stall,
} from "./continuation.ts";
import { type Demands, demandsOf } from "./demands.ts";
import { ExecutionTree, type NumberedInput } from "./execution-tree.ts";

/** States that are continued. */
export type LivenessMode = (typeof LIVENESS_MODES)[number];

/** All modes, in the order of the help text. */
export const LIVENESS_MODES = ["off", "resting", "every"] as const;

/** Default mode: the exploration takes some 2.5 times as long as without it, with `every` some four times longer still. */
export const LIVENESS_DEFAULT: LivenessMode = "resting";

const BEHAVIOURS: readonly ByzantineBehaviour[] = ["silent", "equivocating", "correct"];

/** Checks if states are live, and describes stalls. */
export class Liveness {
  readonly #system: System;
  readonly #interchangeable: readonly number[];
  readonly #demands: Demands;
  readonly #fingerprints = new Fingerprints(false);
  readonly #memories = new WeakMap<ValidatorState, number>();
  readonly #live = new Set<string>();
  readonly #executions = new ExecutionTree();

  constructor(system: System, interchangeable: readonly number[] = []) {
    this.#system = system;
    this.#interchangeable = interchangeable;
    this.#demands = demandsOf(system);
  }

  /** True if there are demands. */
  get hasDemands(): boolean {
    return this.#demands.all.length > 0;
  }

  /**
   * Describes the stall of the honest validators' local states in normal form; `undefined` if all demands are met.
   * Earlier messages are lost and signatures have no effect, so each tuple of memories is continued once, and one of
   * those that differ by a permutation of interchangeable validators.
   */
  stallOf(localStates: readonly LocalState[], values: NetworkKnowledge["values"]): string | undefined {
    const memories = localStates.map((localState) => this.#memoryOf(localState));
    const key = this.#keyOf(memories);
    if (this.#live.has(key)) return undefined;
    this.#executions.prune();
    const stall = this.stallFrom(
      localStates.map(({ state }, validator) => continuationStart(`memory ${memories[validator]}`, state, validator)),
      values,
    );
    if (stall !== undefined) return stall;
    if (this.#live.size >= CONTINUATIONS_MAX) this.#live.clear();
    this.#live.add(key);
    return undefined;
  }

  /** Returns the same text for memories that differ by a permutation of interchangeable validators (values.ts). */
  #keyOf(memories: readonly number[]): string {
    const key = [...memories];
    const sorted = this.#interchangeable.map((validator) => memories[validator] as number).sort((a, b) => a - b);
    for (const [index, validator] of this.#interchangeable.entries()) key[validator] = sorted[index] as number;
    return key.join();
  }

  /** Returns the same number for local states with equal memory, independent of signatures and crash counts. */
  #memoryOf(localState: LocalState): number {
    return entryOf(this.#memories, localState.state, () => this.#fingerprints.numberOf(localState));
  }

  /** Describes the stall from any memories with their timers: some runs of some hundred inputs each. */
  stallFrom(starts: readonly ContinuationStart[], values: NetworkKnowledge["values"]): string | undefined {
    const { honest, committee } = this.#system;
    const ballots = this.#plantedBallots(starts, values);
    for (const byzantine of BEHAVIOURS) {
      const planted = byzantine === "equivocating" ? ballots : [];
      for (const contacts of choose([...honest.keys()], committee.faulty)) {
        const around = { byzantine, contacts, planted };
        const stall = new Continuation(this.#system, starts, around, this.#demands, this.#executions).run();
        // The log is unused here and would grow.
        this.#system.compiled.log.drain();
        if (stall !== undefined) return this.#words(stall, values);
      }
    }
    return undefined;
  }

  /** Returns the Byzantine validator's votes and commits for every value in every round of the slots that are open. */
  #plantedBallots(starts: readonly ContinuationStart[], values: NetworkKnowledge["values"]): readonly NumberedInput[] {
    const { byzantine, bounds } = this.#system;
    const open = [...values.values()].flatMap(({ slot: key, hash: value }) => {
      const records = starts.flatMap(({ state }) => state.slots.records.get(key as SlotKey) ?? []);
      return records.filter(({ decided }) => decided === undefined).map(({ slot, epoch }) => ({ epoch, slot, value }));
    });
    const rounds = Array.from({ length: bounds.rounds + 1 }, (_, round) => round as Round);
    const bodies = open.flatMap((ballot) =>
      rounds.flatMap((round) => (["vote", "commit"] as const).map((type) => ({ type, ...ballot, round }))),
    );
    const inputs = bodies.map((body) => message({ system: this.#system }, byzantine.sign(body), []));
    return [
      ...new Map(inputs.map((input) => this.#executions.numberInput(input)).map((one) => [one.number, one])).values(),
    ];
  }

  #words({ byzantine, demand, bound, states }: Stall, values: NetworkKnowledge["values"]): string {
    const system = this.#system;
    const slots = states.map((state) => demand.slot(state));
    const where = [...new Set(slots)].map((slot) => slotName({ system }, slot)).join(" and ");
    const validators = states.map((state, validator) => {
      const { name = "" } = system.honest[validator] ?? {};
      return `${name} ${slotStateText(state, slots[validator] as SlotKey, values)}`;
    });
    const owed = `no decision on ${demand.name} in ${where} within ${bound}`;
    return `${owed}, with ${system.byzantine.name} ${byzantine}: ${validators.join("; ")}`;
  }
}

/** Describes a validator's round in a slot, its lock and its last commit. */
function slotStateText(state: ValidatorState, key: SlotKey, values: NetworkKnowledge["values"]): string {
  const slot: SlotState | undefined = state.slots.records.get(key);
  if (slot === undefined) return `has no record of ${parseSlotKey(key).kind === "epoch" ? "the closing" : "the slot"}`;
  const named = ({ round, value }: Pick<NonNullable<SlotState["lock"]>, "round" | "value">): string =>
    `${valueName({ values }, key, value)} of round ${round}`;
  const { round, lock, commits, decided } = slot;
  if (decided !== undefined) return `holds the decision for ${named(decided)}`;
  const last = commits.at(-1);
  const locked = lock === undefined ? "no lock" : `the lock on ${named(lock)}`;
  return `in round ${round} with ${locked}${last === undefined ? "" : ` and a commit to ${named(last)}`}`;
}
