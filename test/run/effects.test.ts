/** Steps that had no effect are named, and make a written file unmet. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ran } from "./support.ts";

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
  return ran(`${HEAD}${head}steps:\n${SUBMIT}${steps}`);
}

interface Row extends Readonly<Record<"verb" | "idle" | "says" | "effective", string>> {
  readonly before?: { readonly head: string; readonly step: string };
}

const ROWS = parse(readFileSync(join(import.meta.dirname, "idle-steps.yaml"), "utf8")) as readonly Row[];

describe.each(ROWS)("$verb", ({ idle, says: reason, effective, before }) => {
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
    const [head, first] = before === undefined ? ["", ""] : [`${before.head}\n`, `  - ${before.step}\n`];
    expect(run(`${first}  - ${effective}\n`, head)).toMatchObject({ verdict: "pass", idle: [] });
  });
});
