/**
 * What judges a mutant: the unit and property tests of the core, and in `worlds.mutation.ts` scenarios and drawn worlds
 * by their verdicts alone. No golden hash of a run is among them: any change at all would fail those, and show nothing.
 */
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Floods and long histories: what they show is bounded memory, and they take as long as all the others together. */
const LONG = ["byzantine", "prune", "queue", "restart"].map((name) => `test/core/validator/${name}.test.ts`);

/** The nearer to the code, the sooner: most mutants die early, and a run ends with the first failure. */
const ORDER = [
  /consensus\/(?!agreement)/,
  /ledger\/(?!checkpoint|codec)/,
  /core\/validator\//,
  /core\/consensus\/agreement/,
  /core\//,
  /mutation\//,
];

function rankOf({ moduleId }: TestSpecification): number {
  return ORDER.findIndex((place) => place.test(moduleId));
}

class Nearest extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    include: ["test/core/**/*.test.ts", "test/mutation/worlds.mutation.ts"],
    exclude: LONG,
    setupFiles: ["test/mutation/setup.ts"],
    sequence: { sequencer: Nearest },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
