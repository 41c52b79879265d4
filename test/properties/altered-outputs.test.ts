/**
 * Goal: an oracle reads whatever a validator shows of what it decided and applied, and whatever it replies. Method: one
 * validator of four shows another value in one field, wherever it has that field, and is otherwise correct; each field has
 * a run of its own.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ValidatorProgram } from "../../src/bugs/known-bad-variant.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import { simulate } from "../../src/library/simulate.ts";

/** Decisions of every kind of slot, refusals, and a restart from what is kept. */
const SCENARIO = `name: decisions of every kind, and a restart
network: { delay_ms: 2 }
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "100" }, bob: { USD: "100" }, carol: { USD: "100" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
  checkpoints: { interval_ms: 300, period_s: 0 }
steps:
  - { at: 0,    submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1] }
  - { at: 0,    submit: { id: m, mint: { from: issuer, to: bob, token: USD, value: "50" }, nonce: 0 }, only: [v1] }
  - { at: 10,   submit: { id: p, payment: { from: bob, to: alice, token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }
  - { at: 10,   submit: { id: q, payment: { from: bob, to: carol, token: USD, value: "10" }, nonce: 0 }, only: [v3, v4] }
  - { at: 200,  submit: { id: c, cancellation: { from: bob }, nonce: 0 }, only: [v1] }
  - { at: 250,  submit: { id: r, payment: { from: carol, to: alice, token: USD, value: "1000" }, nonce: 0 }, only: [v1] }
  - { at: 300,  submit: { id: b, burn: { from: issuer, token: USD, value: "5", account: alice }, nonce: 1 }, only: [v1] }
  - { at: 900,  govern: { to: [v2] } }
  - { at: 1700, submit: { id: y, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 1 }, only: [v1] }
  - { at: 1750, crash: { node: v1, restart_after_ms: 200 } }
  - { at: 2100, submit: { id: z, payment: { from: alice, to: bob, token: USD, value: "2" }, nonce: 2 }, only: [v1] }
expect:
  - { final: [x, m, c, b, y, z] }
  - { violation: none }
`;

/** Further kinds of operations, skips and joins. */
const FILES = [
  "rules/tokens/every-kind-in-version-2",
  "rules/recovery/recovery",
  "rules/burns/burn-races-a-payment",
  "rules/epochs/epoch-three-epochs-missed",
];

/** Members from an output down; "[]" is each item of a list, and "length" the list itself. */
type Path = readonly string[];

/** A field of the outputs of one kind. */
interface Field {
  readonly kind: string;
  readonly path: Path;
}

/** Members that say which of several forms a value has, and whole states. */
const LEFT_OUT = new Set(["type", "of", "status", "kind", "layout", "state"]);

const nameOf = ({ kind, path }: Field): string => `${kind}: ${path.join(".")}`;

function kindOf(output: Output): string | undefined {
  if (output.type === "reply") return `reply ${output.reply.status}`;
  return output.type === "event" ? `event ${output.event.type}` : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield [...path, "length"];
    for (const item of value) yield* pathsIn(item, [...path, "[]"]);
  } else if (isRecord(value)) {
    for (const [key, member] of Object.entries(value)) if (!LEFT_OUT.has(key)) yield* pathsIn(member, [...path, key]);
  } else if (["number", "bigint", "boolean", "string"].includes(typeof value)) yield path;
}

/** Returns a value in which that of a path is another one of its form; one without that path as it is. */
function altered(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return otherThan(value);
  if (Array.isArray(value)) {
    if (key === "length") return value.slice(0, -1);
    return key === "[]" ? value.map((item) => altered(item, rest)) : value;
  }
  return isRecord(value) && value[key] !== undefined ? { ...value, [key]: altered(value[key], rest) } : value;
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  const text = String(value);
  return /^0x[0-9a-f]+$/.test(text) ? `${text.slice(0, -1)}${text.endsWith("1") ? "2" : "1"}` : `${text}x`;
}

/** Runs a scenario; `change`: what the first validator puts in place of its outputs. */
function runWith(scenario: string, change: (output: Output) => Output) {
  const isFirst = ({ environment: { committee, self } }: ValidatorState): boolean => committee.index.get(self) === 0;
  const program = (real: ValidatorProgram): ValidatorProgram => ({
    ...real,
    step: (state, input) => {
      const outputs = real.step(state, input);
      return isFirst(state) ? outputs.map(change) : outputs;
    },
  });
  return simulate(scenario, { program });
}

function fieldsOfOutputs(scenario: string): readonly Field[] {
  const fields = new Map<string, Field>();
  const { verdict, reason } = runWith(scenario, (output) => {
    const kind = kindOf(output);
    if (kind === undefined) return output;
    for (const path of pathsIn(output)) fields.set(nameOf({ kind, path }), { kind, path });
    return output;
  });
  expect(verdict, reason).toBe("pass");
  return [...fields.values()];
}

/** Names of the fields to which an oracle objects in the run of a scenario, and of the others. */
function judged(scenario: string, isKnown: (name: string) => boolean): readonly (readonly [string, boolean])[] {
  const fields = fieldsOfOutputs(scenario).filter((field) => !isKnown(nameOf(field)));
  return fields.map((field) => {
    const { kind, path } = field;
    const change = (output: Output): Output => (kindOf(output) === kind ? (altered(output, path) as Output) : output);
    const { verdict, violations } = runWith(scenario, change);
    return [nameOf(field), violations.length > 0 || verdict === "error"];
  });
}

/** Starts of the names of fields to which no oracle objects, and why. */
const UNREAD: Readonly<Record<string, string>> = {
  "event applied: event.content.certificates": "the content is read where it is decided",
  "event applied: event.content.operations.[].signature": "the content is read where it is decided",
  "event decided: event.content.certificates.length": "an operation that is due in the state needs no warrant",
  "reply final: reply.content.certificates.length": "an operation that is due in the state needs no warrant",
  "reply refused: reply.disclosed": "a client waits for the outcome of what is said to be disclosed",
  "reply refused: reply.refusal.": "it explains the code, which is read",
};

test("an oracle objects to every field that is another one", () => {
  const read = new Map<string, boolean>();
  for (const scenario of [SCENARIO, ...FILES.map((name) => readFileSync(`scenarios/${name}.yaml`, "utf8"))])
    for (const [name, isRead] of judged(scenario, (known) => read.get(known) === true)) read.set(name, isRead);
  const unread = [...read].flatMap(([name, isRead]) => (isRead ? [] : [name]));
  const starts = Object.keys(UNREAD);
  expect(unread.filter((name) => !starts.some((start) => name.startsWith(start)))).toEqual([]);
  expect(starts.filter((start) => !unread.some((name) => name.startsWith(start)))).toEqual([]);
});
