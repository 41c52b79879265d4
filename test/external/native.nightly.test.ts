/** Every scenario file has the hash with native nodes that it has with our validators in this process. */
import { expect, test } from "vitest";
import { fittingFiles, MODULE, nativeNodes, PROCESS, runNative } from "./native-nodes.ts";

/** One of so many files is run by processes too. */
const BY_PROCESSES = 25;

test.each(fittingFiles("scenarios").map(([path, scenario], place) => [path, scenario, place] as const))(
  "%s",
  (_, scenario, place) => {
    const { hash, verdict } = runNative(scenario);
    const commands = place % BY_PROCESSES === 0 ? [MODULE, PROCESS] : [MODULE];
    for (const command of commands) {
      const native = runNative(scenario, nativeNodes(command));
      expect([native.hash, native.verdict]).toEqual([hash, verdict]);
    }
  },
);
