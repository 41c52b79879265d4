import { expect, test } from "vitest";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { RecordingEntry } from "../../../src/live/recording.ts";
import { RealHost } from "../../../src/server/host/real-host.ts";
import { MemorySink } from "../../../src/server/host/state-file.ts";
import { HEAD, SETUP } from "../../live/support.ts";

test("what needs a past that is too long to be read is refused, and not recorded", () => {
  const entries: RecordingEntry[] = [];
  const files = { ...new MemorySink(HEAD).files, sizeFault: () => "expected a shorter recording" };
  const host = new RealHost({
    ...{ setup: SETUP, scheme: keyedHash, files },
    record: (entry) => void entries.push(entry),
    failed: (error) => {
      throw error;
    },
  });
  host.snapshot();
  const step = host.step({ byzantine: { node: "v4", strategy: "silence" } });
  const fault = (result: { ok: boolean; error?: string }): string | undefined => result.error;
  expect([host.reset(), host.revert("1"), step].map(fault)).toEqual([
    "reset: expected a shorter recording",
    "revert: expected a shorter recording",
    "byzantine: expected a shorter recording",
  ]);
  host.close();
  expect(entries.map(({ type }) => type)).toEqual(["snapshot", "verification"]);
});
