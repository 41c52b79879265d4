/** Second stage: which guards the unit and property tests of the core notice. */
import { startVitest } from "vitest/node";

export interface NoticedGuards {
  /** Test file that notices a guard, by its number. */
  readonly killers: ReadonlyMap<number, string>;
  /** Number of tests that meet the condition of a guard. */
  readonly met: ReadonlyMap<number, number>;
}

/** Judges guards by the tests of `files`, or by all. A test that fails with every guard on judges nothing. */
export async function judgeByTests(guards: readonly number[], files: readonly string[] = []): Promise<NoticedGuards> {
  process.env["GUARDS"] = guards.join(",");
  const config = "tools/guards/vitest.config.ts";
  const vitest = await startVitest("test", [...files], { config, root: ".", watch: false, reporters: [{}] });
  const killers = new Map<number, string>();
  const met = new Map<number, number>();
  const failed: string[] = [];
  for (const module of vitest.state.getTestModules()) {
    for (const test of module.children.allTests()) {
      if (!test.ok())
        failed.push(`${module.relativeModuleId}: ${test.fullName}: ${test.result().errors?.[0]?.message}`);
      const { kills = [], meets = [] } = test.meta() as { kills?: readonly number[]; meets?: readonly number[] };
      for (const number of kills) killers.set(number, module.relativeModuleId);
      for (const number of meets) met.set(number, (met.get(number) ?? 0) + 1);
    }
  }
  if (failed.length > 0) process.stderr.write(`Fail with every guard on, and judge nothing:\n${failed.join("\n")}\n`);
  await vitest.close();
  return { killers, met };
}
