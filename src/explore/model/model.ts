/** The explored model: components of a global state, their transitions and invariants. */
import type { CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { SET_WORDS } from "../limits.ts";
import { type CheckContext, type CheckFailure, failureInSignatures, failureInState } from "./checks.ts";
import { ClosingCache } from "./closings.ts";
import { enabledTransitions, knowledgeOf } from "./enabled-transitions.ts";
import { Fingerprints } from "./fingerprint.ts";
import { FirstSubmissions, factsOf, NOTHING_SUBMITTED } from "./first-submissions.ts";
import { EnabledTransitions, NEVER } from "./guard.ts";
import { InvisibleSteps, type Successors } from "./invisible-steps.ts";
import type { LocalState, PathStep } from "./local-state.ts";
import { LocalStates, type StepEffects } from "./local-states.ts";
import { type DecidableValue, type NetworkKnowledge, nameOfHash, valueName } from "./network-knowledge.ts";
import { StatementTable } from "./statements.ts";
import { type Participant, type System, type SystemOptions, systemOf } from "./system.ts";
import { type Edge, TransitionTable } from "./transition.ts";
import { accountValues, interchangeableIn } from "./values.ts";

/** Label of a crash without inputs. */
export const CRASHED = "a crash";

/** Name of the clients in a path. */
export const CLIENTS = "the clients";

export interface ModelOptions extends SystemOptions {
  /** False to disable symmetry reduction (values.ts); default: true. */
  readonly symmetric?: boolean;
  /** False to count invisible steps as states (invisible-steps.ts); default: true. */
  readonly delays?: boolean;
}

/** Parts of the program that a search reached: one that reaches little proves little. */
export interface SearchCoverage {
  /** Highest round within the bounds that an honest validator entered. */
  readonly round: number;
  /** Validators that signed a proposal, or on whose proposal an honest validator voted. */
  readonly proposers: readonly string[];
  /** Values that an honest validator decided. */
  readonly decided: readonly string[];
  readonly coverage: readonly CoveragePoint[];
}

/** Number of the local state of each honest validator and, last, of the clients. */
export type GlobalState = readonly number[];

/** Honest validators and, last, the clients. */
export class Model {
  readonly system: System;
  readonly statements: StatementTable = new StatementTable();
  readonly transitionTable: TransitionTable = new TransitionTable();
  readonly localStates: readonly LocalStates[];
  readonly #invisibleSteps: readonly InvisibleSteps[];
  readonly #coverage = new Set<CoveragePoint>();
  readonly #clients: FirstSubmissions;
  readonly #closings = new ClosingCache();
  readonly #values: readonly DecidableValue[];
  /** Validators under symmetry reduction, by their indices. */
  readonly interchangeable: readonly number[];
  readonly #enabled = new EnabledTransitions(emptyBits(), (number) => this.transitionTable.all[number]?.guard ?? NEVER);
  /** The same signatures, while the Byzantine validator is silent. */
  readonly #enabledWithoutByzantine = new EnabledTransitions(
    this.#enabled.signed,
    (number) => this.transitionTable.silentGuards[number] ?? NEVER,
  );
  #knowledge: NetworkKnowledge;
  /** Contexts of the checks, by validator. */
  #contexts: readonly CheckContext[] = [];
  /** Number of statements that transitions and facts were computed with. */
  #statementsKnown = -1;
  /** True once the transitions without the Byzantine validator are computed as well. */
  #hasSilentTransitions = false;

  /** @throws NotExplorable for a scenario with unsupported features. */
  constructor(scenario: Scenario, options: ModelOptions) {
    this.system = systemOf(scenario, options);
    const { crashes } = options.bounds;
    this.interchangeable = options.symmetric === false ? [] : interchangeableIn(this.system);
    const fingerprints = new Fingerprints(crashes > 0);
    const commonEffects: StepEffects = [];
    const fingerprintNumbers = new Map<string, number>();
    const { statements, transitionTable: transitions } = this;
    this.localStates = this.system.honest.map((participant, validator) => {
      const effects = this.interchangeable.includes(validator) ? commonEffects : [];
      return new LocalStates(validator, participant, {
        statements,
        fingerprints,
        effects,
        coverage: this.#coverage,
        fingerprintNumbers,
        transitions,
        crashes,
        drain: () => this.updateKnowledge(),
      });
    });
    this.#invisibleSteps = this.localStates.map(
      (localStates, validator) =>
        new InvisibleSteps(localStates, options.delays ?? true, (localState, signed) =>
          failureInState(this.#contexts[validator] as CheckContext, localStates.checkedParts(localState), signed),
        ),
    );
    this.#clients = new FirstSubmissions(this.system, this.statements);
    this.#values = accountValues(this.system, this.#clients.release);
    this.#knowledge = this.#knowledgeNow(false);
    this.updateKnowledge();
  }

  /** Returns the canonical form: equal for states that differ by a permutation of interchangeable validators. */
  canonical(state: GlobalState): string {
    const key = [...state];
    const numbers = this.interchangeable.map((validator) =>
      this.#localStatesOf(validator).fingerprintNumberOf(state[validator] as number),
    );
    numbers.sort((a, b) => a - b);
    for (const [index, validator] of this.interchangeable.entries()) key[validator] = numbers[index] as number;
    return key.join();
  }

  first(): GlobalState {
    return [...this.localStates.map((state) => state.first()), NOTHING_SUBMITTED];
  }

  /** Writes the signatures of all honest validators in a state as a bit set. */
  signedIn(state: GlobalState, signed: Int32Array): void {
    signed.fill(0);
    for (let validator = 0; validator < this.localStates.length; validator++)
      this.#localStatesOf(validator).addSigned(state[validator] as number, signed);
    this.#clients.addSigned(state[this.localStates.length] as number, signed);
  }

  /** Returns the number of crashes in a state. */
  crashesIn(state: GlobalState): number {
    if (this.system.bounds.crashes === 0) return 0;
    return this.localStates.reduce(
      (sum, localStates, validator) => sum + localStates.localState(state[validator] as number).crashes,
      0,
    );
  }

  /** Selects the state that later calls refer to. */
  select(state: GlobalState): void {
    this.signedIn(state, this.#enabled.signed);
    this.#clearEnabled();
  }

  /** Returns the successors of one component of the selected state, computed with the knowledge at the end. */
  successors(validator: number, part: number): Successors {
    for (;;) {
      const countBefore = this.#statementsKnown;
      const successors = this.#successorsIn(this.#enabled, validator, part);
      if (countBefore === this.#statementsKnown) return successors;
    }
  }

  #successorsIn(enabled: EnabledTransitions, validator: number, part: number): Successors {
    const invisibleSteps = this.#invisibleSteps[validator];
    if (invisibleSteps === undefined)
      return { steps: this.#clients.successors(part, enabled.signed), failure: undefined };
    return invisibleSteps.successors(part, enabled);
  }

  /** Returns the local states of the honest validators in a state. */
  localStatesIn(state: GlobalState): readonly LocalState[] {
    return this.localStates.map((localStates, validator) => localStates.localState(state[validator] as number));
  }

  /** Values that may be decided, by slot and hash, as known so far. */
  get values(): ReadonlyMap<string, DecidableValue> {
    return this.#knowledge.values;
  }

  /** Returns true if no honest validator can sign anything more in the selected state while the Byzantine one is silent. */
  isAtRest(state: GlobalState): boolean {
    if (!this.#hasSilentTransitions) this.#updateSilentTransitions();
    for (;;) {
      const countBefore = this.#statementsKnown;
      const isResting = (part: number, validator: number): boolean =>
        this.#successorsIn(this.#enabledWithoutByzantine, validator, part).steps.every(({ isCrash }) => isCrash);
      const isAtRest = state.every(isResting);
      if (countBefore === this.#statementsKnown) return isAtRest;
    }
  }

  /**
   * Returns the states that the selected state reaches by decisions of all honest validators that can decide but one:
   * decisions sign nothing, so they are invisible. Where a validator can decide in several ways, all use the same one.
   */
  partialDecisions(state: GlobalState): readonly GlobalState[] {
    const deciding = this.localStates.map((localStates, validator) => {
      const part = state[validator] as number;
      const count = localStates.checkedParts(part).decisions.length;
      const reached = this.#invisibleSteps[validator]?.reach(part, this.#enabled) ?? [];
      return [...reached].filter((at) => localStates.checkedParts(at).decisions.length > count);
    });
    const ways = Math.max(...deciding.map(({ length }) => length));
    return Array.from({ length: ways }, (_, way) =>
      deciding.map((__, last) =>
        state.map((part, validator) =>
          validator === last ? part : (deciding[validator]?.[way] ?? deciding[validator]?.at(-1) ?? part),
        ),
      ),
    )
      .flat()
      .filter((reached) => reached.some((part, validator) => part !== state[validator]));
  }

  /** Returns the steps between two numbers of a component in the selected state. */
  steps(validator: number, from: number, to: number): readonly PathStep[] {
    const name = this.nameOf(validator);
    const invisibleSteps = this.#invisibleSteps[validator];
    if (invisibleSteps === undefined) return [{ who: name, what: this.#clients.describe(from, to), cut: undefined }];
    return invisibleSteps
      .segments(from, to, this.#enabled)
      .map(({ edge }) => ({ who: name, what: this.#labelOf(edge), cut: edge.crashPoint }));
  }

  /** Reports the edges of one component of a state, invisible steps included. */
  forEachEdge(validator: number, part: number, signed: Int32Array, report: (edge: Edge) => void): void {
    this.#enabled.signed.set(signed);
    this.#clearEnabled();
    if (validator === this.localStates.length) this.#clients.forEachEdge(part, signed, report);
    else this.#localStatesOf(validator).forEachEdge(part, this.#enabled, report);
  }

  /** Returns the failure of a step of a component: its new signatures contradict earlier ones. */
  failureOnEdge(validator: number, from: number, to: number): CheckFailure | undefined {
    if (validator === this.localStates.length) return undefined;
    const localStates = this.#localStatesOf(validator);
    if (localStates.haveEqualSignatures(from, to)) return undefined;
    const { knowledge, name } = this.#contexts[validator] as CheckContext;
    const contradiction = localStates.contradiction(from, to, (value) => nameOfHash(knowledge, value));
    return contradiction === undefined ? undefined : { check: "amnesia", text: `${name} ${contradiction}` };
  }

  /** Returns the check that a state fails after a step of a component from the part `from`. `signed` is scratch. */
  failureInState(state: GlobalState, validator: number, from: number, signed: Int32Array): CheckFailure | undefined {
    if (validator === this.localStates.length) return undefined;
    const localStates = this.#localStatesOf(validator);
    const to = state[validator] as number;
    this.signedIn(state, signed);
    const context = this.#contexts[validator] as CheckContext;
    const failure = localStates.haveEqualSignatures(from, to) ? undefined : failureInSignatures(context, signed);
    return failure ?? failureInState(context, localStates.checkedParts(to), signed);
  }

  /** Returns what the steps so far have reached. */
  coverage(): SearchCoverage {
    const { system, statements } = this;
    const proposals = statements.all.flatMap(({ message: { body } }) =>
      body.type === "proposal" || (body.type === "vote" && (body.round > 0 || body.slot.kind !== "account"))
        ? [system.compiled.commons.rules.consensus.proposerOf(system.committee, body.slot, body.round)]
        : [],
    );
    const decisions = this.localStates.flatMap((localStates) => localStates.decisions());
    const entered = statements.all.reduce((highest, { message: { body } }) => Math.max(highest, body.round), 0);
    return {
      round: Math.min(entered, system.bounds.rounds),
      proposers: sortedSet(proposals.map((key) => system.compiled.directory.nameOf(key))),
      decided: sortedSet(decisions.map(([slot, value]) => valueName(this.#knowledge, slot, value))),
      coverage: sortedSet([...this.#coverage]),
    };
  }

  nameOf(validator: number): string {
    return validator === this.localStates.length ? CLIENTS : (this.system.honest[validator] as Participant).name;
  }

  /** Returns the label of an enabled transition of an edge, or that of a crash. */
  #labelOf({ transitions }: Edge): string {
    const transition = transitions.find((number) => this.#enabled.enables(number));
    return transition === undefined ? CRASHED : (this.transitionTable.all[transition]?.label ?? "");
  }

  /** Updates transitions and facts after new statements. */
  updateKnowledge(): void {
    this.system.compiled.log.drain();
    if (this.#statementsKnown === this.statements.all.length) return;
    this.#statementsKnown = this.statements.all.length;
    this.#knowledge = this.#knowledgeNow(false);
    const [knowledge, clients] = [this.#knowledge, this.#clients];
    const facts = factsOf(knowledge);
    this.#contexts = this.system.honest.map(({ name }) => ({ knowledge, facts, clients, name }));
    clients.updateGuards(knowledge, facts);
    this.transitionTable.update(enabledTransitions(knowledge));
    if (this.#hasSilentTransitions) this.#updateSilentTransitions();
    this.#clearEnabled();
  }

  /** Updates the guards that apply while the Byzantine validator is silent, after new statements. */
  #updateSilentTransitions(): void {
    this.#hasSilentTransitions = true;
    this.transitionTable.updateWithoutByzantine(enabledTransitions(this.#knowledgeNow(true)));
  }

  #knowledgeNow(isSilent: boolean): NetworkKnowledge {
    return knowledgeOf(this.system, this.statements, this.#clients.release, this.#values, this.#closings, isSilent);
  }

  /** Forgets which transitions are enabled, after other signatures or more transitions. */
  #clearEnabled(): void {
    this.#enabled.clear();
    this.#enabledWithoutByzantine.clear();
  }

  #localStatesOf(validator: number): LocalStates {
    const localStates = this.localStates[validator];
    if (localStates === undefined) throw new RangeError(`no honest validator has the index ${validator}`);
    return localStates;
  }
}

function sortedSet<T extends string>(list: readonly T[]): readonly T[] {
  return [...new Set(list)].sort();
}

/** Returns an empty bit set of statements. */
export function emptyBits(): Int32Array {
  return new Int32Array(SET_WORDS);
}
