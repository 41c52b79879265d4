/** Small scenarios to explore, the outcomes of their explorations, and memories as text. */
import { expect } from "vitest";
import { slotKey } from "../../src/core/base/slot.ts";
import { Table } from "../../src/core/base/table.ts";
import type { LockCertificate, StatementContent } from "../../src/core/consensus/message.ts";
import { stateRoot } from "../../src/core/ledger/roots.ts";
import { holds } from "../../src/explore/model/guard.ts";
import {
  applyInputs,
  decisionsOf,
  initialState,
  type LocalState,
  type NumberStatement,
} from "../../src/explore/model/local-state.ts";
import { emptyBits, type GlobalState, Model } from "../../src/explore/model/model.ts";
import type { Participant, SystemOptions } from "../../src/explore/model/system.ts";
import type { Transition } from "../../src/explore/model/transition.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { GENESIS, parsed } from "../run/support.ts";

/**
 * Scenario of alice's operations: x and y are payments for one nonce, c cancels, r recovers, p pauses, g closes the
 * epoch.
 */
export function scenarioOf(names: readonly string[], validators = 4): Scenario {
  const steps: Readonly<Record<string, string>> = {
    x: "submit: { id: x, payment: { from: alice, to: bob, token: USD, value: '10' }, nonce: 0 }",
    y: "submit: { id: y, payment: { from: alice, to: carol, token: USD, value: '10' }, nonce: 0 }",
    c: "submit: { id: c, cancellation: { from: alice }, nonce: 0 }",
    r: "submit: { id: r, recovery: { account: alice, evidence: [x, y] }, nonce: 0 }",
    p: "submit: { id: p, pause: { from: issuer, token: USD }, nonce: 0 }",
    g: "govern: { to: [v1] }",
  };
  const chosen = names.map((name) => `  - { at: 0, ${steps[name]} }\n`).join("");
  const head = `name: explored\nnetwork: { validators: ${validators} }\n${GENESIS}`;
  return parsed(`${head}steps:\n${chosen}expect: [{ nothing_final: true }]\n`);
}

/** Runs a generator to its end. */
export function finished<T>(run: Generator<unknown, T, boolean | undefined>): T {
  let slice = run.next();
  while (slice.done !== true) slice = run.next();
  return slice.value;
}

/** Returns all states that a model reaches, none of which fails a check. */
export function statesOf(model: Model): readonly GlobalState[] {
  const seen = new Map<string, GlobalState>();
  const todo = [model.first()];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (seen.has(state.join())) continue;
    seen.set(state.join(), state);
    const mayCrash = model.crashesIn(state) < model.system.bounds.crashes;
    for (let by = 0; by <= model.localStates.length; by++) {
      model.select(state);
      const { steps, failure } = model.successors(by, state[by] as number);
      expect(failure).toBeUndefined();
      for (const { state: to, isCrash } of steps) if (mayCrash || !isCrash) todo.push(state.with(by, to));
    }
  }
  return [...seen.values()];
}

/** Returns the texts of all states of a model, each with every memory that a validator may have before more is signed. */
export function outcomesOf(
  model: Model,
  textOf: (signed: string, by: number, localState: LocalState, state: GlobalState) => string,
): ReadonlySet<string> {
  const outcomes = new Set<string>();
  const bits = emptyBits();
  for (const state of statesOf(model)) {
    const signed = model
      .localStatesIn(state)
      .map((local) => signedText(local.signed.map((number) => model.statements.get(number).message.body)))
      .join("|");
    for (const [by, localStates] of model.localStates.entries()) {
      model.signedIn(state, bits);
      const reached = new Set([state[by] as number]);
      for (const at of reached) {
        outcomes.add(textOf(signed, by, localStates.localState(at), state));
        model.forEachEdge(by, at, bits, ({ state: to, crashPoint }) => {
          if (crashPoint === undefined && localStates.haveEqualSignatures(at, to)) reached.add(to);
        });
      }
    }
  }
  return outcomes;
}

