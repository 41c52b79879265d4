/** Files of `shrink`: the minimized scenario with a head, and a test that fails until the bug is fixed. */

import { basename } from "node:path";
import { countText } from "../../invariants/text.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { NearestPassing, NearestSearch } from "../../search/shrink/nearest-passing.ts";
import type { Shrunk } from "../../search/shrink/shrink.ts";
import { shellQuoted } from "../commands.ts";

/** Output file, input file and seed. */
export interface ShrinkOrigin {
  readonly out: string;
  readonly from: string;
  readonly seed: string;
}

/** Returns the command that reproduces a file's failure. */
export function runsAgain(file: string, seed: string): string {
  return `quorumlab run ${shellQuoted(file)}${seed === DEFAULT_SEED ? "" : ` --seed ${seed}`}`;
}

/** Returns names and texts of the scenario file, a vitest file, and the nearest passing scenario if there is one. */
export function shrunkFiles(
  shrunk: Shrunk,
  search: NearestSearch,
  { out, from, seed }: ShrinkOrigin,
): readonly (readonly [string, string])[] {
  const { scenario, result, signature } = shrunk;
  const head = [
    ...result.reason.split("\n").slice(0, 8),
    ...nearestPassingText(search),
    `reproduce: ${runsAgain(out, shrunk.seed)}`,
    `made by: quorumlab shrink ${shellQuoted(from)} --seed ${seed}`,
  ];
  const name = `${signature.invariant}: ${countText(scenario.steps?.length ?? 0, "step")}, shrunk from ${basename(from)}`;
  const files: readonly (readonly [string, string])[] = [
    [out, scenarioText({ ...scenario, name }, head)],
    [beside(out, ".test.ts"), testText(basename(out), shrunk)],
  ];
  const { nearest: sibling } = search;
  return sibling === undefined ? files : [...files, [passingFile(out), passingText(sibling, search, out, name)]];
}

/** Returns the name of the passing scenario's file. */
export function passingFile(out: string): string {
  return beside(out, ".passing.yaml");
}

/** Describes the nearest passing scenario in lines. */
export function nearestPassingText({ nearest: sibling, runs }: NearestSearch): readonly string[] {
  if (sibling === undefined) return [`no single change of ${runs - 1} makes it pass`];
  const { edit: change, difference } = sibling;
  return [
    `passes if ${difference.text}`,
    ...(difference.firstSignature === undefined ? [] : [`first difference: ${difference.firstSignature}`]),
    `edit: ${change}`,
  ];
}

function passingText(sibling: NearestPassing, search: NearestSearch, out: string, name: string): string {
  const head = [`the nearest scenario to ${basename(out)} that passes`, ...nearestPassingText(search)];
  const again = `reproduce: ${runsAgain(passingFile(out), sibling.seed)}`;
  return scenarioText({ ...sibling.scenario, name: `nearest passing scenario of ${name}` }, [...head, again]);
}

function beside(out: string, suffix: string): string {
  return out.replace(/\.ya?ml$/i, "").concat(suffix);
}

function testText(file: string, { seed, signature, result }: Shrunk): string {
  return `/** ${comment(result.reason)} */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FILE = fileURLToPath(new URL(${JSON.stringify(`./${file}`)}, import.meta.url));

test(${JSON.stringify(`${file} keeps ${signature.invariant}`)}, () => {
  const { stdout } = spawnSync("npx", ["quorumlab", "run", FILE, "--seed", ${JSON.stringify(seed)}, "--json"], { encoding: "utf8" });
  const [run] = stdout.split("\\n").map((line) => JSON.parse(line || "{}"));
  expect(run).toMatchObject({ type: "run", verdict: "pass" });
});
`;
}

/** Returns the first line of a text, escaped for a comment. */
function comment(text: string): string {
  return (text.split("\n")[0] ?? "").replaceAll("*/", "* /");
}
