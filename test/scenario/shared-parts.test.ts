/** Shared parts of a file: ignored keys of the top level, anchors, and merged maps. */
import { expect, test } from "vitest";
import { scenario } from "../../src/library/scenario.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { GENESIS, refused } from "../run/support.ts";

const HEAD = `name: n\n${GENESIS}`;
const PAYMENT = 'from: alice, token: USD, value: "1"';
const SHARED = `${HEAD}x-payment: &payment { ${PAYMENT} }\nx-first: &first { to: bob, value: "2" }\n`;

function step(payment: string, head: string): string {
  return `${head}steps:\n  - { at: 0, submit: { id: x, nonce: 0, payment: { ${payment} } } }\n`;
}

test.each([
  ["a map", "to: bob, <<: *payment", `to: bob, ${PAYMENT}`],
  [
    "a map whose member stands there too",
    'value: "3", <<: *payment, to: bob',
    'from: alice, token: USD, value: "3", to: bob',
  ],
  ["a list of maps, the first of which wins", "<<: [*first, *payment]", 'from: alice, token: USD, to: bob, value: "2"'],
  ["a map without an anchor", `<<: { to: bob }, ${PAYMENT}`, `to: bob, ${PAYMENT}`],
])("merges %s", (_what, merged, whole) => {
  const expected = createParser().parse(step(whole, HEAD));
  expect(expected.ok).toBe(true);
  expect(createParser().parse(step(merged, SHARED))).toEqual(expected);
});

test("ignores a key that begins with x-, whatever it holds, in a file and in plain data", () => {
  const plain = scenario({ name: "n", "x-anything": { steps: [1] } });
  expect(plain).toEqual({ name: "n" });
  expect(scenario("name: n\nx-number: 99999999999999999999\nx-list: [1, { a: 2 }]\n")).toEqual(plain);
  expect(refused("name: n\nsteps:\n  - { at: 0, heal: true, x-note: 1 }\n")[0]).toMatch(/unknown key "x-note"/);
});

test.each([
  [
    "a mistake where it stands",
    step("<<: *wrong", `${HEAD}x-wrong: &wrong { ${PAYMENT}, two: bob }\n`),
    /^f\.yaml:6:\d+: unknown key "two"/,
  ],
  ["a text", step("<<: bob", HEAD), /^f\.yaml:7:\d+: expected a map or a list of maps to merge/],
  ["a list of texts", step("<<: [*payment, bob]", SHARED), /expected a map or a list of maps to merge/],
  ["two merges in one map", step("<<: *payment, <<: *first", SHARED), /duplicate key in this map/],
  ["a quoted key, as JSON has it", step('"<<": { to: bob }', HEAD), /unknown key "<<"/],
  ["itself", "name: n\nx-a: &a { <<: *a }\n", /\*a stands inside of what it names/],
])("tells of %s", (_what, text, message) => expect(refused(text)).toContainEqual(expect.stringMatching(message)));

test("merged maps count as aliases, also where each merges others", () => {
  const layers = (merge: (at: number) => string): string =>
    `name: n\nx-l0: &l0 { a: 1 }\n${Array.from({ length: 40 }, (_, at) => `x-l${at + 1}: &l${at + 1} ${merge(at)}\n`).join("")}`;
  expect(refused(layers((at) => `{ <<: [*l${at}, *l${at}] }`))).toEqual([
    expect.stringMatching(/aliases expand to too much/),
  ]);
  expect(refused(layers((at) => `{ b: { <<: *l${at} }, c: { <<: *l${at} } }`))).toEqual([
    expect.stringMatching(/aliases expand to too much/),
  ]);
  const uses = Array.from({ length: 90 }, () => `  - { <<: *step, at: 5 }\n`).join("");
  expect(refused(`${HEAD}x-step: &step { heal: true }\nsteps:\n${uses}`)).toEqual([]);
});
