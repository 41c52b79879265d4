/** The explored model: components of a global state, their transitions and invariants. */
import type { Scenario } from "../scenario/scenario.ts";
import { type Arena, type ArenaOptions, arenaOf } from "./arena.ts";
import { type Checking, type Failed, failedInLife, failedInSaid } from "./checks.ts";
import { Clients } from "./clients.ts";
import { Closings } from "./closings.ts";
import { type Fact, factsOf } from "./facts.ts";
import { Fingerprints } from "./fingerprint.ts";
import { eventsIn, Journal } from "./journal.ts";
import type { NumberSaying } from "./life.ts";
import { WORDS } from "./limits.ts";
import { Liveness, type LivenessMode } from "./liveness.ts";
import { Lives } from "./lives.ts";
import type { NeedTree } from "./need.ts";
import type { PathStep } from "./path-step.ts";
import { stageOf, stimuliOf } from "./repertoire.ts";
import { Sayings } from "./sayings.ts";
import { type Outlook, Silence } from "./silence.ts";
import { Situation, Situations } from "./situations.ts";
import type { KnownValue, Stage } from "./stage.ts";
import { Stimuli } from "./stimulus.ts";
import { alikeIn } from "./symmetry.ts";
import { accountValues } from "./values.ts";
import type { Way } from "./way.ts";

/** Label of a crash without inputs. */
export const CRASHED = "a crash";

/** Name of the clients in a path. */
export const CLIENTS = "the clients";

export interface ModelOptions extends ArenaOptions {
  /** False to disable normalization of memories (forget.ts); default: true. */
  readonly forgets?: boolean;
  /** False to disable symmetry reduction (symmetry.ts); default: true. */
  readonly symmetric?: boolean;
  /** False to count invisible steps as states (silence.ts); default: true. */
  readonly delays?: boolean;
  /** States that are continued (liveness.ts); default: none. */
  readonly liveness?: LivenessMode;
}

/** Index of the step counts in a saved search, behind two other counts. */
const STEPS_AT = 2;