/** Returns the outcomes of the reduced exploration as the exact one writes them. */
export function reducedOutcomes(scenario: Scenario, options: SystemOptions): ReadonlySet<string> {
  const model = new Model(scenario, { ...options, symmetric: false });
  return outcomesOf(model, (signed, by, localState) => outcomeText(signed, by, decisionsOf(localState)));
}

/** Step of an honest validator by a transition. */
interface TakenStep {
  readonly participant: Participant;
  readonly transition: Transition;
  readonly before: LocalState;
  readonly after: LocalState;
  /** Numbers of the statements that it signs. */
  readonly statements: readonly number[];
}

/**
 * Takes a step for each choice of an honest validator and an enabled transition. `next` returns the local state with which
 * the validator goes on.
 */
export function takeSteps(
  model: Model,
  choices: readonly (readonly [by: number, choice: number])[],
  next: (step: TakenStep) => LocalState,
): void {
  const { honest } = model.system;
  const numberOf =
    (by: number): NumberStatement =>
    (message, sign) =>
      model.statements.numberOf(by, message, sign);
  const localStates = honest.map((participant, by) => initialState(participant, numberOf(by)));
  for (const [by, choice] of choices) {
    model.updateKnowledge();
    const signed = new Set(localStates.flatMap((localState) => localState.signed));
    const has = (statement: number): boolean => signed.has(statement);
    const possible = model.transitionTable.all.filter(({ guard }) => holds(guard, has));
    const transition = possible[choice % possible.length];
    const [participant, before] = [honest[by], localStates[by]];
    if (transition === undefined || participant === undefined || before === undefined) continue;
    const inputs = transition.makeInputs(has);
    const { state: after, statements } = applyInputs(participant, numberOf(by), before, inputs);
    localStates[by] = next({ participant, transition, before, after, statements });
  }
}

export function outcomeText(signed: string, by: number, decisions: ReturnType<typeof decisionsOf>): string {
  return `${signed} / ${by} ${decisions.map((decision) => decision.join(" ")).sort()}`;
}

/** Returns signed statements as text: locks by what they certify, justifications by their locks. */
export function signedText(bodies: readonly StatementContent[]): string {
  const lockText = (lock: LockCertificate | undefined): string =>
    lock === undefined ? "-" : `${lock.round} ${lock.value}`;
  return bodies
    .map((body) => {
      const { type, epoch, slot, round } = body;
      const rest =
        body.type === "roundChange"
          ? lockText(body.lock)
          : body.type === "proposal"
            ? `${body.value} on ${body.justification.map(({ lock }) => lockText(lock)).sort()}`
            : "value" in body && body.value;
      return `${type} ${epoch} ${slotKey(slot)} ${round} ${rest}`;
    })
    .sort()
    .join(";");
}

/** Returns a whole memory as text, without the queue limits, which only grow; retries count up to two. */
export function memoryText({ state }: LocalState): string {
  const { environment: _, ledger, checkpoints, sync, mempool, slots, ...rest } = state;
  return plain({
    ...rest,
    ledger: stateRoot(ledger),
    checkpoint: checkpoints.last.hash,
    missing: [...sync.missingContents.entries()].map(([key]) => key),
    pending: [...mempool.pending.entries()].map(([key, { disclosed }]) => [key, disclosed]),
    slots: { ...slots, retries: [...slots.retries.entries()].map(([key, count]) => [key, Math.min(count, 2)]) },
  });
}

/** Returns a value as text: collections in the order of their keys, certificates by what they certify, or with signers. */
export function plain(value: unknown, withSigners = false): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (key === "signature") return undefined;
    if (part instanceof Table) return [...part.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    if (typeof part === "object" && part !== null && "seals" in part && "type" in part) {
      const { seals, ...rest } = part as { readonly seals: readonly { readonly signer: string }[]; type: string };
      const isTally = rest.type === "vote" || rest.type === "commit";
      return withSigners || isTally ? { ...rest, by: seals.map(({ signer }) => signer) } : rest;
    }
    return typeof part === "bigint" ? String(part) : part;
  });
}
