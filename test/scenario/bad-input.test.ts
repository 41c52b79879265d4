/** Problems of invalid scenario files: messages and positions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { Composer, parse } from "yaml";
import { decodeText } from "../../src/scenario/files.ts";
import { GENESIS, PAYMENT, refused } from "../run/support.ts";

/** Edit distances that were computed for suggestions. */
const work = vi.hoisted(() => ({ distances: 0 }));

vi.mock("fastest-levenshtein", async (original) => {
  const real = await original<typeof import("fastest-levenshtein")>();
  const distance: typeof real.distance = (a, b) => {
    work.distances++;
    return real.distance(a, b);
  };
  return { ...real, distance };
});

const step = (text: string): string => `name: n\n${GENESIS}steps:\n  - ${text}\n`;
const CHECKPOINTS = `${GENESIS}  checkpoints: {}\n`;
const submit = (text: string): string => step(`{ at: 0, submit: { id: x, nonce: 0, ${text} } }`);
const payment = (value: string): string => submit(`payment: { from: alice, to: bob, token: USD, value: ${value} }`);

const workload = (order: string): string =>
  step(`{ at: 0, workload: { accounts: [ann, ben], count: 5, every_ms: 5, mix: [${order}] } }`);

const accountsNamed = (count: number): string => Array.from({ length: count }, (_, at) => `a${at}`).join(", ");

/** One row of `refused.yaml`: what is wrong, the text or its part, and a pattern of the problems. */
type Row = Readonly<Record<"what" | "says", string>> & Partial<Record<keyof typeof TEXTS, string>>;

/** The whole text, by the part of it that a row has. */
const TEXTS = {
  file: (part: string) => part,
  rest: (part: string) => `name: n\n${GENESIS}${part}`,
  step,
  submit,
  value: payment,
  order: workload,
} as const;

const ROWS = parse(readFileSync(join(import.meta.dirname, "refused.yaml"), "utf8")) as readonly Row[];

function textOf(row: Row): string {
  const [[key, part] = []] = Object.entries(row).filter(([name]) => name in TEXTS);
  const text = TEXTS[key as keyof typeof TEXTS](part ?? "");
  return text.replace("$CHECKPOINTS\n", CHECKPOINTS).replace("$PAYMENT\n", PAYMENT);
}

/** Invalid texts that are made, with the expected messages. */
const MADE: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ["an amount past 2^256", payment(`"1${"0".repeat(77)}"`), /expected at most 2\^256 - 1/],
  [
    "a cancellation as cheap as a payment",
    `name: n\n${GENESIS.replace('cancellation: "0.02"', 'cancellation: "0.01"')}`,
    /^f\.yaml:5:42: USD: cancellation: expected more than the fee of a payment, "0\.01"; got "0\.01"/,
  ],
  [
    "a recovery of one token as cheap as a payment of it",
    `name: n\n${GENESIS.replace('"0.02" }', '"0.02", tokens: { USD: { payment: "2", cancellation: "3", recovery: "2" } } }')}`,
    /^f\.yaml:5:\d+: USD: recovery: expected more than the fee of a payment, "2"; got "2"/,
  ],
  [
    "more accounts than a world has places",
    `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, blacklist: [${accountsNamed(4_091)}] } } }\n`,
    /expected at most 4096 validators and named accounts, got 4097/,
  ],
];

describe("an invalid scenario file is rejected with position and expected value", () => {
  it.each([...ROWS.map((row) => [row.what, textOf(row), new RegExp(row.says)] as const), ...MADE])(
    "%s",
    (_what, text, message) => {
      const problems = refused(text);
      expect(problems.length, "it was accepted").toBeGreaterThan(0);
      expect(problems.join("\n")).toMatch(message);
    },
  );

  it("shows the source line with a caret under the position", () => {
    expect(refused("name: n\nstpes: []\n")[0]).toBe(
      'f.yaml:2:1: unknown key "stpes" (did you mean "steps"?)\n  stpes: []\n  ^',
    );
  });

  it("reports every problem of a file, in the order of its lines", () => {
    const problems = refused("name: n\nnetwork: { validators: 0, delay_ms: 5s }\nxyz: 1\n");
    expect(problems.map((problem) => problem.split(":").slice(1, 3).join(":"))).toEqual(["2:24", "2:37", "3:1"]);
  });
});

