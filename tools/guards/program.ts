/** The instrumented program: one bundle of all that runs a scenario, with a number for each guard and each report. */
import { readdirSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { runScenario } from "../../src/run/run.ts";
import type { createParser } from "../../src/scenario/parse.ts";
import { type Guard, instrument } from "./find.ts";
import type * as Switch from "./switch.ts";

export interface Program {
  readonly runScenario: typeof runScenario;
  readonly createParser: typeof createParser;
  readonly guards: typeof Switch;
}

const SWITCH = resolve("tools/guards/switch.ts");
const JUDGED = /src[\\/](?:core|invariants)[\\/].*\.ts$/;
/** Files of oracles, without their catalogue and the texts about a stall, which follow a report. */
const ORACLES = /^(?:evidence|history|oracles|reference)\/(?!stall-)/;
const ENTRY = `
export { runScenario } from "./src/run/run.ts";
export { createParser } from "./src/scenario/parse.ts";
export * as guards from "./tools/guards/switch.ts";
`;

/** Paths of the files of the core and of the oracles. */
export function judgedFiles(): readonly string[] {
  return [
    ...filesOf("src/core"),
    ...filesOf("src/invariants").filter((path) => ORACLES.test(path.split("/").slice(2).join("/"))),
  ];
}

function filesOf(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

/** Guards and reports in the order of paths and places, and the instrumented texts by path. */
export function instrumentAll(paths: readonly string[]): {
  guards: readonly Guard[];
  texts: ReadonlyMap<string, string>;
} {
  const guards: Guard[] = [];
  const texts = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const made = instrument(path, readFileSync(path, "utf8"), SWITCH, guards.length);
    guards.push(...made.guards);
    texts.set(path, made.text);
  }
  return { guards, texts };
}

/** Bundles into `outfile` and loads it. */
export async function loadProgram(texts: ReadonlyMap<string, string>, outfile: string): Promise<Program> {
  const instrumented = {
    name: "guards",
    setup: ({ onLoad }: { onLoad: (on: { filter: RegExp }, load: (file: { path: string }) => unknown) => void }) => {
      onLoad({ filter: JUDGED }, ({ path }) => {
        const contents = texts.get(relative(process.cwd(), path).replaceAll("\\", "/"));
        return contents === undefined ? undefined : { contents, loader: "ts" };
      });
    },
  };
  await build({
    plugins: [instrumented as never],
    stdin: { contents: ENTRY, resolveDir: ".", loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    logLevel: "warning",
  });
  return (await import(pathToFileURL(outfile).href)) as Program;
}
