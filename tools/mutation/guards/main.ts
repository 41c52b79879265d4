/**
 * Switches each guard off, and makes reports/guards.md and reports/guards.json of what notices it. Exits 1 where a
 * survivor has no explanation, or an explanation no survivor. With files or folders as arguments it writes nothing, and
 * says which guards that no kept scenario needs are needed by those.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { guardKey } from "./find.ts";
import { KEPT, killerOf, runKept } from "./judge.ts";
import { reportText } from "./markdown.ts";
import { coreFiles, instrumentCore, loadProgram } from "./program.ts";
import { EXPLAINED, faultsOf, type Killers, RECORD, readReasons } from "./record.ts";
import { unitKillers } from "./units.ts";

const OUT = "reports/.mutation/guards";
const REPORT = "reports/guards.md";

mkdirSync(OUT, { recursive: true });
const { guards, texts } = instrumentCore(coreFiles());
const before = existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")) as Killers) : {};
const program = await loadProgram(texts, `${OUT}/program.mjs`);
const tried = process.argv.slice(2);
if (tried.length > 0) tryFiles(tried);
else await judgeAll();

function tryFiles(paths: readonly string[]): void {
  const kept = runKept(program, paths);
  for (const [number, guard] of guards.entries()) {
    if (before[guardKey(guard)]?.startsWith("scenarios/")) continue;
    const killer = killerOf(program, kept, number);
    const meets = killer === undefined && kept.some((one) => one.meets[number]);
    if (killer !== undefined) process.stdout.write(`${guardKey(guard)}\n    ${killer}\n`);
    if (meets) process.stdout.write(`${guardKey(guard)}\n    is met, and not needed\n`);
  }
}

async function judgeAll(): Promise<void> {
  const killers: Record<string, string | null> = {};
  const kept = runKept(program, KEPT);
  for (const [number, guard] of guards.entries()) {
    if (number % 50 === 0) process.stderr.write(`${number} of ${guards.length} guards\n`);
    killers[guardKey(guard)] = killerOf(program, kept, number, before[guardKey(guard)] ?? undefined) ?? null;
  }
  const open = guards.flatMap((guard, number) => (killers[guardKey(guard)] === null ? [number] : []));
  process.stderr.write(`${open.length} guards for the unit tests\n`);
  for (const [number, path] of await unitKillers(open)) {
    const guard = guards[number];
    if (guard !== undefined) killers[guardKey(guard)] = path;
  }
  const reasons = readReasons(readFileSync(EXPLAINED, "utf8"));
  const faults = faultsOf(guards, killers, reasons);
  writeFileSync(RECORD, `${JSON.stringify(killers, undefined, 1)}\n`);
  writeFileSync(REPORT, reportText(guards, killers, reasons, faults));
  process.stdout.write(`${faults.map((one) => `${one}\n`).join("")}See ${REPORT}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
