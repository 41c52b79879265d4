import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Every core: the default leaves one to the terminal, which on two cores is half of them.
    maxWorkers: "100%",
    // Properties run real simulations; a slow machine is no reason to fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
