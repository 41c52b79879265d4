/** Small scenarios to explore, and an exploration without any reduction to compare with. */
import { Table } from "../../src/core/base/table.ts";
import { stateRoot } from "../../src/core/ledger/roots.ts";
import {
  applyInputs,
  initialState,
  type LocalState,
  type NumberStatement,
  type UntimedInput,
} from "../../src/explore/model/local-state.ts";
import { emptyBits, Model } from "../../src/explore/model/model.ts";
import type { ExplorationBounds } from "../../src/explore/model/system.ts";
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

/** Returns what each validator has signed in each state of the reduced exploration, as text. */
export function reducedSigned(scenario: Scenario, bounds: ExplorationBounds): ReadonlySet<string> {
  const model = new Model(scenario, { bounds, symmetric: false });
  const seen = new Map<string, Int32Array>();
  const todo = [model.first()];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (seen.has(state.join())) continue;
    seen.set(state.join(), state);
    const signed = emptyBits();
    model.signedIn(state, signed);
    for (let by = 0; by < model.width; by++) {
      const now = state;
      model.forEachEdge(by, now[by] as number, signed, (edge) => todo.push(now.with(by, edge.state)));
    }
  }
  return new Set(
    [...seen.values()].map((state) =>
      signedText(
        model,
        model.localStates.map((other, by) => other.localState(state[by] as number)),
      ),
    ),
  );
}

/**
 * Returns the same without normalization, symmetry reduction and grouped messages. `model` supplies only the
 * transitions; it learns each new statement.
 */
export function plainSigned(scenario: Scenario, bounds: ExplorationBounds): ReadonlySet<string> {
  const model = new Model(scenario, { bounds, symmetric: false });
  const number = model.system.honest.map(
    (_, by): NumberStatement =>
      (message, sign) =>
        model.statements.numberOf(by, message, sign),
  );
  const seen = new Set<string>();
  const texts = new Set<string>();
  const todo: (readonly LocalState[])[] = [
    model.system.honest.map((one, by) => initialState(one, number[by] as NumberStatement)),
  ];
  for (let localStates = todo.pop(); localStates !== undefined; localStates = todo.pop()) {
    const text = localStates.map(plainText).join("\n");
    if (seen.has(text)) continue;
    seen.add(text);
    texts.add(signedText(model, localStates));
    for (const [by, participant] of model.system.honest.entries()) {
      for (const input of inputsFor(model, localStates)) {
        const { state: localState } = applyInputs(
          participant,
          number[by] as NumberStatement,
          localStates[by] as LocalState,
          [input],
        );
        todo.push(localStates.with(by, localState));
      }
    }
  }
  return texts;
}

/** Returns every input of every enabled transition, one by one. */
function inputsFor(model: Model, localStates: readonly LocalState[]): readonly UntimedInput[] {
  model.updateKnowledge();
  const signed = new Set(localStates.flatMap((localState) => localState.signed));
  const has = (statement: number): boolean => signed.has(statement);
  const possible = model.transitionTable.all.filter(({ guard }) => guard.some((one) => one.every(has)));
  const inputs = new Map(
    possible.flatMap(({ makeInputs: build }) => build(has).map((input) => [plain(input), input] as const)),
  );
  return [...inputs.values()];
}

function signedText(model: Model, localStates: readonly LocalState[]): string {
  return localStates
    .map(({ signed }) =>
      signed
        .map((one) => plain({ ...model.statements.get(one).message.body, signature: "" }))
        .sort()
        .join(" "),
    )
    .join("\n");
}

/** Returns a local state without members that only grow or hold times. */
function plainText({ state, disk: _, signed, crashes }: LocalState): string {
  const {
    environment: __,
    ledger,
    checkpoints: { states: ___, last: checkpoint },
    sync: { fetched: ____ },
    slots: { retries },
    ...rest
  } = state;
  return plain({
    ...rest,
    retries: [...retries.entries()].map(([key]) => key),
    ledger: stateRoot(ledger),
    checkpoint: checkpoint.hash,
    signed: [...signed].sort(),
    crashes,
  });
}

/** Returns a state as text: collections in the order of their keys, certificates by what they certify. */
function plain(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (key === "seals" || key === "justification" || key === "signature") return undefined;
    if (part instanceof Table) return [...part.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return typeof part === "bigint" ? String(part) : part;
  });
}

/** Returns what is signed along one run of single messages, chosen by these numbers, after each of them. */
export function signedAlong(
  scenario: Scenario,
  bounds: ExplorationBounds,
  choices: readonly number[],
): readonly string[] {
  const model = new Model(scenario, { bounds });
  const number =
    (by: number): NumberStatement =>
    (message, sign) =>
      model.statements.numberOf(by, message, sign);
  let localStates: readonly LocalState[] = model.system.honest.map((one, by) => initialState(one, number(by)));
  return choices.map((choice) => {
    const by = choice % localStates.length;
    const inputs = inputsFor(model, localStates);
    const input = inputs[Math.floor(choice / localStates.length) % inputs.length];
    const participant = model.system.honest[by];
    if (input !== undefined && participant !== undefined)
      localStates = localStates.with(
        by,
        applyInputs(participant, number(by), localStates[by] as LocalState, [input]).state,
      );
    return signedText(model, localStates);
  });
}
