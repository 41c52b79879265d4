/** Every member of every body, with everything that must not stand there. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Field, FieldType } from "../../../src/core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { WRITES } from "../../../src/server/wire/schemas/bodies.ts";
import { readWrite } from "../../../src/server/wire/write.ts";
import { A, type Body, HEAD, VALID } from "./support.ts";

const NO_ADDRESS = ["", "0x", A.slice(2), `${A}0`, `0X${A.slice(2)}`, `0x${"g".repeat(40)}`, 7, null];
const NO_INTEGER = ["1", -1, 1.5, null, true, "9007199254740993"];
const NO_AMOUNT = [
  "",
  "-1",
  -1,
  "+1",
  "007",
  "0x5",
  "1e3",
  "1.0",
  " 1",
  "9".repeat(79),
  String(1n << 256n),
  true,
  [],
  {},
  1.5,
];
const NO_TEXT = [1, null, true, [], "\ud800", "a\udc00b"];
const NO_NUMBER = [
  "",
  "0x",
  "0",
  0,
  "-1",
  `0x${"f".repeat(65)}`,
  "0x0",
  "01",
  null,
  {},
  "0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
];
const HIGH_S = "0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1";

/** Values that must not stand there, and the code of the refusal. */
type Malformed = readonly [code: string, values: readonly unknown[]];

/** By the type of a field. */
const OF_TYPE: Readonly<Partial<Record<FieldType, Malformed>>> = {
  address: ["validation_address", NO_ADDRESS],
  amount: ["validation_amount", NO_AMOUNT],
  chain: ["validation_text", NO_INTEGER],
  count: ["validation_decimals", [...NO_INTEGER, 19]],
  flag: ["validation_body", ["true", 1, null]],
  hex: ["validation_text", ["", "00", "0x0", "0xzz", 1]],
  pairs: ["validation_text", [{}, "[]", [1], [{ key: "k" }], [{ key: 1, value: "" }], [{ key: "\ud800", value: "" }]]],
  text: ["validation_text", NO_TEXT],
};

/** Text of a closed set of words. */
const NO_WORD: Malformed = ["validation_action", ["add", "", 1, null, "grant", "pause"]];

function malformed({ type, spellings, nullable }: Field): Malformed {
  const [code, values] = spellings === undefined ? (OF_TYPE[type] as Malformed) : NO_WORD;
  return [code, nullable ? values.filter((value) => value !== null) : values];
}

const FIELDS: readonly Field[] = OPERATION_KINDS.flatMap((kind) =>
  KINDS[kind].version1 !== undefined ? [] : Object.values<Field>(KINDS[kind].fields),
);

/** By member. */
const BAD: Readonly<Record<string, Malformed>> = {
  ...Object.fromEntries(FIELDS.map((field) => [field.wire, malformed(field)])),
  chain_id: ["validation_chain_id", NO_INTEGER],
  nonce: ["validation_nonce", NO_INTEGER],
  recent_epoch: ["validation_layout", NO_INTEGER],
  recent_checkpoint: ["validation_layout", NO_INTEGER],
  memo: ["validation_text", [1, "text", [], { type: 1 }, { data: null }, { format: "\ud800" }]],
  signature: [
    "validation_signature",
    [
      null,
      "0x",
      [],
      {},
      { r: "1", s: "1" },
      ...NO_NUMBER.flatMap((n) => [
        { r: n, s: "1", v: 0 },
        { r: "1", s: n, v: 0 },
      ]),
      { r: "1", s: HIGH_S, v: 0 },
      ...[2, -1, "2", "0x1", 26, 29, null, "true", 1.5].map((v) => ({ r: "1", s: "1", v })),
    ],
  ],
};

const ERA = ["recent_epoch", "recent_checkpoint"];

/** Returns true for a member that a body of the path may leave out. */
function isOptional(path: string, member: string): boolean {
  const fields = Object.values<Field>(KINDS[(WRITES[path] as (typeof WRITES)[string]).kind].fields);
  return ["memo", ...ERA].includes(member) || fields.some(({ wire, optional }) => wire === member && optional === true);
}

describe("a malformed body", () => {
  // holds: 103
  test("has a path of the table", () => {
    const paths = Object.keys(WRITES).filter((path) => path.startsWith("/v1/"));
    expect(Object.keys(VALID)).toEqual(paths);
    for (const path of paths) expect(readWrite(path, VALID[path]).ok).toBe(true);
  });

  const cases = Object.entries(VALID).flatMap(([path, body]) =>
    [...Object.keys(body), "memo", ...ERA].map((member): [string, string] => [path, member]),
  );

  // holds: 22, 95, 99, 100
  test.each(cases)("%s refuses every malformed %s, and names it", (path, member) => {
    const [code, values] = BAD[member] as (typeof BAD)[string];
    for (const value of values) {
      const refused = readWrite(path, { ...VALID[path], [member]: value });
      expect([value, refused]).toEqual([
        value,
        { ok: false, error: { status: 400, code, message: expect.anything() } },
      ]);
      if (refused.ok) continue;
      expect(refused.error.message).toMatch(new RegExp(`^body\\.${member}(\\[0\\])?(\\.\\w+)?: expected .*, got `));
      expect(refused.error.message.length).toBeLessThan(300);
    }
    if (isOptional(path, member)) return;
    const { [member]: _, ...without } = VALID[path] as Body;
    expect(readWrite(path, without)).toMatchObject({
      ok: false,
      error: { code, message: expect.stringMatching(`^body.${member}: expected .*, got nothing$`) },
    });
  });

  test.each(ERA)("is one of version 2 with what only version 1 signs: %s", (member) => {
    const path = "/v2/transactions/payment";
    const authorization = { type: "single_secp256k1", signature: { r: "1", s: "1", v: 0 } };
    const { signature: _, ...payment } = VALID["/v1/transactions/payment"] as Body;
    const body = { ...payment, memo: { type: "", format: "", data: "" }, authorization };
    expect(readWrite(path, body)).toMatchObject({ ok: true });
    const message = `body.${member}: version 2 does not sign it: expected none`;
    const refused = readWrite(path, { ...body, [member]: 5 });
    expect(refused).toEqual({ ok: false, error: { status: 400, code: "validation_layout", message } });
  });

  test("is one of a path that takes no writes", () => {
    for (const path of ["/v1/tokens", "constructor", "__proto__", ""]) expect(readWrite(path, HEAD).ok).toBe(false);
  });

  test("never throws, whatever stands in it", () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc.constantFrom(
        "0x",
        "0x0",
        `0x${"0".repeat(64)}`,
        "-0",
        "1e999",
        "\ud800",
        Number.NaN,
        Number.POSITIVE_INFINITY,
        1n,
        "",
      ),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(WRITES)),
        fc.dictionary(fc.constantFrom(...Object.keys(BAD), "r", "s", "v"), hostile),
        (path, changes) => {
          const results = [
            readWrite(path, changes),
            readWrite(path, { ...VALID[path], ...changes }),
            readWrite(path, changes["memo"]),
          ];
          for (const result of results) if (!result.ok) expect(result.error.message).toMatch(/^(body|path)/);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
