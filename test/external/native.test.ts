/** A native node takes part in every scenario, and nothing of a run depends on where its validators are. */
import { describe, expect, test } from "vitest";
import { programsOf } from "../../src/external/nodes.ts";
import { scenarioIn } from "../run/support.ts";
import { changedModule, fittingFiles, MODULE, nativeNodes, PROCESS, runNative } from "./native-nodes.ts";
import { FAULTS, TRUSTING } from "./nodes.ts";

/** Clocks, epochs with other committees, a state transfer, tokens, multisig accounts, and Byzantine validators. */
const FILES = fittingFiles(
  "scenarios/attacks/messages/batch-altered-at-any-depth.yaml",
  "scenarios/attacks/relays/lock-in-place-of-a-decision.yaml",
  "scenarios/rules/epochs/epoch-clocks-apart.yaml",
  "scenarios/rules/epochs/epoch-committee-grows-from-4-to-7.yaml",
  "scenarios/rules/checkpoints/state-installed-at-a-checkpoint.yaml",
  "scenarios/rules/multisig/creation-races-a-payment.yaml",
);

describe("the hash of a run is that of our validators in this process", () => {
  test.each(FILES)("%s", (_, scenario) => {
    const { hash, verdict, judged } = runNative(scenario);
    const native = runNative(scenario, nativeNodes(MODULE));
    expect([native.hash, native.verdict]).toEqual([hash, verdict]);
    // It reads tables of a validator, which a node does not show.
    expect(native.judged).toEqual(judged.filter((name) => name !== "footprint"));
  });

  test.each([
    ["as processes", nativeNodes(PROCESS)],
    ["for one of them, beside ours", nativeNodes(MODULE, "v2")],
  ])("%s", (_, nodes) => {
    expect(runNative(FAULTS, nodes).hash).toBe(runNative(FAULTS).hash);
  });
});

describe("a mistake of a native node is found", () => {
  const CREDIT = `(output) => {
    for (const change of output.changes ?? [])
      if (change.part === "balances") change.value = String(BigInt(change.value ?? 0) + 1n);
    return [output];
  }`;

  test.each([
    ["a credit too much", CREDIT, "conservation"],
    [
      "no receipt",
      '(output) => (output.output === "reply" && output.reply.status === "final" ? [] : [output])',
      "liveness",
    ],
  ])("%s", (name, change, invariant) => {
    const { verdict, violations } = runNative(FAULTS, nativeNodes(changedModule(name, change)));
    expect(verdict).toBe("violation");
    expect(violations.map((violation) => violation.invariant)).toContain(invariant);
  });

  test("a vote that is in no record", () => {
    const { bug: _rules, ...scenario } = scenarioIn("scenarios/bugs/vote-before-persist.yaml");
    const forgetful = changedModule("no record", '(output) => (output.output === "persist" ? [] : [output])');
    expect(runNative(scenario).verdict).toBe("unmet");
    expect(runNative(scenario, nativeNodes(forgetful, "v2"))).toMatchObject({
      violations: [{ invariant: "accountability" }],
    });
  });
});

describe("an output that is none is named with its place", () => {
  test.each([
    [
      "another version",
      "({ version, ...o }) => [{ ...o, version: version && 9 }]",
      "speaks version 9 of the interface",
    ],
    [
      "a missing member",
      '({ at, ...o }) => [o.output === "timer" ? o : { ...o, at }]',
      "answered its input `start` at 0 ms with a wrong output 2: at: is missing; got",
    ],
    [
      "a number for a hash",
      `(o) => {
        if (o.output === "sign") o.message.body.value = 7;
        return [o];
      }`,
      "message.body.value: expected hash, got 7; got",
    ],
    [
      "a refusal without its evidence",
      `(o) => {
        const refusal = { code: "business_decided_otherwise", nonce: 0 };
        return [o.output === "reply" ? { ...o, reply: { status: "refused", refusal, disclosed: true } } : o];
      }`,
      "reply.refusal.by: is missing; got",
    ],
    [
      "an unknown output",
      '(o) => [o, { output: "sing" }]',
      "output: expected one of ready, persist, erase, sign, send",
    ],
  ])("%s", (name, change, words) => {
    const { verdict, reason } = runNative(FAULTS, nativeNodes(changedModule(name, change)));
    expect(verdict).toBe("error");
    expect(reason).toContain(words);
  });

  test("both levels in one network", () => {
    const commands = { v1: MODULE, v2: TRUSTING };
    expect(() => programsOf({ commands, silentMs: 1 })).toThrow("nodes: expected all commands to begin with native:");
  });
});

test("a scenario with a known-bad variant is left out, since nodes have rules of their own", () => {
  expect(fittingFiles("scenarios/bugs/vote-before-persist.yaml")).toEqual([]);
});
