import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Properties run real simulations; a slow machine is no reason to fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
