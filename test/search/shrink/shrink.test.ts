/**
 * Goal: the minimized scenario violates the same invariant in the same kind of slot and is 1-minimal. Method: failures
 * of known-bad variants, and files with many unrelated members.
 */
import { describe, expect, test } from "vitest";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { hasSignature } from "../../../src/search/fuzz/failure-signature.ts";
import { scenarioText } from "../../../src/search/fuzz/scenario-text.ts";
import { type ShrinkResult, shrink } from "../../../src/search/shrink/shrink.ts";
import { parsed } from "../../run/support.ts";

const parser = createParser();

function shrunk(
  scenario: Scenario,
  runs = 400,
  seed = "1",
  stopAfter = Number.POSITIVE_INFINITY,
): ShrinkResult | undefined {
  const shrinking = shrink({ scenario, seed }, { parser, runs });
  let slice = shrinking.next();
  for (let slices = 1; slice.done !== true; slices++) slice = shrinking.next(slices > stopAfter);
  return slice.value;
}

/** One payment fails by the variant; the rest is noise. */
const NOISY = parsed(`name: noisy
bug: hasty-refusal
network: { validators: 7, spares: [s1], delay_ms: 5..40, write_ms: 0..3, duplicate: 1/20 }
genesis:
  list_limit: 3
  checkpoints: { interval_ms: 500, slots: 9 }
  tokens:
    USD: { decimals: 2, master: issuer, roles: { Pause: [carol] }, blacklist: [mallory] }
    EUR: { decimals: 2, master: other }
  balances: { alice: { USD: "100", EUR: "7" }, bob: { USD: "55.5" } }
clients: { alice: { home: v3, window: 2 }, bob: { home: v2 } }
steps:
  - { at: 0, byzantine: { node: v7, strategy: silence } }
  - { at: 0, hold: { rule: r, of: y, kinds: [commit], to: [v5, v6] } }
  - { at: 10, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "12.34" }, nonce: 0 }, only: [v3] }
  - { at: 20, submit: { id: y, payment: { from: bob, to: carol, token: USD, value: "3" }, nonce: 0 } }
  - { at: 30, crash: { node: v4, restart_after_ms: 90 } }
  - { at: 35, partition: [[v1, v2], [v3, v4, v5, v6, v7]] }
  - { at: 90, heal: true }
  - { at: 95, submit: { id: c, cancellation: { from: bob }, nonce: 0 } }
  - { at: 300, release: r }
  - { at: 400, govern: { to: [v1], validators: [v1, v2, v3, v4, v5, v6, s1] } }
expect:
  - { violation: none }
`);

