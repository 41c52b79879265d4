/** Local states of one validator, each once, with the edges that transitions lead along. */

import type { Arena } from "./arena.ts";
import { checksumWith, type Fingerprints } from "./fingerprint.ts";
import { forget } from "./forget.ts";
import type { Journal, Lived } from "./journal.ts";
import { born, type Cut, isUntouched, type Life, live, NOTHING, type NumberSaying, type Timeless } from "./life.ts";
import { SaidRows } from "./said-rows.ts";
import type { Situation } from "./situations.ts";
import type { Stimuli } from "./stimulus.ts";
import { intsOfWays, noWays, type Way, type Ways, waysIn } from "./way.ts";

interface Known extends Ways {
  readonly life: Life;
}

/** Local states of one validator. */
export class Lives {
  readonly #by: number;
  readonly #participant: Arena["honest"][number];
  readonly #journal: Journal;
  readonly #number: NumberSaying;
  readonly #fingerprints: Fingerprints;
  readonly #kin: Map<string, number>;
  readonly #kinOf: number[] = [];
  readonly #stimuli: Stimuli;
  readonly #crashes: number;
  readonly #forgets: boolean;
  readonly #ids = new Map<string, number>();
  readonly #known: Known[] = [];
  readonly #drain: () => void;
  readonly #said = new SaidRows();
  /** Number of inputs processed by the real program. */
  steps = 0;
  /** Checksum of 32 bits over all local states in order; it differs between programs. */
  checksum = 0;

  /** `by` is the validator's index among the honest ones. */
  constructor(
    by: number,
    participant: Arena["honest"][number],
    parts: {
      readonly journal: Journal;
      readonly number: NumberSaying;
      readonly fingerprints: Fingerprints;
      /** Numbers of fingerprints, shared by all validators. */
      readonly kin: Map<string, number>;
      readonly stimuli: Stimuli;
      readonly crashes: number;
      readonly forgets: boolean;
      readonly drain: () => void;
    },
  ) {
    this.#by = by;
    this.#participant = participant;
    this.#journal = parts.journal;
    this.#number = parts.number;
    this.#fingerprints = parts.fingerprints;
    this.#kin = parts.kin;
    this.#stimuli = parts.stimuli;
    this.#crashes = parts.crashes;
    this.#forgets = parts.forgets;
    this.#drain = parts.drain;
  }

  get size(): number {
    return this.#known.length;
  }

