/** The instrumented program: one bundle of what runs a scenario, in which each guard of the core has its number. */
import { readdirSync, readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { runScenario } from "../../../src/run/run.ts";
import type { createParser } from "../../../src/scenario/parse.ts";
import { type Guard, instrument } from "./find.ts";
import type * as Switch from "./switch.ts";

export interface Program {
  readonly runScenario: typeof runScenario;
  readonly createParser: typeof createParser;
  readonly guards: typeof Switch;
}

const SWITCH = resolve("tools/mutation/guards/switch.ts");
const CORE = /src[\\/]core[\\/].*\.ts$/;
const ENTRY = `
export { runScenario } from "./src/run/run.ts";
export { createParser } from "./src/scenario/parse.ts";
export * as guards from "./tools/mutation/guards/switch.ts";
`;

/** Paths of the core's files. */
export function coreFiles(): readonly string[] {
  const names = readdirSync("src/core", { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => `src/core/${name.replaceAll("\\", "/")}`);
}

/** Guards of the core in the order of paths and places, and the instrumented texts by path. */
export function instrumentCore(paths: readonly string[]): {
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
      onLoad({ filter: CORE }, ({ path }) => {
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
