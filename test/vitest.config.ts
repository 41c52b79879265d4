import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** The examples stand in README as their users would write them, and run against the source. */
const alias = {
  "quorumlab/server": source("server/network/start-network.ts"),
  "quorumlab/fast-check": source("fast-check.ts"),
  quorumlab: source("index.ts"),
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "quorumlab",
          include: ["test/**/*.test.ts"],
          exclude: ["test/example/**"],
          // Properties run real simulations; a slow machine is no reason to fail.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "example",
          include: ["test/example/**/*.test.ts"],
          testTimeout: 120_000,
          globalSetup: ["test/example/global-setup.ts"],
        },
      },
    ],
  },
});
