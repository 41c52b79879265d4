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
import { failing } from "./support.ts";

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
const NOISY = failing("noisy");

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
    const wallets = failing("wallets");
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
    const late = failing("late");
    const { scenario, signature, reason } = shrunk(late) as ShrinkResult;
    expect([scenario.steps?.length, signature.invariant]).toEqual([2, "amnesia"]);
    expect(scenario.healing?.at).toBeGreaterThan(0);
    expect(reason).toMatch(/^amnesia: /);
  });

  test("tells the failure that it keeps, where a more severe one has come with it", () => {
    const stall = failing("stall");
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
    const scenario = failing("held");
    const left = shrunk(scenario) as ShrinkResult;
    expect(left.scenario.steps?.length).toBeLessThan(6);
    expect(left.scenario.steps?.some(({ submit }) => submit?.id === "n")).toBe(false);
    expect(runScenario(left.scenario, { seed: left.seed }).verdict).toBe("violation");
  });
});
