/**
 * Switches each guard and each report off, and makes reports/guards.md and reports/guards.json of what notices it. Exits
 * 1 where a survivor has no explanation, or an explanation no survivor. `--survivors`: keeps what the record says of the
 * other guards.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { startVitest } from "vitest/node";
import { type Guard, guardKey } from "./find.ts";
import { judgesOf, KEPT, killerOf, runKept } from "./judge.ts";
import { EXPLAINED, faultsOf, type Killers, RECORD, readReasons, reportText } from "./markdown.ts";
import { instrumentAll, judgedFiles, loadProgram } from "./program.ts";

const OUT = "reports/.guards";
const REPORT = "reports/guards.md";
/** Factor of the work after which a guard that is said to have no effect counts as one that nothing notices. */
const LONGER = 10;

mkdirSync(OUT, { recursive: true });
const { guards, texts } = instrumentAll(judgedFiles());
const before = existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")) as Killers) : {};
const program = await loadProgram(texts, `${OUT}/program.mjs`);
const isPartial = process.argv[2] === "--survivors";
await judgeGuards((guard) => !isPartial || before[guardKey(guard)] == null);

async function judgeGuards(isJudged: (guard: Guard) => boolean): Promise<void> {
  const killers: Record<string, string | null> = {};
  const kept = runKept(program, KEPT);
  const reasons = readReasons(readFileSync(EXPLAINED, "utf8"));
  for (const [number, guard] of guards.entries()) {
    if (number % 50 === 0) process.stderr.write(`${number} of ${guards.length} guards\n`);
    if (!isJudged(guard)) killers[guardKey(guard)] = before[guardKey(guard)] as string;
    else {
      const limit = program.guards.WORK_MAX * (reasons.get(guardKey(guard))?.isEquivalent === true ? LONGER : 1);
      killers[guardKey(guard)] =
        killerOf(program, judgesOf(guard, kept), number, before[guardKey(guard)] ?? undefined, limit) ?? null;
    }
  }
  const open = guards.flatMap((guard, number) => (killers[guardKey(guard)] === null ? [number] : []));
  process.stderr.write(`${open.length} guards for the unit tests\n`);
  for (const [number, path] of await judgeByTests(open)) killers[guardKey(guards[number] as Guard)] = path;
  const faults = faultsOf(guards, killers, reasons);
  writeFileSync(RECORD, `${JSON.stringify(killers, undefined, 1)}\n`);
  writeFileSync(REPORT, reportText(guards, killers, reasons, faults));
  process.stdout.write(`${faults.map((fault) => `${fault}\n`).join("")}See ${REPORT}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** Second stage: returns the unit or property test file that notices a guard, by its number. A test that fails with every guard on judges nothing. */
async function judgeByTests(guards: readonly number[]): Promise<ReadonlyMap<number, string>> {
  process.env["GUARDS"] = guards.join(",");
  const config = "tools/guards/vitest.config.ts";
  const vitest = await startVitest("test", [], { config, root: ".", watch: false, reporters: [{}] });
  const killers = new Map<number, string>();
  const failed: string[] = [];
  for (const module of vitest.state.getTestModules()) {
    for (const test of module.children.allTests()) {
      if (!test.ok())
        failed.push(`${module.relativeModuleId}: ${test.fullName}: ${test.result().errors?.[0]?.message}`);
      const { kills = [] } = test.meta() as { kills?: readonly number[] };
      for (const number of kills) killers.set(number, module.relativeModuleId);
    }
  }
  if (failed.length > 0) process.stderr.write(`Fail with every guard on, and judge nothing:\n${failed.join("\n")}\n`);
  await vitest.close();
  return killers;
}
