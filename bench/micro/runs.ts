/** Runs of scenario files whose parts the groups do again: kept inputs, applications, records. */
import { readFileSync } from "node:fs";
import { scenario } from "../../src/library/scenario.ts";
import { type RunOptions, runScenario } from "../../src/run/run.ts";

export const EVERY_KIND = "workloads/every-kind-of-operation";

/** Runs a scenario file. @throws Error unless it passes */
export function passing(file: string, options: Omit<RunOptions, "seed">): void {
  const { verdict, reason } = runScenario(scenario(textOf(file)), { ...options, seed: "1" });
  if (verdict !== "pass") throw new Error(`${file}: ${verdict} ${reason}`);
}

/** The text of a scenario file. */
export function textOf(file: string): string {
  return readFileSync(`scenarios/${file}.yaml`, "utf8");
}
