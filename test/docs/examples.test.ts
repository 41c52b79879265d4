/** The checker accepts each example of the scenario language: those of the schema, and those that the reference makes. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createParser } from "../../src/scenario/parse.ts";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";
import { type SchemaNode, statedExample } from "../../src/schema/nodes.ts";
import { strategyExamples } from "../../tools/docs/scenarios.ts";

const schema = publishedSchema() as SchemaNode;
const parser = createParser();

/** Declares all names that examples use. */
const SETTING = `name: n
network: { spares: [v5], twins: [v4] }
genesis:
  tokens:
    USD: { decimals: 2, master: issuer }
    RWA: { decimals: 2, master: issuer, private: true }
  balances:
    alice: { USD: "100" }
    bob: { USD: "100" }
    carol: { USD: "100" }
    mallory: { USD: "1" }
    minter: { USD: "1" }
    guard: { USD: "1" }
    lister: { USD: "1" }
  multisig:
    treasury: { signers: { alice: 1, bob: 1 }, threshold: 2, created: false }
  checkpoints: {}
  epochs: { checkpoints: 3 }
`;
const OPERATIONS = `
  - { at: 0, hold: { rule: late, kinds: [commit] } }
  - { at: 0, submit: { id: x, payment: { from: carol, to: bob, token: USD, value: "1" }, nonce: 0 } }
  - { at: 0, submit: { id: y, payment: { from: carol, to: bob, token: USD, value: "2" }, nonce: 0 } }
  - { at: 0, submit: { id: m, mint: { from: issuer, to: bob, token: USD, value: "2" }, nonce: 0 } }
  - { at: 0, crash: { node: v2, restart_after_ms: 5 } }
  - { at: 0, govern: { validators: [v1, v2/2, v3, v5] } }
`;

/** A file for the keys of the top level. */
const SMALL = {
  name: "n",
  genesis: { tokens: { USD: { decimals: 2, master: "issuer" } }, balances: { alice: { USD: "100" } } },
  steps: [{ at: 0, submit: { id: "x", payment: { from: "alice", to: "bob", token: "USD", value: "1" }, nonce: 0 } }],
};

function accepted(text: string): void {
  const parsed = parser.parse(text);
  expect(parsed.ok ? [] : parsed.error, text).toEqual([]);
}

function member(node: SchemaNode, key: string): SchemaNode {
  return node.properties?.[key] ?? {};
}

function kindsOf(node: SchemaNode): readonly string[] {
  return (node["oneOf"] as { required: string[] }[]).flatMap(({ required }) => required);
}

const step = member(schema, "steps").items as SchemaNode;
const submit = member(step, "submit");
const order = member(member(step, "workload"), "mix").items as SchemaNode;
const expectation = member(schema, "expect").items as SchemaNode;

/** The stated example of a member, which every kind has. */
function stated(node: SchemaNode, key: string): string {
  const example = statedExample(member(node, key).description);
  expect(example, `an example of ${key}`).toBeDefined();
  return example ?? "";
}

test("each example in the schema has the form of its part", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let count = 0;
  const walk = (node: SchemaNode, path: string): void => {
    for (const example of node.examples ?? []) {
      count += 1;
      const validate = ajv.compile(node);
      expect(validate(example) ? "" : `${path}: ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`).toBe(
        "",
      );
    }
    for (const [key, inner] of Object.entries(node.properties ?? {})) walk(inner, `${path}.${key}`);
    if (node.items !== undefined) walk(node.items, `${path}[]`);
    if (typeof node.additionalProperties === "object") walk(node.additionalProperties, `${path}.*`);
  };
  walk(schema, "");
  expect(count).toBeGreaterThan(130);
});

test.each(kindsOf(step))("a file with the example of the verb %s passes the checker", (verb) => {
  const example = stated(step, verb);
  const own = verb === "submit" ? example.replace("id: x", "id: z") : example;
  const restarts = verb === "restart" ? "\n  - { at: 10, wipe: v2 }" : "";
  accepted(`${SETTING}steps:${OPERATIONS}${restarts}\n  ${own}\n`);
});

test.each([...strategyExamples()])(
  "a file with the example of the strategy %s passes the checker",
  (_name, example) => {
    accepted(`${SETTING}steps:${OPERATIONS}\n  ${example}\n`);
  },
);

test.each(kindsOf(member(step, "after")))("a file with the example of the trigger %s passes the checker", (event) => {
  const [value] = member(member(step, "after"), event).examples ?? [];
  expect(value, `an example of ${event}`).toBeDefined();
  accepted(
    `${SETTING}steps:${OPERATIONS}\n  - { after: { ${event}: ${String(value).replace("alice", "carol")} }, heal: true }\n`,
  );
});

test.each(kindsOf(submit))("a file with the example of the operation %s passes the checker", (kind) => {
  const nonce = kind === "repeat" ? "" : ", id: z, nonce: 0";
  accepted(`${SETTING}steps:${OPERATIONS}\n  - { at: 0, submit: { ${stated(submit, kind)}${nonce} } }\n`);
});

test.each(kindsOf(order))("a file with the example of the order %s passes the checker", (kind) => {
  const mix = `[${stated(order, kind)}, ${stated(order, "payment")}]`;
  accepted(
    `${SETTING}steps:\n  - { at: 0, workload: { accounts: [alice, bob], count: 2, every_ms: 5, mix: ${mix} } }\n`,
  );
});

test.each(kindsOf(expectation))("a file with the example of the expectation %s passes the checker", (kind) => {
  accepted(`${SETTING}steps:${OPERATIONS}expect:\n  ${stated(expectation, kind)}\n`);
});

test.each(Object.keys(schema.properties ?? {}).filter((key) => key !== "transcript"))(
  "a file with the example of the key %s passes the checker",
  (key) => {
    const node = member(schema, key);
    const text = statedExample(node.description);
    const value = text === undefined ? node.examples?.[0] : (parse(text) as Record<string, unknown>)[key];
    expect(value, `an example of ${key}`).toBeDefined();
    const { steps: _steps, ...withoutSteps } = SMALL;
    const checked = parser.check({ ...(key === "genesis" ? withoutSteps : SMALL), [key]: value });
    expect(checked.ok ? [] : checked.error).toEqual([]);
  },
);
