/** A sample of the guards of the core: what reports/guards.json says of each still holds, and each survivor is explained. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Guard, guardKey, instrument } from "../../tools/guards/find.ts";
import { judgesOf, KEPT, killerOf, runKept } from "../../tools/guards/judge.ts";
import { EXPLAINED, faultsOf, type Killers, RECORD, readReasons } from "../../tools/guards/markdown.ts";
import { instrumentAll, judgedFiles, loadProgram } from "../../tools/guards/program.ts";
import { runsFor } from "../depth.ts";

/** One in so many guards is switched off. */
const EVERY = runsFor({ test: 30, nightly: 10, soak: 1 });

const { guards, texts } = instrumentAll(judgedFiles());
const killers = JSON.parse(readFileSync(RECORD, "utf8")) as Killers;

/** Returns true for one in `EVERY` guards, for the same ones whatever others there are. */
function isSampled(guard: Guard): boolean {
  return createHash("sha256").update(guardKey(guard)).digest().readUInt32BE() % EVERY === 0;
}

test("each sampled guard that a kept scenario needs is still needed by it", async () => {
  const folder = "node_modules/.cache/guards";
  mkdirSync(folder, { recursive: true });
  const program = await loadProgram(texts, `${folder}/program.mjs`);
  const sample = guards.flatMap((guard, number) => {
    const path = killers[guardKey(guard)];
    return path?.startsWith("scenarios/") && isSampled(guard) ? [{ guard, number, path }] : [];
  });
  expect(sample.length).toBeGreaterThan(5);
  const kept = runKept(program, [...new Set(sample.map(({ path }) => path))]);
  const unneeded = sample.filter(({ number, path }) => killerOf(program, kept, number, path) === undefined);
  const all = unneeded.length === 0 ? [] : runKept(program, KEPT);
  const faults = unneeded.map(({ guard, number, path }) => {
    const other = killerOf(program, judgesOf(guard, all), number);
    const remedy = other === undefined ? "nor by another kept scenario: test it" : `but by ${other}: write that`;
    return `${RECORD}: "${guardKey(guard)}" is no longer needed by ${path}, ${remedy}`;
  });
  expect(faults).toEqual([]);
});

test("every survivor has a reason, and every reason a survivor", () => {
  const known = guards.filter((guard) => guardKey(guard) in killers);
  const reasons = readReasons(readFileSync(EXPLAINED, "utf8"));
  expect(faultsOf(known, killers, reasons)).toEqual([]);
  expect(known.length).toBeGreaterThan(guards.length * 0.9);
});

const SOURCE = `function checked(a: number, log: string[]): string | undefined {
  if (a > 1) return "too many";
  for (const one of log) if (one === "") continue;
  if (a < 0) {
    report(a);
    return;
  }
  if (a === 0) {
    log.push("zero");
    return;
  }
  if (a > 1) return undefined;
  return a === 1 ? undefined : "not one";
}
`;

test("guards are refusals and nothing else, known by their function and their condition", () => {
  const found = instrument("src/core/a.ts", SOURCE, "./switch.ts", 7);
  expect(found.guards.map(({ within, condition, line }) => [within, condition, line])).toEqual([
    ["checked", "a > 1", 2],
    ["checked", 'one === ""', 3],
    ["checked", "a < 0", 4],
    ["checked", "a > 1 (2)", 12],
    ["checked", "a === 1", 13],
  ]);
  expect(found.text).toContain('if (__guard(7, (a > 1))) return "too many";');
  expect(found.text).toContain("{ __turn(); if (__guard(8,");
  expect(found.text).toContain('return !__guard(11, !(a === 1)) ? undefined : "not one";');
});

const ORACLE = `/** Finds (protocol 7.1). */
function found(a: number, report: (words: string) => void): string | undefined {
  const faults: string[] = [];
  if (a > 1) report("too many");
  else faults.push("one");
  for (const one of faults) report(one);
  return a === 2 ? undefined : { words: "not two" };
}
function refusals(a: number): readonly string[] {
  if (a > 1) return [...found(a), "large"];
  return reasons([[a === 0, "zero"]]);
}
`;

test("reports are statements that report, and what a function returns where it may return nothing", () => {
  const found = instrument("src/invariants/oracles/a.ts", ORACLE, "./switch.ts", 7);
  expect(found.guards.map(({ within, condition, line, branch }) => [within, condition, line, branch])).toEqual([
    ["found", '"too many"', 4, undefined],
    ["found", '"one"', 5, undefined],
    ["found", "one", 6, undefined],
    ["found", '{ words: "not two" }', 7, undefined],
    ["refusals", '"large"', 10, undefined],
    ["refusals", '"zero" if a === 0', 11, undefined],
  ]);
  expect(found.text).toContain('if (a > 1) { if (__guard(7, true)) report("too many"); }');
  expect(found.text).toContain('undefined : (__guard(10, true) ? ({ words: "not two" }) : undefined);');
  expect(found.text).toContain('[...found(a), ...(__guard(11, true) ? ["large"] : [])]');
  expect(found.text).toContain('[[__guard(12, a === 0), "zero"]]');
});

test("reasons are read by file, and one that stands twice is refused", () => {
  const text = `src/core/a.ts:\n  - why: It saves\n      work.\n    guards: ["checked: a > 1"]\n`;
  const reason = { why: "It saves work.", isEquivalent: false };
  expect([...readReasons(text)]).toEqual([["src/core/a.ts checked: a > 1", reason]]);
  expect(() => readReasons(`${text}  - why: Twice.\n    guards: ["checked: a > 1"]\n`)).toThrow("explained twice");
  expect(() => readReasons("src/core/a.ts:\n  - why: It saves work.\n")).toThrow("expected a list of { why, guards");
});
