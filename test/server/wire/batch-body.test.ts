/** Bodies of batch payments: every member with what must not stand there, and what it is read as (wire 1.3, 3.2). */
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/server/wire/json.ts";
import { readWrite } from "../../../src/server/wire/write.ts";
import { A, B } from "./support.ts";

const PATH = "/v2/transactions/batch_payment";
const LEG = { recipient: A, amount: "5" };
const BODY = {
  ...{ chain_id: 1_212_101, nonce: 3, memo: { type: "", format: "", data: "" }, token: B },
  ...{ operations: [LEG, { recipient: B, amount: 7 }, LEG], created_at: 9 },
  authorization: { type: "single_secp256k1", signature: { r: "1", s: "1", v: 0 } },
};

const BAD: readonly (readonly [member: string, code: string, values: readonly unknown[]])[] = [
  ["operations", "validation_batch", [undefined, null, {}, "x", [], [1], [null], Array(257).fill(LEG)]],
  ["operations[1].recipient", "validation_address", [undefined, null, 1, "0x", `${A}0`]],
  ["operations[1].amount", "validation_amount", [undefined, null, -1, "-1", "0x5", "007", true, String(2n ** 256n)]],
  ["created_at", "validation_amount", [undefined, null, -1, 1.5, true, "x", "", "-1", "01"]],
  ["operations_hash", "validation_text", [null, 1, "0x0", "0xzz", "ab"]],
  ["batch_id", "validation_text", [null, 1, "\ud800"]],
  ["token", "validation_address", [undefined, null, "0x"]],
];

describe("the body of a batch", () => {
  test.each(BAD.flatMap(([member, code, values]) => values.map((value) => [member, value, code] as const)))(
    "%s: %j is refused",
    (member, value, code) => {
      const [, inLeg] = member.split(".");
      const leg = inLeg === undefined ? undefined : { ...LEG, [inLeg]: value };
      const changed = leg === undefined ? { [member]: value } : { operations: [LEG, leg] };
      const read = readWrite(PATH, JSON.parse(JSON.stringify({ ...BODY, ...changed })));
      expect(read).toMatchObject({ ok: false, error: { status: 400, code } });
      if (!read.ok) expect(read.error.message.startsWith(`body.${member.split("[")[0]}`)).toBe(true);
    },
  );

  test("is read member by member, whatever the order in which they stand", () => {
    const operation = {
      ...{ kind: "batch", layout: "v2", chainId: 1_212_101, nonce: 3, memo: BODY.memo, token: B, createdAt: 9n },
      legs: [LEG, { recipient: B, amount: 7 }, LEG].map(({ recipient, amount }) => ({
        recipient,
        amount: BigInt(amount),
      })),
    };
    expect(readWrite(PATH, BODY)).toMatchObject({ ok: true, value: { operations: [operation], ignored: [] } });
    const turned = Object.fromEntries(Object.entries(BODY).toReversed());
    const [first, second] = [BODY, turned].map((body) => readWrite(PATH, body));
    const membersOf = (read: typeof first): readonly string[] =>
      read?.ok === true ? Object.keys(read.value.operations[0] ?? {}) : [];
    expect(membersOf(first)).toEqual(membersOf(second));
  });

  test.each([
    ["the largest time as a bare number", '"created_at":18446744073709551615', { createdAt: 2n ** 64n - 1n }],
    [
      "a hash in upper case",
      `"created_at":1,"operations_hash":"0x${"AB".repeat(32)}"`,
      { operationsHash: `0x${"ab".repeat(32)}` },
    ],
    ["an empty name", '"created_at":1,"batch_id":""', { batchId: "" }],
  ])("may have %s", (_what, members, expected) => {
    const json = parseJson(JSON.stringify(BODY).replace('"created_at":9', members));
    expect(readWrite(PATH, json.ok ? json.value : undefined)).toMatchObject({
      ok: true,
      value: { operations: [expected] },
    });
  });
});
