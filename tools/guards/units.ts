/** Second stage: which guards the unit and property tests of the core notice. */
import { startVitest } from "vitest/node";

/** Returns the test file that notices a guard, by its number. A test that fails with every guard on judges nothing. */
export async function judgeByTests(guards: readonly number[]): Promise<ReadonlyMap<number, string>> {
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
