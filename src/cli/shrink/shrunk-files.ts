/** What `shrink` writes: the scenario with a head that says what it shows, and a test that fails until that is mended. */

import { basename } from "node:path";
import { counted } from "../../invariants/words.ts";
import { DEFAULT_SEED } from "../../scenario/limits.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { Shrunk } from "../../search/shrink/shrink.ts";
import type { Search, Sibling } from "../../search/shrink/sibling.ts";
import { quoted } from "../quoted.ts";

/** Where it is written, and what it was made from. */
export interface Origin {
  readonly out: string;
  readonly from: string;
  readonly seed: string;
}

/** The command that shows a file's failure. */
export function runsAgain(file: string, seed: string): string {
  return `quorumlab run ${quoted(file)}${seed === DEFAULT_SEED ? "" : ` --seed ${seed}`}`;
}

/** Names and texts: the scenario file, a vitest file beside it, and the nearest scenario that passes, where there is one. */
export function shrunkFiles(
  shrunk: Shrunk,
  search: Search,
  { out, from, seed }: Origin,
): readonly (readonly [string, string])[] {
  const { scenario, result, place } = shrunk;
  const head = [
    ...result.reason.split("\n").slice(0, 8),
    ...siblingWords(search),
    `again: ${runsAgain(out, shrunk.seed)}`,
    `made by: quorumlab shrink ${quoted(from)} --seed ${seed}`,
  ];
  const name = `${place.invariant}: ${counted(scenario.steps?.length ?? 0, "step")}, shrunk from ${basename(from)}`;
  const files: readonly (readonly [string, string])[] = [
    [out, scenarioText({ ...scenario, name }, head)],
    [beside(out, ".test.ts"), testText(basename(out), shrunk)],
  ];
  const { sibling } = search;
  return sibling === undefined ? files : [...files, [passingFile(out), passingText(sibling, search, out, name)]];
}

/** Where the scenario that passes stands. */
export function passingFile(out: string): string {
  return beside(out, ".passing.yaml");
}

/** How near a failure is to none, a line each. */
export function siblingWords({ sibling, runs }: Search): readonly string[] {
  if (sibling === undefined) return [`none of ${runs - 1} single changes lets it pass`];
  const { change, difference } = sibling;
  return [
    `passes when ${difference.words}`,
    ...(difference.signed === undefined ? [] : [`then ${difference.signed}`]),
    `the change: ${change}`,
  ];
}

function passingText(sibling: Sibling, search: Search, out: string, name: string): string {
  const head = [`the nearest scenario to ${basename(out)} that passes`, ...siblingWords(search)];
  const again = `again: ${runsAgain(passingFile(out), sibling.seed)}`;
  return scenarioText({ ...sibling.scenario, name: `passes beside ${name}` }, [...head, again]);
}

function beside(out: string, suffix: string): string {
  return out.replace(/\.ya?ml$/i, "").concat(suffix);
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