/** Honest validators and, last, the clients: a global state has one number for each. */
export class Model {
  readonly arena: Arena;
  readonly sayings: Sayings = new Sayings();
  readonly #journal = new Journal();
  readonly stimuli: Stimuli = new Stimuli(this.#journal);
  readonly lives: readonly Lives[];
  readonly #silences: readonly Silence<Failed>[];
  readonly #situations = new Situations();
  readonly #clients: Clients;
  readonly #closings = new Closings();
  readonly #values: readonly KnownValue[];
  readonly #alike: readonly number[];
  readonly #situation: Situation = new Situation(noWords(), this.stimuli.trees);
  /** The same signatures, while the Byzantine validator is silent. */
  readonly #silent: Situation = new Situation(this.#situation.signed, this.stimuli.silentTrees);
  readonly #liveness: Liveness | undefined;
  readonly #mode: LivenessMode;
  #stage: Stage;
  #facts: readonly Fact[] = [];
  #factTrees: readonly NeedTree[] = [];
  #learned = -1;

  /** @throws NotExplorable for a scenario with unsupported features. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.arena = arenaOf(scenario, options);
    const { crashes } = options.bounds;
    const liveness = new Liveness(this.arena, this.sayings);
    this.#mode = liveness.isOwed ? (options.liveness ?? "off") : "off";
    this.#liveness = this.#mode === "off" ? undefined : liveness;
    const fingerprints = new Fingerprints(this.sayings, crashes > 0);
    const kin = new Map<string, number>();
    const { stimuli } = this;
    const drain = (): void => this.learn();
    this.lives = this.arena.honest.map((participant, by) => {
      const number: NumberSaying = (message) => this.sayings.numberOf(by, message);
      return new Lives(by, participant, {
        journal: this.#journal,
        number,
        fingerprints,
        kin,
        stimuli,
        crashes,
        forgets: options.forgets ?? true,
        drain,
      });
    });
    this.#silences = this.lives.map(
      (lives, by) =>
        new Silence(lives, options.delays ?? true, (life, signed) =>
          failedInLife(this.#known(by), lives.life(life), signed),
        ),
    );
    this.#clients = new Clients(this.arena, this.sayings);
    this.#values = accountValues(this.arena, this.#clients.release);
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#alike = options.symmetric === false ? [] : alikeIn(this.arena);
    this.learn();
  }

  /** Returns the journal, the known edges and checksums that detect another program, as numbers. */
  keep(): readonly Int32Array[] {
    return [this.#signs(), this.#journal.ints(), ...this.lives.map((one) => one.ways())];
  }

  /** Restores what `keep` returned, right after `first()`. @throws RangeError if another program saved it. */
  resume([signs, journal, ...ways]: readonly Int32Array[]): void {
    for (const event of eventsIn(journal ?? noWords())) {
      if (event.type === "built") this.stimuli.inputs(event.stimulus, event.signed);
      else this.#livesOf(event.by).again(event);
    }
    for (const [by, lives] of this.lives.entries())
      lives.resume(ways[by] ?? new Int32Array(0), signs?.[STEPS_AT + by] ?? 0);
    if (String(this.#signs()) !== String(signs)) throw new RangeError("its local states are not those of this program");
  }

  /** Returns counts, the steps of each validator, and checksums. */
  #signs(): Int32Array {
    const counts = [this.sayings.all.length, this.stimuli.all.length];
    return Int32Array.from([
      ...counts,
      ...this.lives.map(({ steps }) => steps),
      ...this.lives.flatMap(({ size, checksum }) => [size, checksum]),
    ]);
  }

  /**
   * Writes the canonical form of a state: equal for states that differ by a permutation of interchangeable validators.
   */
  canonical(state: Int32Array, key: Int32Array): void {
    for (let part = 0; part < state.length; part++) key[part] = state[part] as number;
    const alike = this.#alike;
    // Insertion sort: there are few elements, and this runs at every lookup of a state.
    for (let place = 0; place < alike.length; place++) {
      const by = alike[place] as number;
      const kin = this.#livesOf(by).kinOf(state[by] as number);
      let at = place;
      for (; at > 0 && (key[alike[at - 1] as number] as number) > kin; at--)
        key[alike[at] as number] = key[alike[at - 1] as number] as number;
      key[alike[at] as number] = kin;
    }
  }

  /** Numbers in a state. */
  get width(): number {
    return this.lives.length + 1;
  }

  first(): Int32Array {
    return Int32Array.from([...this.lives.map((one) => one.first()), this.#clients.first()]);
  }

  /** Writes the signatures of all honest validators in a state as a bit set. */
  signedIn(state: Int32Array, words: Int32Array): void {
    words.fill(0);
    for (let by = 0; by < this.lives.length; by++) this.#livesOf(by).addSaid(state[by] as number, words);
    this.#clients.addSaid(state[this.lives.length] as number, words);
  }

  /** Returns the number of crashes in a state. */
  crashesIn(state: Int32Array): number {
    if (this.arena.bounds.crashes === 0) return 0;
    return this.lives.reduce((sum, one, by) => sum + one.crashesOf(state[by] as number), 0);
  }

  /** Selects the state that later calls refer to. */
  look(state: Int32Array): void {
    this.signedIn(state, this.#situation.signed);
    this.#find();
  }

  /** Returns the successors of one component of the selected state, computed with the knowledge at the end. */
  outlook(by: number, part: number): Outlook<Failed> {
    for (;;) {
      const learned = this.#learned;
      const outlook = this.#outlookIn(this.#situation, by, part);
      if (learned === this.#learned) return outlook;
      this.#find();
    }
  }

  #outlookIn(situation: Situation, by: number, part: number): Outlook<Failed> {
    const silence = this.#silences[by];
    if (silence === undefined) return { turns: this.#clients.turns(part, situation.signed), failed: undefined };
    return silence.outlook(part, situation);
  }

  /** Describes unmet demands of a fair run without further faults from the selected state (liveness.ts). */
  stallIn(state: Int32Array): Failed | undefined {
    if (this.#liveness === undefined || (this.#mode === "resting" && !this.#isAtRest(state))) return undefined;
    const lives = this.lives.map((one, by) => one.life(state[by] as number));
    const words = this.#liveness.stallOf(lives, this.#stage.values);
    return words === undefined ? undefined : { check: "liveness", words };
  }

  /** Returns true if no honest validator can sign anything more while the Byzantine one is silent. */
  #isAtRest(state: Int32Array): boolean {
    for (;;) {
      const learned = this.#learned;
      this.#find();
      this.#silent.look(this.#factTrees, this.#situations);
      const isResting = (part: number, by: number): boolean =>
        this.#outlookIn(this.#silent, by, part).turns.every(({ isCrash }) => isCrash);
      const isAtRest = state.every(isResting);
      if (learned === this.#learned) return isAtRest;
    }
  }

  /** Returns the steps between two numbers of a component in the selected state. */
  steps(by: number, from: number, to: number): readonly PathStep[] {
    const who = this.nameOf(by);
    const silence = this.#silences[by];
    if (silence === undefined) return [{ who, what: this.#clients.told(from, to), cut: undefined }];
    return silence.strides(from, to, this.#situation).map(({ way }) => ({ who, what: this.#told(way), cut: way.cut }));
  }

  /** Reports the edges of one component of a state, invisible steps included. */
  onwards(by: number, part: number, signed: Int32Array, heard: (way: Way) => void): void {
    this.#situation.signed.set(signed);
    this.#find();
    if (by === this.lives.length) this.#clients.onwards(part, signed, heard);
    else this.#livesOf(by).onwards(part, this.#situation, heard);
  }

  /** Returns the check that a state fails after a step of component `by`. `words` is scratch. */
  check(state: Int32Array, by: number, from: number, words: Int32Array): Failed | undefined {
    if (by === this.lives.length) return undefined;
    const lives = this.#livesOf(by);
    const to = state[by] as number;
    this.signedIn(state, words);
    const said = lives.saidAlike(from, to)
      ? undefined
      : failedInSaid(this.#known(by), lives.life(from), lives.life(to), words);
    return said ?? failedInLife(this.#known(by), lives.life(to), words);
  }

  #known(by: number): Checking {
    const [stage, facts] = [this.#stage, this.#facts];
    return { stage, facts, clients: this.#clients, name: this.nameOf(by) };
  }

  nameOf(by: number): string {
    return by === this.lives.length ? CLIENTS : (this.arena.honest[by] as Arena["honest"][number]).name;
  }

  /** Returns the label of an enabled transition of an edge, or that of a crash. */
  #told({ stimuli }: Way): string {
    const stimulus = stimuli.find((number) => this.#situation.allows(number));
    return stimulus === undefined ? CRASHED : (this.stimuli.all[stimulus]?.label ?? "");
  }

  /** Updates transitions and facts after new statements. */
  learn(): void {
    this.arena.compiled.log.drain();
    if (this.#learned === this.sayings.all.length) return;
    this.#learned = this.sayings.all.length;
    this.#stage = stageOf(this.arena, this.sayings, this.#values, this.#closings);
    this.#facts = factsOf(this.#stage);
    this.#factTrees = this.#facts.map(({ tree }) => tree);
    this.#clients.learn(this.#stage, this.#facts);
    this.stimuli.learn(stimuliOf(this.#stage, this.#clients.release));
    if (this.#mode === "resting") this.stimuli.learnSilent(stimuliOf(this.#silentStage(), this.#clients.release));
    this.#situations.forget();
    for (const silence of this.#silences) silence.forget();
  }

  #silentStage(): Stage {
    return stageOf(this.arena, this.sayings, this.#values, this.#closings, true);
  }

  /** Computes the class of enabled transitions with the current knowledge. */
  #find(): void {
    this.#situation.look(this.#factTrees, this.#situations);
  }

  #livesOf(by: number): Lives {
    const lives = this.lives[by];
    if (lives === undefined) throw new RangeError(`no honest validator has the index ${by}`);
    return lives;
  }
}

/** Returns an empty bit set of statements. */
export function noWords(): Int32Array {
  return new Int32Array(WORDS);
}
