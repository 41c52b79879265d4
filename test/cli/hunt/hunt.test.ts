/** Goal: output, files and exit codes of `hunt`. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findBug } from "../../../src/bugs/catalogue.ts";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { type CommandOutput, folder, runCommand } from "../support.ts";

const QUICK = ["--profile", "quick", "--workers", "1", "--repeats", "1", "--shrink-runs", "0"];

async function hunt(...argv: readonly string[]): Promise<CommandOutput & { readonly folder: string }> {
  const path = join(folder({}), "reports");
  const result = await runCommand(["hunt", ...QUICK, "--out", path, ...argv]);
  return { ...result, folder: path };
}

const SHOWN = requireDefined(findBug("hasty-refusal"), "hasty-refusal");

describe("quorumlab hunt", () => {
  it("prints and saves a row for each variant, with the command and the minimized scenario that reproduce it", async () => {
    const argv = [SHOWN.name, "lost-fee", "--seeds", "4", "--shrink-runs", "30", "--json"];
    const { code, lines, folder: path } = await hunt(...argv);
    expect(code).toBe(0);
    const [first, second, end] = lines;
    for (const [line, bug] of [
      [first, SHOWN.name],
      [second, "lost-fee"],
    ] as const) {
      expect(line).toMatchObject({ type: "bug", bug, found: true, strategy: "fuzz", states: null, ranges_found: 1 });
      expect(line?.["replay"]).toBe(`quorumlab fuzz --bug ${bug} --seed ${line?.["seeds"]} --seeds 1 --profile quick`);
    }
    expect(end).toMatchObject({ type: "summary", runs: 2, passed: 2, failed: 0, self_check_failures: [] });
    const saved = JSON.parse(readFileSync(join(path, "hunt.json"), "utf8")) as { readonly bugs: readonly object[] };
    expect(saved).toMatchObject({ budget: 4, repeats: 1, first: "1", self_check_failures: [] });
    expect(saved.bugs).toMatchObject([{ bug: SHOWN.name }, { bug: "lost-fee" }]);
    const drawn = String(first?.["replay"]).split(" ").slice(1);
    const again = await runCommand([...drawn, "--workers", "1", "--out", folder({}), "--json"]);
    expect([again.code, again.lines[0]?.["verdict"]]).toEqual([1, "violation"]);
    expect(first?.["shrunk_steps"]).toBeLessThanOrEqual(2);
    const small = String(first?.["shrunk"]);
    const [, seed = "1"] = /--seed (\d+)/.exec(readFileSync(small, "utf8")) ?? [];
    const run = await runCommand(["run", small, "--seed", seed, "--json"]);
    expect([run.code, run.lines[0]?.["verdict"]]).toEqual([1, "violation"]);
  });

  it("fails if a variant is not detected within its budget, and prints the clean runs of the others", async () => {
    const { code, out } = await hunt(SHOWN.name, "old-quorum", "--seeds", "3", "--confidence");
    expect(code).toBe(1);
    expect(out).toMatch(/1 of 2 variants detected within their budget; missed: old-quorum/);
    expect(out).toMatch(/hasty-refusal +\d+ +3 +0\.\d+ +\d+\n/);
    expect(out).toMatch(/old-quorum +0 +3 +0\.0000 +never detected/);
  });

  it("ends with 130 on an interruption, and writes nothing", async () => {
    let asked = 0;
    const path = join(folder({}), "reports");
    const interrupted = async (): Promise<boolean> => ++asked > 12;
    expect(await runCommand(["hunt", ...QUICK, "--out", path, "lost-fee"], { interrupted })).toMatchObject({
      code: 130,
    });
    expect(existsSync(path)).toBe(false);
  });
});
