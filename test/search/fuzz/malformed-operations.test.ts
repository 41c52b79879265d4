/** Goal: each operation that is drawn with a fault of form can stand in a file, and is refused for its form. */
import { expect, test } from "vitest";
import { allMalformed } from "../../../src/search/fuzz/malformed-operations.ts";
import { scenarioText } from "../../../src/search/fuzz/scenario-text.ts";
import { parsed, ran } from "../../run/support.ts";

const WORLD = parsed(`
name: form
genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  balances: { alice: { USD: "100" } }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 } }
`);

test.each(allMalformed("alice").map((operation) => [JSON.stringify(operation.kinds).slice(0, 90), operation] as const))(
  "%s",
  (_text, { code, kinds, more }) => {
    const steps = [{ at: 0, submit: { id: "x", ...kinds, ...more, nonce: 0 } }] as never;
    const expected = [{ refused: { x: code } }] as never;
    const result = ran(scenarioText({ ...WORLD, steps, expect: expected }, []));
    expect(result).toMatchObject({ verdict: "pass", violations: [] });
  },
);
