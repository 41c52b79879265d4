import { defineConfig } from "vitest/config";

/** Depth of a call, which is vitest's mode. */
export type Depth = "test" | "nightly" | "soak";

declare module "vitest" {
  interface ProvidedContext {
    readonly depth: Depth;
  }
}

/**
 * Files that share no modules with others: two put something in place of a module or of what Node gives, one counts the
 * work of a process that has done none yet.
 */
const ALONE = [
  "test/server/host/fsync.test.ts",
  "test/server/websocket/session.test.ts",
  "test/properties/work-units.test.ts",
];

const NIGHTLY = "test/**/*.nightly.test.ts";

export default defineConfig(({ mode }) => {
  const depth = mode === "nightly" || mode === "soak" ? mode : "test";
  const exclude = ["**/node_modules/**", ...(depth === "test" ? [NIGHTLY] : [])];
  return {
    test: {
      // Every core: the default leaves one to the terminal, which on two cores is half of them.
      maxWorkers: "100%",
      // Work is bounded by numbers of runs: a slow machine is no reason to fail.
      testTimeout: 0,
      hookTimeout: 0,
      expect: { poll: { timeout: 600_000 } },
      provide: { depth },
      projects: [
        {
          extends: true,
          test: {
            name: "shared modules",
            include: ["test/**/*.test.ts"],
            exclude: [...exclude, ...ALONE],
            isolate: false,
          },
        },
        { extends: true, test: { name: "own modules", include: ALONE } },
      ],
    },
  };
});