describe("a scenario within the limits passes", () => {
  it.each([
    ["a committee of other keys and spares", step("{ at: 0, govern: { validators: [v1/2, v2/9, v3] } }")],
    [
      "a proposal of somebody else's, for another chain and a later epoch",
      step("{ at: 0, govern: { signer: mallory, chain_id: 5, epoch: 7 } }"),
    ],
    [
      "an epoch without checkpoints after one with them",
      `name: n\n${CHECKPOINTS}  epochs: { checkpoints: 3 }\nsteps: [{ at: 0, govern: { checkpoints: none, epochs: none } }]\n`,
    ],
    [
      "what a validator's own account has",
      `name: n\n${GENESIS}expect: [{ balance: { v1: { USD: "0" } } }, { epoch: 0 }]\n`,
    ],
    ["a disk that forgets as much as one can", step("{ at: 0, disk: { node: v1, loses_last: 64 } }")],
    ["a delay of a day", "name: n\nnetwork: { delay_ms: 5..86400000 }\n"],
    [
      "an account for each place",
      `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, blacklist: [${accountsNamed(4_090)}] } } }\n`,
    ],
  ])("%s", (_what, text) => expect(refused(text)).toEqual([]));
});

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const payments = (at: number): string =>
  `${at === 0 ? "" : "  - "}{ at: 0, submit: { id: o${at}, nonce: ${at}, payment: { from: alice, to: bob, token: USD, value: "1" } } }`;

