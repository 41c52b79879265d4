/**
 * Liveness of the states that an exploration reaches: from each of them a fair run without further faults decides
 * everything that is owed (demands.ts, continuation.ts), with the Byzantine validator silent and with it correct.
 *
 * `every` continues every state: the one in which GST finds the network, with all earlier messages lost. `resting`
 * continues those in which no honest validator can sign anything more within the bounds while the Byzantine one is silent.
 * Every other state has an honest step that signs something, and what is signed only grows; so each of its runs without
 * further faults that loses no message comes to a state at rest, which is reached and continued. `resting` therefore
 * judges all honest schedules within the bounds, whereas `every` judges one schedule a state and finds lost messages that
 * nobody repeats.
 *
 * A stall is a real one where the continuation of the path's own memories ends in it, too (confirm.ts): a normal form
 * keeps less than any memory that it stands for. Continued are the states that the search counts, not those that its
 * validators reach from there without signing anything.
 */
import { parseSlotKey, type SlotKey } from "../core/base/slot.ts";
import type { SlotState } from "../core/consensus/slot-state.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Arena } from "./arena.ts";
import { type Byzantine, continuedFrom, type Stall, type Start, startOf } from "./continuation.ts";
import { type Demands, demandsOf } from "./demands.ts";
import { Fingerprints } from "./fingerprint.ts";
import type { Life } from "./life.ts";
import { CONTINUED_MAX } from "./limits.ts";
import type { Sayings } from "./sayings.ts";
import { type KnownValue, slotName, valueName } from "./stage.ts";

/** Which states are continued. */
export type LivenessMode = (typeof LIVENESS_MODES)[number];

/** In the order in which help lists them. */
export const LIVENESS_MODES = ["off", "resting", "every"] as const;

/** Where nobody says otherwise: it costs about as much as the exploration itself, `every` some ten times that. */
export const LIVENESS_DEFAULT: LivenessMode = "resting";

const BEHAVIOURS: readonly Byzantine[] = ["silent", "correct"];

/** Judges whether states are live, and says in words where one is not. */
export class Liveness {
  readonly #arena: Arena;
  readonly #demands: Demands;
  readonly #fingerprints: Fingerprints;
  readonly #numbers = new Map<string, number>();
  readonly #memories = new WeakMap<Life, number>();
  readonly #live = new Set<string>();

  constructor(arena: Arena, sayings: Sayings) {
    this.#arena = arena;
    this.#demands = demandsOf(arena);
    this.#fingerprints = new Fingerprints(sayings, false);
  }

  /** True if anything is owed. */
  get isOwed(): boolean {
    return this.#demands.all.length > 0;
  }

  /**
   * The stall of the honest validators' local states in normal form, in words; `undefined` where all that is owed is decided.
   * Earlier messages are lost, so what was signed makes no difference: each tuple of memories is continued once.
   */
  stallOf(lives: readonly Life[], values: ReadonlyMap<string, KnownValue>): string | undefined {
    const key = lives.map((life) => this.#memoryOf(life)).join();
    if (this.#live.has(key)) return undefined;
    const stall = this.stallFrom(
      lives.map(({ state }, by) => startOf(state, by)),
      values,
    );
    if (this.#live.size >= CONTINUED_MAX) this.#live.clear();
    if (stall === undefined) this.#live.add(key);
    return stall;
  }

  /** The same number for local states with the same memory, whatever they have signed and however often they crashed. */
  #memoryOf(life: Life): number {
    const known = this.#memories.get(life);
    if (known !== undefined) return known;
    const text = this.#fingerprints.of({ ...life, said: [], crashes: 0 });
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    this.#memories.set(life, number);
    return number;
  }

  /** The same from any memories with their timers. Costs two runs of some hundred inputs each. */
  stallFrom(starts: readonly Start[], values: ReadonlyMap<string, KnownValue>): string | undefined {
    for (const byzantine of BEHAVIOURS) {
      const stall = continuedFrom(this.#arena, starts, byzantine, this.#demands);
      // Nobody here asks in which order what was applied.
      this.#arena.compiled.log.drain();
      if (stall !== undefined) return this.#words(stall, values);
    }
    return undefined;
  }

  #words({ byzantine, demand, bound, states }: Stall, values: ReadonlyMap<string, KnownValue>): string {
    const arena = this.#arena;
    const slots = states.map((state) => demand.slot(state));
    const where = [...new Set(slots)].map((slot) => slotName({ arena }, slot)).join(" and ");
    const standings = states.map((state, by) => {
      const { name = "" } = arena.honest[by] ?? {};
      return `${name} ${standing(state, slots[by] as SlotKey, values)}`;
    });
    const owed = `no decision on ${demand.name} in ${where} within ${bound}`;
    return `${owed}, with ${arena.liar.name} ${byzantine}: ${standings.join("; ")}`;
  }
}

/** The decisions that are owed, by name. */
export function owedIn(arena: Arena): readonly string[] {
  return demandsOf(arena).all.map(({ name }) => name);
}

/** The round of a validator in a slot, its lock and its last commit, in words. */
function standing(state: ValidatorState, key: SlotKey, values: ReadonlyMap<string, KnownValue>): string {
  const slot: SlotState | undefined = state.slots.get(key);
  if (slot === undefined) return `has no record of ${parseSlotKey(key).kind === "epoch" ? "the closing" : "the slot"}`;
  const named = ({ round, value }: Pick<NonNullable<SlotState["lock"]>, "round" | "value">): string =>
    `${valueName({ values }, key, value)} of round ${round}`;
  const { round, lock, commits, decided } = slot;
  if (decided !== undefined) return `holds the decision for ${named(decided)}`;
  const last = commits.at(-1);
  const locked = lock === undefined ? "no lock" : `the lock on ${named(lock)}`;
  return `in round ${round} with ${locked}${last === undefined ? "" : ` and a commit to ${named(last)}`}`;
}