  /** Repeats a step of a journal. @throws RangeError if it reaches no new local state, as it did in another program. */
  again({ from, stimulus, cut }: Lived): void {
    const { life } = this.#entry(from);
    const inputs = stimulus === undefined ? [NOTHING] : this.#stimuli.made(stimulus);
    const size = this.size;
    if (this.#cameTo(this.#live(life, inputs, cut).life, from, stimulus, cut) !== size)
      throw new RangeError(`a step from local state ${from} reaches no new local state`);
  }

  /** Returns the known edges of all local states as numbers. */
  ways(): Int32Array {
    return intsOfWays(this.#known);
  }

  /** Restores the edges of the existing local states. @throws RangeError if they belong to others. */
  resume(ways: Int32Array, steps: number): void {
    const all = [...waysIn(ways)];
    if (all.length !== this.size)
      throw new RangeError(`expected the edges of ${this.size} local states, got ${all.length}`);
    for (const [id, one] of all.entries()) this.#known[id] = { ...this.#entry(id), ...one };
    this.steps = steps;
  }

  /** Returns the number of the initial local state. */
  first(): number {
    return this.#intern(born(this.#participant, this.#number));
  }

  life(id: number): Life {
    return this.#entry(id).life;
  }

  /** Returns the same number for equal local states of different validators. */
  kinOf(id: number): number {
    return this.#kinOf[id] as number;
  }

  crashesOf(id: number): number {
    return this.#entry(id).life.crashes;
  }

  /** Adds the bits of the statements signed in a local state. */
  addSaid(id: number, words: Int32Array): void {
    this.#said.addTo(words, id);
  }

  /** Returns true if two local states have the same signed statements. */
  saidAlike(one: number, other: number): boolean {
    return this.#said.areAlike(one, other);
  }

  /** Reports the edges of a local state under the enabled transitions, in a fixed order. */
  onwards(id: number, situation: Situation, heard: (way: Way) => void): void {
    const known = this.#entry(id);
    const count = this.#stimuli.all.length;
    for (; known.heard < count; known.heard++) known.untried.push(known.heard);
    if (known.untried.length > 0) this.#try(id, known, situation);
    if (!known.hasCrashed && known.life.crashes < this.#crashes) this.#crashAtRest(id, known);
    for (const way of known.ways) {
      if (way.stimuli.length === 0) heard(way);
      for (const stimulus of way.stimuli) {
        if (!situation.allows(stimulus)) continue;
        heard(way);
        break;
      }
    }
  }

  /** Tries transitions that are enabled here for the first time; those without effect are not tried again. */
  #try(id: number, known: Known, situation: Situation): void {
    const left: number[] = [];
    for (const stimulus of known.untried) {
      if (situation.allows(stimulus)) this.#outcomes(id, known, stimulus, situation.signed);
      else left.push(stimulus);
    }
    known.untried = left;
  }

  #outcomes(id: number, known: Known, stimulus: number, signed: Int32Array): void {
    const inputs = this.#stimuli.inputs(stimulus, signed);
    const whole = this.#live(known.life, inputs, undefined);
    const next = isUntouched(known.life, whole.life) ? id : this.#cameTo(whole.life, id, stimulus, undefined);
    if (next !== id) lead(known, next, undefined, stimulus);
    if (known.life.crashes >= this.#crashes) return;
    for (const cut of whole.cuts)
      lead(known, this.#cameTo(this.#live(known.life, inputs, cut).life, id, stimulus, cut), cut, stimulus);
  }

  /** Returns the number of the local state that a step reached, and logs it if it is new. */
  #cameTo(life: Life, from: number, stimulus: number | undefined, cut: Cut | undefined): number {
    const size = this.size;
    const id = this.#intern(life);
    if (id === size) this.#journal.lived(this.#by, from, stimulus, cut);
    return id;
  }

  #live(life: Life, inputs: readonly Timeless[], cut: Cut | undefined): ReturnType<typeof live> {
    this.steps += inputs.length;
    const lived = live(this.#participant, this.#number, life, inputs, cut);
    this.#drain();
    return lived;
  }

  #crashAtRest(id: number, known: Known): void {
    known.hasCrashed = true;
    const cut: Cut = { input: 0, outputs: 0 };
    const struck = this.#cameTo(this.#live(known.life, [NOTHING], cut).life, id, undefined, cut);
    if (struck !== id) known.ways.push({ life: struck, cut, stimuli: [] });
  }

  #entry(id: number): Known {
    const known = this.#known[id];
    if (known === undefined) throw new RangeError(`no local state has the number ${id}`);
    return known;
  }

  #intern(lived: Life): number {
    const life = this.#forgets ? { ...lived, state: forget(lived.state) } : lived;
    const text = this.#fingerprints.of(life);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#known.length;
    this.#ids.set(text, id);
    const kin = this.#kin.get(text) ?? this.#kin.size;
    this.#kin.set(text, kin);
    this.#kinOf.push(kin);
    this.#known.push({ life, ...noWays() });
    this.checksum = checksumWith(this.checksum, text);
    this.#said.note(id, life.said);
    return id;
  }
}

/** Notes that a transition leads to a local state: all transitions to it share one edge. */
function lead({ ways }: Known, life: number, cut: Cut | undefined, stimulus: number): void {
  const way = ways.find((one) => one.life === life && (one.cut === undefined) === (cut === undefined));
  if (way === undefined) ways.push({ life, cut, stimuli: [stimulus] });
  else if (way.stimuli.length > 0 && !way.stimuli.includes(stimulus)) way.stimuli.push(stimulus);
}