describe("malicious files", () => {
  it("stops a YAML bomb", () => {
    const layers = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(", ")}]`,
    );
    expect(refused(`l0: &l0 x\n${layers.join("\n")}\n`)[0]).toMatch(/aliases expand to too much/);
  });

  it("stops at the node after the last that aliases expand to, however few they are", () => {
    const nodes = (rest: number): string =>
      `name: n\nx-a: &a [${"1,".repeat(1_000)}]\nx-l: [${"*a,".repeat(98)}${"1,".repeat(rest)}]\n`;
    // The map, its three keys, the name, both lists and what they hold.
    const rest = 120_000 - (1 + 3 + 1 + 1_001 + 1 + 98 * 1_001);
    expect(refused(nodes(rest))).toEqual([]);
    expect(refused(nodes(rest + 1))).toEqual([
      expect.stringMatching(/aliases expand to too much: expected at most 120000 nodes/),
    ]);
    // Each copy of the merged map took 25 ms.
    const merged = `x-a: &a {${lines(10_000, (at) => ` k${at},`)} }\nl:\n${"- <<: *a\n".repeat(99)}`;
    expect(refused(merged)[0]).toMatch(/aliases expand to too much/);
  });

  it("composes no document after the second", () => {
    const next = vi.spyOn(Composer.prototype, "next");
    expect(refused("---\n".repeat(10_000))).toEqual([expect.stringMatching(/^f\.yaml:2:1: expected one document/)]);
    expect(next.mock.calls.length).toBeLessThan(20);
    next.mockRestore();
  });

  it("names an alias that names nothing", () => {
    expect(refused("name: n\nx-a: *b\n")).toEqual([
      expect.stringMatching(/^f\.yaml:2:6: \*b names nothing: expected &b before it/),
    ]);
  });

  it.each([
    ["name: &a [*a]", "1:11"],
    ["name: x\ngenesis: &g\n  tokens: { USD: *g }\n", "3:18"],
    ["name: x\nsteps: &s\n  - { at: 0 }\n  - *s\n", "4:5"],
  ])("names an alias inside of what it names: %j", (text, place) => {
    expect(refused(text)).toEqual([
      expect.stringMatching(new RegExp(`${place}: \\*[ags] stands inside of what it names`)),
    ]);
  });

  it("stops at a thousand brackets", () => {
    expect(refused(`name: ${"[".repeat(1000)}`)[0]).toMatch(/^f\.yaml:1:\d+: expected at most 32 levels/);
  });

  it("stops at deep blocks", () => {
    const deep = Array.from({ length: 200 }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
    expect(refused(`${deep} 1\n`)[0]).toMatch(/at most 32 levels/);
  });

  it("stops at deep lists in blocks, which the library would read recursively", () => {
    for (const deep of [`${"- ".repeat(100_000)}x`, `${"? ".repeat(100_000)}x`, `a:\n${"  - ".repeat(40)}x`])
      expect(refused(deep)).toEqual([expect.stringMatching(/^f\.yaml:\d+:\d+: expected at most 32 levels/)]);
  });

  it("stops at the hundred and first alias, and at the token after the last", () => {
    expect(refused(`a: &a 1\nb: [${"*a, ".repeat(70_000)}]`)).toEqual([
      expect.stringMatching(/^f\.yaml:2:4\d\d: expected at most 100 aliases/),
    ]);
    expect(refused(`a: [${"1,".repeat(500_000)}]`)).toEqual([
      expect.stringMatching(/: expected at most 120000 YAML tokens/),
    ]);
  });

  // Each compared every key, error or problem with all before it, for minutes.
  it.each<readonly [string, string, RegExp]>([
    ["a flat map", lines(15_000, (at) => `k${at}: ${at}`), /the key "name" is missing/],
    ["unknown keys", `name: x\n${lines(15_000, (at) => `k${at}: ${at}`)}`, /unknown key "k/],
    ["wrong steps", `name: x\nsteps:\n${lines(5_000, (at) => `  - {at: ${at}, crush: 1}`)}`, /expected a list|crush/],
    ["errors", "[]".repeat(60_000), /Unexpected flow-seq-start/],
    ["braces", "}".repeat(290_000), /Unexpected flow-map-end/],
    ["lists as keys", lines(10_000, (at) => `[${at}]: 1`), /1:1: expected a text as the key, got a list or a map/],
    ["names", `${step(lines(200, payments))}\nexpect: [{ final: [${"zz, ".repeat(20_000)}zz] }]\n`, /is called "zz"/],
  ])("tells at most twenty problems of %s of many entries, and makes suggestions for no others", (_, text, first) => {
    work.distances = 0;
    const problems = refused(text);
    expect(problems[0]).toMatch(first);
    expect(problems.length).toBeLessThanOrEqual(20);
    // Of each problem that is told, to each of the 200 words that it may mean.
    expect(work.distances).toBeLessThanOrEqual(20 * 200);
  });

  it.each(["%YAML 1.1", "%YAML 2.0"])("refuses %s, by which numbers are others", (directive) => {
    expect(refused(`${directive}\n---\nname: n\nsteps:\n  - { at: 1011, heal: true }\n`)).toEqual([
      expect.stringMatching(/^f\.yaml:1:1: expected YAML 1\.2: other versions read numbers differently/),
    ]);
  });

  it("takes the directive of the version that it reads", () => {
    expect(refused("%YAML 1.2\n---\nname: n\n")).toEqual([]);
  });

  it("refuses a mixed-case address with a wrong checksum, and shows the right one", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const to = (address: string): readonly string[] => refused(payment('"1"').replace("to: bob", `to: "${address}"`));
    expect(to(right.replace("5aA", "5AA"))).toEqual([expect.stringMatching(new RegExp(`is wrong: expected ${right}`))]);
    for (const taken of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])
      expect(to(taken)).toEqual([]);
    const keys = `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m } }, balances: { "${right.replace("5aA", "5AA")}": { T: "1" } } }\n`;
    expect(refused(keys)[0]).toMatch(/the checksum of 0x5AAeb/);
  });

  it("stops at a file that is too large", () => {
    expect(refused(`name: ${"n".repeat(1_048_577)}\n`)[0]).toMatch(/at most 1048576 characters/);
  });

  it("rejects a text that is not UTF-8, with the position", () => {
    const bad = decodeText(Buffer.from([0x6e, 0x3a, 0x20, 0x78, 0x0a, 0x61, 0x62, 0xff, 0x63]));
    expect(bad).toMatchObject({ ok: false, error: { line: 2, column: 3 } });
  });

  it("accepts multi-byte characters", () => {
    expect(decodeText(Buffer.from("name: für €\n"))).toEqual({ ok: true, value: "name: für €\n" });
  });

  it("reads an address without quotes as text", () => {
    const text = payment('"1"').replace("to: bob", "to: 0x00000000000000000000000000000000000000aa");
    expect(refused(text)).toEqual([]);
  });

  it("reads an octal-looking number as text, not as a number", () => {
    expect(refused(step("{ at: 012, heal: true }"))[0]).toMatch(/whole virtual milliseconds/);
  });
});
