/** Small scenarios to explore, the outcomes of their explorations, and memories as text. */
import { slotKey } from "../../src/core/base/slot.ts";
import { Table } from "../../src/core/base/table.ts";
import type { LockCertificate, StatementContent } from "../../src/core/consensus/message.ts";
import { stateRoot } from "../../src/core/ledger/roots.ts";
import { decisionsOf, type LocalState } from "../../src/explore/model/local-state.ts";
import { emptyBits, Model } from "../../src/explore/model/model.ts";
import type { SystemOptions } from "../../src/explore/model/system.ts";
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

/** Returns the same outcomes of the reduced exploration: before each visible step every validator may have decided. */
export function reducedOutcomes(scenario: Scenario, options: SystemOptions): ReadonlySet<string> {
  const model = new Model(scenario, { ...options, symmetric: false });
  const outcomes = new Set<string>();
  const first = model.first();
  const seen = new Set([first.join()]);
  const todo = [first];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    const now = state;
    const signed = model
      .localStatesIn(now)
      .map((local) => signedText(local.signed.map((number) => model.statements.get(number).message.body)))
      .join("|");
    for (const [by, localStates] of model.localStates.entries()) {
      model.select(now);
      for (const { state: to, isCrash } of model.successors(by, now[by] as number).steps) {
        const next = now.with(by, to);
        if (isCrash || seen.has(next.join())) continue;
        seen.add(next.join());
        todo.push(next);
      }
      const bits = emptyBits();
      model.signedIn(now, bits);
      const reached = new Set([now[by] as number]);
      for (const at of reached) {
        outcomes.add(outcomeText(signed, by, decisionsOf(localStates.localState(at))));
        model.forEachEdge(by, at, bits, ({ state: to, crashPoint }) => {
          if (crashPoint === undefined && localStates.haveEqualSignatures(at, to)) reached.add(to);
        });
      }
    }
  }
  return outcomes;
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
      const { type, slot, round } = body;
      const rest =
        body.type === "roundChange"
          ? lockText(body.lock)
          : body.type === "proposal"
            ? `${body.value} on ${body.justification.map(({ lock }) => lockText(lock)).sort()}`
            : "value" in body && body.value;
      return `${type} ${slotKey(slot)} ${round} ${rest}`;
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