describe("shrinking", () => {
  const small = shrunk(NOISY) as ShrinkResult;

  test("leaves one step of ten, and reports 1-minimality", () => {
    expect([small.scenario.steps?.length, small.isMinimal, small.signature.invariant]).toEqual([
      1,
      true,
      "irreversibility",
    ]);
    expect(small.scenario.clients).toBeUndefined();
    expect(small.runs).toBeLessThan(400);
  });

  test("keeps the event limit of an endless run, and names it if the file did not", () => {
    const { bug: _bug, ...real } = NOISY;
    const endless = shrunk({ ...real, events: 60 }) as ShrinkResult;
    expect([endless.signature.invariant, endless.scenario.events, endless.result.steps]).toEqual(["endless", 60, 60]);
    const again = runScenario(endless.scenario, { seed: endless.seed });
    expect([again.hash, again.cutShort]).toEqual([endless.result.hash, endless.result.cutShort]);
  });

  test("drops the event limit of a run that fails otherwise", () => {
    const bounded = shrunk({ ...NOISY, events: 50_000 }, 20) as ShrinkResult;
    expect([bounded.signature.invariant, bounded.scenario.events]).toEqual(["irreversibility", undefined]);
  });

  test("writes out what a workload draws, with payer, recipient and amount", () => {
    const workload =
      "{ accounts: [alice, bob, carol], count: 20, every_ms: 100, mix: [{ payment: { token: USD, value: 1..2 } }] }";
    const wallets = parsed(`name: wallets
bug: credited-twice
genesis: { tokens: { USD: { decimals: 6, master: issuer } }, balances: { alice: { USD: "10" }, bob: { USD: "10" } } }
steps: [{ at: 0, workload: ${workload} }]
expect: [{ all_final: true }]
`);
    const { scenario, signature, isMinimal } = shrunk(wallets) as ShrinkResult;
    expect([signature.invariant, isMinimal]).toEqual(["conservation", true]);
    const submitted = (scenario.steps ?? []).map(({ submit }) => submit?.payment);
    expect(submitted.length).toBeGreaterThan(0);
    for (const payment of submitted) {
      expect(payment).toMatchObject({ from: expect.any(String), to: expect.any(String), token: "USD" });
      expect(payment?.value).toMatch(/^\d+(\.\d+)?$/);
    }
  });

  test("keeps the violation, in a file that the parser accepts", () => {
    const read = parser.parse(scenarioText(small.scenario, ["why", "how"]));
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    const again = runScenario(read.value, { seed: small.seed });
    expect([again.verdict, again.hash]).toEqual(["violation", small.result.hash]);
    expect(hasSignature(read.value, again, small.signature)).toBe(true);
  });

  test("names the healing in place of a step that only puts it off", () => {
    const late = parsed(`name: late
bug: late-commit
network: { validators: 3 }
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { frank: { USD: "10" } } }
clients: { frank: { cancel_after: 3 } }
steps:
  - { at: 0, partition: [[v1], [v3], [v2]] }
  - { at: 0, submit: { id: x, nonce: 0, payment: { from: frank, to: frank, token: USD, value: "1" } } }
  - { at: 7000, submit: { id: y, nonce: 4, payment: { from: frank, to: frank, token: USD, value: "1" } } }
expect:
  - { violation: none }
`);
    const { scenario, signature, reason } = shrunk(late) as ShrinkResult;
    expect([scenario.steps?.length, signature.invariant]).toEqual([2, "amnesia"]);
    expect(scenario.healing?.at).toBeGreaterThan(0);
    expect(reason).toMatch(/^amnesia: /);
  });

  test("tells the failure that it keeps, where a more severe one has come with it", () => {
    const stall = parsed(`name: stall
bug: keeps-listed-records
network: { validators: 1 }
genesis: { tokens: { USD: { decimals: 2, master: issuer, roles: { MintBurnTokens: [hal] } } } }
steps:
  - { at: 0, submit: { id: x, revoke: { from: issuer, token: USD, role: MintBurnTokens, to: hal }, nonce: 0 } }
  - { at: 0, govern: {} }
expect:
  - { violation: none }
`);
    const shrinking = shrink(
      { scenario: stall, seed: "1" },
      { parser, runs: 20, signature: { invariant: "liveness", slot: "account", shape: "" } },
    );
    const kept = runToEnd(shrinking);
    expect(kept?.result.reason).toMatch(/^fairness: /);
    expect(kept?.reason).toMatch(/^liveness: revoke x|^liveness: authority x/);
  });

  test("is deterministic and idempotent", () => {
    expect(shrunk(NOISY)).toEqual(small);
    const again = shrunk(small.scenario) as ShrinkResult;
    expect(again.scenario).toEqual(small.scenario);
  });

  test("ends at the run limit or on an interruption, with the result so far", () => {
    const early = shrunk(NOISY, 5) as ShrinkResult;
    expect([early.runs, early.isMinimal]).toEqual([5, false]);
    expect(hasSignature(early.scenario, early.result, small.signature)).toBe(true);
    const stopped = shrunk(NOISY, 400, "1", 10) as ShrinkResult;
    expect(stopped.isMinimal).toBe(false);
    expect(hasSignature(stopped.scenario, stopped.result, small.signature)).toBe(true);
  });

  test("returns undefined for a passing scenario", () => {
    const { bug: _bug, ...good } = NOISY;
    expect(shrunk(good)).toBeUndefined();
  });

  test("keeps operations that others refer to", () => {
    const scenario = parsed(`name: held
bug: locks-left-behind
network: { delay_ms: 10 }
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "100" } } }
steps:
  - { at: 0, hold: { rule: commits, kinds: [commit], of: x } }
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 5, submit: { id: n, payment: { from: bob, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 200, govern: { to: [v1] } }
  - { after: { closed: 0, by: v4, plus_ms: 100 }, submit: { id: y, payment: { from: alice, to: dave, token: USD, value: "10" }, nonce: 0 } }
  - { at: 3000, release: commits }
expect:
  - { violation: none }
`);
    const left = shrunk(scenario) as ShrinkResult;
    expect(left.scenario.steps?.length).toBeLessThan(6);
    expect(left.scenario.steps?.some(({ submit }) => submit?.id === "n")).toBe(false);
    expect(runScenario(left.scenario, { seed: left.seed }).verdict).toBe("violation");
  });
});
