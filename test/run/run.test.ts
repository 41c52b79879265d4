/** Verdicts of runs, their reasons, and the end of a run. */
import { describe, expect, it } from "vitest";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { withTranscript } from "../../src/run/events/transcript.ts";
import { runInSlices, runScenario } from "../../src/run/run.ts";
import { RUN_SLICE } from "../../src/scenario/limits.ts";
import type { Program } from "../../src/simulator/plan.ts";
import { GENESIS, PAYMENT, parsed, ran } from "./support.ts";

const FINAL = "expect: [{ final: x }]\n";
const FORGETS = { name: "forgets", program: forgetful };
const BASE = `name: n\n${GENESIS}${PAYMENT}`;

/** The same value with the members of each record in reverse order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  ) as T;
}

describe("a verdict", () => {
  it("is pass if all expectations are met", () => {
    const finals = [expect.objectContaining({ name: "x" })];
    expect(ran(BASE + FINAL)).toMatchObject({ verdict: "pass", reason: "", violations: [], unmet: [], finals });
  });

  it("asks every validator for its ledger at the end, and one before it", () => {
    const apart = BASE.replace("steps:\n", "steps:\n  - { at: 0, partition: [[v1, v2, v3], [v4]] }\n");
    const balance = (at: string): string => `  - { ${at}balance: { bob: { USD: "10" } } }\n`;
    const judged = (at: string) => ran(`${apart}healing: { none: true }\nexpect:\n  - { final: x }\n${balance(at)}`);
    expect(apart).not.toBe(BASE);
    expect(judged("at: 4000, ")).toMatchObject({ verdict: "pass" });
    expect(judged("").unmet).toEqual(["balance: balance of bob in USD: expected 10, got 0 (v4)"]);
  });

  it("is unmet for a refusal of what is final later", () => {
    const early = `${BASE.replace("at: 0", "at: 500")}  - { at: 0, submit: { id: y, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 1 } }\n`;
    const refused = "expect: [{ final: x }, { refused: { y: business_nonce_gap } }]\n";
    expect(ran(`${early}expect: [{ final: [x, y] }]\n`)).toMatchObject({ verdict: "pass" });
    expect(ran(early + refused).unmet).toEqual([
      expect.stringMatching(/^refused: y was not refused with business_nonce_gap: it is final at \d+ ms$/),
    ]);
  });

  it("is unmet if the run exceeds the bound of events of the file, unless the caller sets another", () => {
    const bounded = `${BASE}events: 20\n${FINAL}`;
    const run = ran(bounded);
    expect([run.verdict, run.steps, run.cutShort]).toEqual([
      "unmet",
      20,
      expect.stringContaining("did not come to rest within 20 events"),
    ]);
    expect(ran(bounded, { events: 10_000 })).toMatchObject({ verdict: "pass", cutShort: undefined });
  });

  it("is unmet for a file without expectations", () => {
    expect(ran(BASE)).toMatchObject({ verdict: "unmet", reason: "the file states no expectation" });
  });

  it("is unmet with reason empty without a final operation, unless the file expects that", () => {
    const nothing = `name: n\n${GENESIS}steps: []\nexpect:\n  - { nonce: { alice: 0 } }\n`;
    expect(ran(nothing)).toMatchObject({ verdict: "unmet", reason: "empty" });
    expect(ran(`${nothing}  - { nothing_final: true }\n`)).toMatchObject({ verdict: "pass" });
  });

  it("passes without a final operation where the only expectation is a refusal, and holds", () => {
    const submit = '{ id: y, payment: { from: alice, to: bob, token: USD, value: "1000000" }, nonce: 0 }';
    const text = `name: n\n${GENESIS}steps: [{ at: 0, submit: ${submit} }]\nexpect:\n`;
    expect(ran(`${text}  - { refused: { y: business_insufficient_funds } }\n`)).toMatchObject({
      verdict: "pass",
      finals: [],
    });
    expect(ran(`${text}  - { refused: { y: business_token_paused } }\n`).reason).toMatch(/business_insufficient_funds/);
  });

  it("checks listed operations, their times and the number of checkpoints", () => {
    const formed = BASE.replace("genesis:\n", "genesis:\n  checkpoints: { interval_ms: 500 }\n");
    const unmet = (expected: string): readonly string[] => ran(`${formed}expect: [{ final: x }, ${expected}]\n`).unmet;
    for (const good of [
      "{ checkpointed: x }",
      "{ checkpointed: [x], within_ms: 900 }",
      "{ at: 400, unlisted: x }",
      "{ checkpoints: 1 }",
      "{ checkpoints: { at_least: 1 } }",
      "{ at: 400, checkpoints: 0 }",
    ])
      expect(unmet(good)).toEqual([]);
    expect(unmet("{ at: 400, checkpointed: x }")).toEqual([
      expect.stringMatching(/^checkpointed at 400 ms: no checkpoint lists x: it is final at \d+ ms$/),
    ]);
    expect(unmet("{ checkpointed: x, within_ms: 400 }")).toEqual([
      expect.stringMatching(/^checkpointed: x was listed after 5\d\d ms, expected at most 400$/),
    ]);
    expect(unmet("{ unlisted: x }")).toEqual([
      expect.stringMatching(/^unlisted: a checkpoint lists x since 5\d\d ms$/),
    ]);
    expect(unmet("{ checkpoints: 2 }")).toEqual(["checkpoints: number of checkpoints: expected 2, got 1"]);
    expect(unmet("{ checkpoints: { at_least: 2 } }")).toEqual([
      "checkpoints: number of checkpoints: expected at least 2, got 1",
    ]);
  });

  it("names each misbehaviour that validators report, statements about another epoch among them", () => {
    const epochs = `name: n\nnetwork: { validators: 6 }\n${GENESIS}steps:
  - { at: 0, byzantine: { node: v1, strategy: inflated-rounds } }
  - { at: 0, byzantine: { node: v4, strategy: inflated-rounds } }
  - { at: 10, govern: { to: [v2], epoch: 0 } }
healing: { none: true }
expect: [{ nothing_final: true }, { reported: { v1: wrong epoch, v4: MISBEHAVIOUR } }]\n`;
    expect(ran(epochs.replace("MISBEHAVIOUR", "wrong epoch"))).toMatchObject({ verdict: "pass" });
    expect(ran(epochs.replace("MISBEHAVIOUR", "false state")).unmet).toEqual([
      expect.stringMatching(/v4 was reported for .*wrong epoch.*, not for false state/),
    ]);
  });

  it("lists an operation in the slot of its effect, not of its authorisation", () => {
    const run = ran(`name: n
genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  checkpoints: { interval_ms: 500 }
steps:
  - { at: 0, drop: { token: USD } }
  - { at: 0, submit: { id: m, mint: { from: issuer, to: bob, token: USD, value: "5" }, nonce: 0 } }
  - { at: 1500, undrop: true }
expect: [{ at: 1400, checkpoints: 1 }, { at: 1400, unlisted: m }, { checkpointed: m }]
`);
    expect(run).toMatchObject({ verdict: "pass", reason: "" });
  });

  it("is stalled if progress is impossible, and names the account, the votes and the remedy", () => {
    const run = ran(`name: n\n${GENESIS}steps:
  - { at: 0, byzantine: { node: v3, strategy: silence } }
  - { at: 0, byzantine: { node: v4, strategy: silence } }
  - { at: 1, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
expect: [{ nothing_final: true }]\n`);
    expect(run.verdict).toBe("stalled");
    expect(run.reason).toMatch(/payment x of alice \(nonce 0\).*undecided/);
    expect(run.reason).toMatch(/voted for payment x/);
    expect(run.reason).toMatch(/Only 2 of 4 validators are correct, and a quorum is 3/);
    expect(run.reason).toMatch(/Needed to proceed: /);
  });

  it("reports violations beyond f, which fail only a run that expects none", () => {
    const steps = `name: n\nnetwork: { twins: [v3, v4] }\n${GENESIS}steps:
  - { at: 0, twin: { v3: [v1, v4], v4: [v1, v3], "v3'": [v2, "v4'"], "v4'": [v2, "v3'"] } }
  - { at: 0, partition: [[v1, v3, v4], [v2, "v3'", "v4'"]] }
  - { at: 1, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "90" }, nonce: 0 }, only: [v1] }
  - { at: 1, submit: { id: y, payment: { from: alice, to: carol, token: USD, value: "90" }, nonce: 0 }, only: [v2] }
`;
    const silent = ran(`${steps}expect: [{ final: x }]\n`);
    expect(silent.beyondF.map(({ invariant }) => invariant)).toContain("agreement");
    expect(silent.violations.map(({ invariant }) => invariant)).not.toContain("agreement");
    expect(ran(`${steps}expect: [{ violation: none }]\n`)).toMatchObject({ verdict: "violation" });
    expect(ran(`${steps}expect: [{ violation: agreement, faulty: [v1] }]\n`).unmet.join()).toMatch(
      /expected faulty v1, got v3, v4/,
    );
  });

  it("is unmet where a violation names none of those that the file calls faulty", () => {
    const run = ran(`${BASE}expect: [{ violation: fees, faulty: [v1] }]\n`, { variant: FORGETS });
    expect(run.unmet).toEqual([expect.stringContaining("fees is violated; expected faulty v1, got nobody")]);
  });

  it("judges all invariants but the one that the file switches off", () => {
    const broken = (text: string): readonly string[] => [
      ...new Set(ran(text, { variant: FORGETS }).violations.map(({ invariant }) => invariant)),
    ];
    const all = broken(BASE + FINAL);
    expect(all.length).toBeGreaterThan(2);
    for (const off of all)
      expect(broken(`${BASE}${FINAL}invariants_off: { ${off}: a test }\n`)).toEqual(all.filter((one) => one !== off));
  });

  it("is error if the program throws, with node, input and stack", () => {
    const broken = (real: Program): Program => ({
      ...real,
      step: (state, input) => {
        if (input.type === "submit") throw new Error("boom");
        return real.step(state, input);
      },
    });
    expect(ran(BASE + FINAL, { variant: { name: "breaks", program: broken } })).toMatchObject({
      verdict: "error",
      reason: expect.stringMatching(/^v\d threw Error at \d+ ms on a submission: boom\n {4}at .*run\.test\.ts/),
    });
  });

  it("is the violation before an exception, which is the end of the run", () => {
    let left = Number.POSITIVE_INFINITY;
    let calls = 0;
    const broken = (real: Program): Program => {
      const forgetting = forgetful(real);
      return {
        ...forgetting,
        step: (state, input) => {
          calls += 1;
          left -= 1;
          if (left < 0) throw new Error("boom");
          return forgetting.step(state, input);
        },
      };
    };
    const variant = { name: "forgets and breaks", program: broken };
    // A complete run first, so that the second one can stop before the last step.
    ran(BASE + FINAL, { variant });
    left = calls - 1;
    const run = ran(BASE + FINAL, { variant });
    expect(run).toMatchObject({
      verdict: "violation",
      reason: expect.stringMatching(/^conservation: /),
      cutShort: expect.stringMatching(/^The run then ended with an exception: v\d threw Error .*: boom\n {4}at /),
    });
    expect(run.violations.length).toBeGreaterThan(0);
  });
});

describe("a run", () => {
  it("has a hash that does not depend on the order of members in the file", () => {
    const steps = `  - { at: 5, cut: { from: [v1], to: [v2] } }
  - { at: 6, delay: { from: [v3], to: [v4], ms: 7..9 } }
  - { at: 7, drop: { rule: late, from: [v2], kinds: [commit], count: 2 } }
  - { at: 8, disk: { node: v2, write_ms: 1..2, loses_last: 0 } }
  - { at: 9, byzantine: { node: v4, strategy: selective-silence, towards: [v1] } }
  - { at: 20, crash: { node: v3, outputs: 2, restart_after_ms: 40 } }
  - { at: 30, only: [v1], submit: { id: y, mint: { from: issuer, to: bob, token: USD, value: "1" }, nonce: 0 } }
`;
    const scenario = parsed(BASE + steps + FINAL);
    const turned = { ...scenario, steps: (scenario.steps ?? []).map(reversed) };
    expect(Object.keys(turned.steps[1] ?? {})).toEqual(["cut", "at"]);
    const [plain, other] = [scenario, turned].map((one) => runScenario(one, { seed: "1" }));
    expect([plain?.cutShort, plain?.hash]).toEqual([undefined, other?.hash]);
  });

  it("has the same result with real signatures", () => {
    const real = ran(BASE + FINAL, { scheme: secp256k1 });
    expect(real).toMatchObject({ verdict: "pass", virtualMs: ran(BASE + FINAL).virtualMs });
  });

  it("compares its transcript with that of the file, and names the first difference", () => {
    expect(ran(BASE + FINAL).transcript).toEqual([]);
    const { transcript } = ran(BASE + FINAL, { transcript: true });
    const text = withTranscript(BASE + FINAL, transcript);
    expect(ran(text).verdict).toBe("pass");
    expect(ran(text.replace('"party":"v1"', '"party":"v9"')).reason).toMatch(/transcript event \d+: expected .*"v9"/);
  });
});

describe("the end of a run", () => {
  const BUSY = `name: n\n${GENESIS}steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { after: { decided: x }, workload: { accounts: [issuer], count: 400, every_ms: 250, mix: [{ mint: { from: issuer, token: USD, value: "1", to: [bob] } }] } }
`;

  it("comes after the end of traffic, however long after the healing", () => {
    const run = ran(`${BUSY}expect: [{ all_final: true }, { balance: { bob: { USD: "410" } } }]\n`);
    expect(run).toMatchObject({ verdict: "pass", reason: "" });
    expect(run.virtualMs).toBeGreaterThan(100_000);
  });

  it("is not judged after the bound of events: the run is inconclusive", () => {
    const run = ran(`${BUSY}expect: [{ balance: { bob: { USD: "410" } } }]\n`, { events: 3_000 });
    expect(run).toMatchObject({ verdict: "unmet", steps: 3_000, violations: [] });
    expect(run.reason).toMatch(
      /^inconclusive: the run did not come to rest within 3000 events, and its end was not judged/,
    );
    expect(run).toMatchObject({ cutShort: run.reason, unmet: [] });
  });

  it("hides no earlier violation", () => {
    const run = ran(`${BUSY}expect: [{ final: x }]\n`, { events: 3_000, variant: FORGETS });
    expect(run.verdict).toBe("violation");
    expect(run.violations.map(({ invariant }) => invariant)).not.toContain("convergence");
  });

  it("may come between two slices by an interruption", () => {
    const slices = runInSlices(parsed(`${BUSY}expect: [{ final: x }]\n`), { seed: "1" });
    expect(slices.next().done).toBe(false);
    expect(slices.next(false).done).toBe(false);
    const { done, value } = slices.next(true);
    expect(done).toBe(true);
    expect(value).toMatchObject({ verdict: "unmet", violations: [], steps: 2 * RUN_SLICE });
    const after = `after ${2 * RUN_SLICE} events; its end was not judged`;
    expect(value?.reason).toMatch(new RegExp(`^interrupted: at [0-9]+ ms, ${after}$`));
  });
});

/** Replaces receipts by ones with fee 0. */
function forgetful(real: Program): Program {
  const forget = (output: Output): Output => {
    if (output.type !== "event" || output.event.type !== "applied") return output;
    const receipts = output.event.receipts.map((receipt) => ({ ...receipt, fee: 0n as typeof receipt.fee }));
    return { ...output, event: { ...output.event, receipts } };
  };
  return { ...real, step: (state, input) => real.step(state, input).map(forget) };
}
