import { execFileSync } from "node:child_process";
import { resolve, sep } from "node:path";
import { defineConfig } from "vitest/config";

/** Depth of a call, which is vitest's mode. */
export type Depth = "test" | "nightly" | "soak";

declare module "vitest" {
  interface ProvidedContext {
    readonly depth: Depth;
  }
}

/**
 * Files that share no modules with others: four put something in place of a module or of what Node gives, one counts the
 * work of a process that has done none yet.
 */
const ALONE = [
  "test/backends.test.ts",
  "test/server/host/fsync.test.ts",
  "test/server/websocket/session.test.ts",
  "test/properties/work-units.test.ts",
  "test/search/fuzz/broken-harness.nightly.test.ts",
];

const NIGHTLY = "test/**/*.nightly.test.ts";

const SOURCES = resolve("src") + sep;
const COMPILED = resolve("dist-src") + sep;

/**
 * Tests import the sources as compiled modules, which Node itself loads: each use of an import of a module that vitest
 * transforms is a look into a record, which makes a run of a scenario a third slower.
 */
const compiledSources = {
  name: "compiled sources",
  enforce: "pre",
  config: () => {
    const compiler = ["node_modules/typescript-native/bin/tsc", "-p", "src", "--outDir", COMPILED];
    const options = [
      "--noCheck",
      "--sourceMap",
      "--inlineSources",
      ...["emitDeclarationOnly", "declaration", "incremental"].flatMap((name) => [`--${name}`, "false"]),
    ];
    execFileSync(process.execPath, [...compiler, ...options], { stdio: "inherit" });
  },
  resolveId: async function (
    this: { resolve: (id: string, from?: string, options?: object) => Promise<{ id: string } | null> },
    id: string,
    from: string | undefined,
  ) {
    if (from === undefined || from.startsWith(SOURCES) || id.startsWith("\0")) return;
    const found = await this.resolve(id, from, { skipSelf: true });
    if (!found?.id.startsWith(SOURCES) || !found.id.endsWith(".ts") || found.id.startsWith(`${SOURCES}page`)) return;
    return { id: COMPILED + found.id.slice(SOURCES.length).replace(/ts$/, "js") };
  },
} as const;

export default defineConfig(({ mode }) => {
  const depth = mode === "nightly" || mode === "soak" ? mode : "test";
  const exclude = ["**/node_modules/**", ...(depth === "test" ? [NIGHTLY] : [])];
  // To each project: what they extend is read again, without the mode.
  const provide = { depth } as const;
  return {
    test: {
      // Every core: the default leaves one to the terminal, which on two cores is half of them.
      maxWorkers: "100%",
      // Work is bounded by numbers of runs: a slow machine is no reason to fail.
      testTimeout: 0,
      hookTimeout: 0,
      expect: { poll: { timeout: 600_000 } },
      projects: [
        {
          extends: true,
          plugins: [compiledSources],
          test: {
            name: "shared modules",
            provide,
            include: ["test/**/*.test.ts"],
            exclude: [...exclude, ...ALONE],
            isolate: false,
            server: { deps: { external: [/[\\/]dist-src[\\/]/] } },
          },
        },
        { extends: true, test: { name: "own modules", provide, include: ALONE, exclude } },
      ],
    },
  };
});
