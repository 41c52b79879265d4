/** Steps that had no effect are named, and make a written file unmet. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../../src/run/run.ts";
import { createParser } from "../../src/scenario/parse.ts";

const HEAD = `
name: steps
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "100" } }
  checkpoints: none
expect: [{ final: x }]
`;
const SUBMIT =
  '  - { at: 10, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 } }\n';

function run(steps: string, head = "") {
  const parsed = createParser().parse(`${HEAD}${head}steps:\n${SUBMIT}${steps}`);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return runScenario(parsed.value, { seed: "1" });
}

/** A step without an effect, what the run says of it, and one of the same verb that has an effect. */
const STEPS: readonly (readonly [verb: string, idle: string, reason: string, effective: string])[] = [
  [
    "after",
    "{ after: { round_change: alice }, restart: v1 }",
    "the event that it waits for never came",
    "{ after: { decided: x }, crash: { node: v1, restart_after_ms: 1 } }",
  ],
  [
    "hold",
    "{ at: 0, hold: { rule: h, kinds: [proposal] } }",
    "rule h held no message",
    "{ at: 0, hold: { rule: h, kinds: [finality], to: [v2, v3] } }",
  ],
  [
    "drop",
    "{ at: 0, drop: { rule: d, kinds: [proposal] } }",
    "rule d dropped no message",
    "{ at: 0, drop: { rule: d, kinds: [vote], count: 1 } }",
  ],
  [
    "byzantine",
    "{ at: 0, byzantine: { node: v4, strategy: hide-locks } }",
    "v4 changed no message by hide-locks",
    "{ at: 0, byzantine: { node: v4, strategy: withhold-votes } }",
  ],
  [
    "partition",
    "{ at: 9000, partition: [[v1], [v2, v3, v4]] }",
    "no message was lost between the parties that it separates",
    "{ at: 0, partition: [[v4], [v1, v2, v3]] }",
  ],
  [
    "cut",
    "{ at: 9000, cut: { from: [v1], to: [v2] } }",
    "no message was lost between the parties that it separates",
    "{ at: 0, cut: { from: [v1], to: [v2] } }",
  ],
  [
    "delay",
    "{ at: 9000, delay: { to: [v2], ms: 5 } }",
    "no message took a link that it changes",
    "{ at: 0, delay: { to: [v2], ms: 5 } }",
  ],
  ["crash", "{ at: 40, crash: { node: v1, outputs: 5000 } }", "v1 did not stop", "{ at: 40, crash: { node: v1 } }"],
  ["restart", "{ at: 40, restart: v1 }", "v1 did not start again", "{ at: 40, restart: v5 }"],
  [
    "suspend",
    "{ at: 9000, suspend: { node: v1, resume_after_ms: 1 } }",
    "nothing reached v1 while it was suspended",
    "{ at: 0, suspend: { node: v4, resume_after_ms: 50 } }",
  ],
  ["restore", "{ at: 0, restore: v4 }", "v4 wrote nothing since its backup", "{ at: 300, restore: v4 }"],
  ["resume", "{ at: 40, resume: v1 }", "v1 was not suspended", "{ at: 40, resume: v5 }"],
  [
    "disk",
    "{ at: 9000, disk: { node: v3, write_ms: 5 } }",
    "v3 wrote nothing",
    "{ at: 0, disk: { node: v3, write_ms: 5 } }",
  ],
];

describe.each(STEPS)("%s", (_verb, idle, reason, effective) => {
  test("without an effect makes the run unmet, unless the file or the step allows it", () => {
    const found = [{ step: 2, reason }];
    expect(run(`  - ${idle}\n`)).toMatchObject({
      verdict: "unmet",
      reason: `step 2 has no effect: ${reason}`,
      idle: found,
    });
    expect(run(`  - ${idle}\n`, "allow_idle: true\n")).toMatchObject({ verdict: "pass", idle: found });
    expect(run(`  - ${idle.replace("{ ", "{ allow_idle: true, ")}\n`)).toMatchObject({ verdict: "pass", idle: [] });
  });

  test("with an effect is not named", () => {
    const fault = effective.includes("resume: v5") ? "suspend" : "crash";
    const down = effective.includes("v5") ? `  - { at: 1, ${fault}: { node: v5 } }\n` : "";
    const head = effective.includes("v5") ? "network: { validators: 5 }\n" : "";
    expect(run(`${down}  - ${effective}\n`, head)).toMatchObject({ verdict: "pass", idle: [] });
  });
});
