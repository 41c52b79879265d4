import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The example stands in README as its users would write it, and runs against the source. */
const alias = {
  "quorumlab/server": fileURLToPath(new URL("../src/server/network/start-network.ts", import.meta.url)),
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
          globalSetup: ["test/example/global-setup.ts"],
        },
      },
    ],
  },
});
