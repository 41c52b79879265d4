/** What `shrink` writes: the scenario with a head that says what it shows, and a test that fails until that is mended. */
import { basename } from "node:path";
import { scenarioText } from "../../harness/fuzz/scenario-text.ts";
import type { Shrunk } from "../../harness/shrink/shrink.ts";

/** Where it is written, and what it was made from. */
export interface Origin {
  readonly out: string;
  readonly from: string;
  readonly seed: string;
}

/** The command that shows a file's failure. */
export function runsAgain(file: string, seed: string): string {
  return `quorumlab run ${file}${seed === "1" ? "" : ` --seed ${seed}`}`;
}

/** Names and texts: the scenario file, and a vitest file beside it. */
export function shrunkFiles(shrunk: Shrunk, { out, from, seed }: Origin): readonly (readonly [string, string])[] {
  const { scenario, result, place } = shrunk;
  const head = [
    ...result.reason.split("\n").slice(0, 8),
    `again: ${runsAgain(out, shrunk.seed)}`,
    `made by: quorumlab shrink ${from} --seed ${seed}`,
  ];
  const name = `${place.invariant}: ${scenario.steps?.length ?? 0} steps, shrunk from ${basename(from)}`;
  const test = out.replace(/\.ya?ml$/i, "").concat(".test.ts");
  return [
    [out, scenarioText({ ...scenario, name }, head)],
    [test, testText(basename(out), shrunk)],
  ];
}

function testText(file: string, { seed, place, result }: Shrunk): string {
  return `/** ${comment(result.reason)} */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FILE = fileURLToPath(new URL(${JSON.stringify(`./${file}`)}, import.meta.url));

test(${JSON.stringify(`${file} keeps ${place.invariant}`)}, () => {
  const { stdout } = spawnSync("npx", ["quorumlab", "run", FILE, "--seed", ${JSON.stringify(seed)}, "--json"], { encoding: "utf8" });
  const [run] = stdout.split("\\n").map((line) => JSON.parse(line || "{}"));
  expect(run).toMatchObject({ type: "run", verdict: "pass" });
});
`;
}

/** A sentence inside a comment of one line. */
function comment(text: string): string {
  return (text.split("\n")[0] ?? "").replaceAll("*/", "* /");
}
