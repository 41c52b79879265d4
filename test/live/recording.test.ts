import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PublicKey, Signature } from "../../src/core/base/ids.ts";
import type { Submission } from "../../src/core/base/operation.ts";
import { encodeMultisig } from "../../src/core/ledger/multisig.ts";
import { RECORDING_FORMAT, type RecordingEntry, readRecording } from "../../src/live/recording.ts";
import { anySigned, anyV2Operation } from "../core/ledger/support/operations.ts";
import { payment, textOf } from "./support.ts";

const entries: readonly RecordingEntry[] = [0, 10, 20, 30].map((at) => ({
  type: "verification",
  at,
  steps: at * 2,
  hash: "0x1",
}));
const TEXT = textOf(entries);
const LINES = TEXT.split("\n");

describe("a recording's text", () => {
  test("reads back", () => {
    const read = readRecording(TEXT);
    expect(read).toMatchObject({ ok: true, value: { entries, bytes: TEXT.length } });
  });

  test("loses no whole line when its tail is torn off anywhere", () => {
    const head = (LINES[0]?.length ?? 0) + 1;
    fc.assert(
      fc.property(fc.integer({ min: head, max: TEXT.length }), (length) => {
        const read = readRecording(TEXT.slice(0, length));
        const whole = TEXT.slice(0, length).split("\n").length - 2;
        expect(read.ok && read.value.entries).toEqual(entries.slice(0, whole));
      }),
    );
  });

  test("is refused where a line was changed, or one before the last left out or moved", () => {
    const changed = LINES.slice(0, -1).map((line, at) => LINES.toSpliced(at, 1, line.replace('"', '"x')).join("\n"));
    const without = LINES.toSpliced(2, 1).join("\n");
    const moved = LINES.toSpliced(1, 2, LINES[2] ?? "", LINES[1] ?? "").join("\n");
    for (const text of [...changed, without, moved]) {
      const read = readRecording(text);
      expect(read.ok ? "" : read.error).toMatch(/^line [1-5]: its checksum is [0-9a-f]{16}, expected [0-9a-f]{16}/);
    }
  });

  test.each([
    ["", "line 1: expected the head"],
    ["name: x\n", "line 1: expected a JSON object that ends in a checksum"],
    [TEXT.slice(0, 20), "line 1: it has no end"],
  ])("of something else says what was expected: %j", (text, message) => {
    const read = readRecording(text);
    expect(read.ok ? "" : read.error).toContain(message);
  });

  test("of another format says which", () => {
    const other = textOf([]).replace(`"format":${RECORDING_FORMAT}`, '"format":1');
    const read = readRecording(other);
    expect(read.ok ? "" : read.error).toMatch(/^line 1/);
  });
});

describe("a submission in a recording", () => {
  const [one, two] = [payment("alice", 0), payment("alice", 0, "dave")];
  const { chainId, nonce } = one.operation;
  const recovery = {
    kind: "recovery",
    chainId,
    account: one.sender,
    nonce,
    evidence: { first: one, second: two },
  } as const;
  const submitted = (submission: Submission): RecordingEntry => ({
    type: "input",
    at: 7,
    input: { type: "submit", node: "v1", submission },
  });

  test("is plain JSON with amounts as decimal text, and reads back as it was", () => {
    const inputs = [one, recovery].map(submitted);
    const text = textOf(inputs);
    const [first, second] = [one, two].map((signed) => ({ ...signed, operation: { ...signed.operation, value: "5" } }));
    const written = text
      .split("\n")
      .slice(1, 3)
      .map((line) => JSON.parse(line).input.submission);
    expect(written).toEqual([first, { recovery: { chainId, account: one.sender, nonce }, first, second }]);
    const read = readRecording(text);
    expect(read.ok && read.value.entries).toEqual(inputs);
  });

  test("reads back as it was, whatever its kind and layout", () => {
    fc.assert(
      fc.property(anySigned, anyV2Operation, (signed, inV2) => {
        const inputs = [signed, { ...signed, operation: inV2 }].map(submitted);
        const read = readRecording(textOf(inputs));
        expect(read.ok && read.value.entries).toEqual(inputs);
      }),
    );
  });

  test("keeps the signatures of a multisig account", () => {
    const keys = ["02", "03"].map((sign) => `0x${sign}${"11".repeat(32)}` as PublicKey);
    const signers = keys.map((key) => ({ key, weight: 1 }));
    const signature = encodeMultisig({
      ...{ signers, threshold: 2 },
      signatures: keys.map((key) => ({ key, signature: one.signature as Signature })),
    });
    const inputs = [submitted({ ...one, signature })];
    const read = readRecording(textOf(inputs));
    expect(read.ok && read.value.entries).toEqual(inputs);
    expect(readRecording(textOf([submitted({ ...one, signature: "0x12" as Signature })])).ok).toBe(false);
  });

  test("with a malformed amount is refused, and its line is named", () => {
    const operation = { ...one.operation, value: "five" } as never;
    const malformed = submitted({ ...one, operation });
    const read = readRecording(textOf([submitted(one), { toJSON: () => malformed } as never]));
    expect(read).toEqual({ ok: false, error: 'line 3: input.submission.operation.value: expected amount, got "five"' });
  });
});
