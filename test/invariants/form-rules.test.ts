/** Goal: the reference ledger and the program refuse the same operations for their form, whatever one field of them holds. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { AMOUNT_MAX } from "../../src/core/base/amount.ts";
import { LAYOUTS, type Operation } from "../../src/core/base/operation.ts";
import { formFault } from "../../src/core/ledger/check.ts";
import { formRefusals } from "../../src/invariants/reference/form-rules.ts";
import { anyOldBridge, anyOperation, anyV2Operation, CHAIN, NO_SIGNATURE } from "../core/ledger/support/operations.ts";
import { ALICE } from "./vocabulary.ts";

const NOBODY = `0x${"0".repeat(40)}`;
const MEMO = { type: "", format: "", data: "" };

const texts = fc.oneof(
  fc.constantFrom(
    "",
    "\n",
    "a",
    "\u00e9",
    "\ud800",
    "0x",
    "0xa",
    "0xAB",
    `0x${"ab".repeat(20)}`,
    `0x${"ab".repeat(32)}`,
  ),
  fc.constantFrom("Add", "Remove", "Blacklist", "Whitelist", "Grant", "Revoke", "Pause", "Unpause", "Burn", "Bridge"),
  fc
    .constantFrom(32, 64, 128, 256, 1_024, 2_048)
    .chain((size) => fc.constantFrom("a".repeat(size), "b".repeat(size + 1))),
  fc.constantFrom(2_048, 2_050).map((digits) => `0x${"0".repeat(digits)}`),
);
const numbers = fc.constantFrom(-1, 0, 0.5, 1, 18, 19, 255, 256, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1);
const amounts = fc.constantFrom(-1n, 0n, 1n, (1n << 64n) - 1n, 1n << 64n, AMOUNT_MAX, AMOUNT_MAX + 1n);
const memos = fc.record({ type: texts, format: texts, data: texts });

/** Another value for a member, of the type that it has. */
function valuesLike(value: unknown): fc.Arbitrary<unknown> {
  switch (typeof value) {
    case "string":
      return /^0x[0-9a-f]{40}$/.test(value as string) ? fc.constantFrom(ALICE, NOBODY) : texts;
    case "number":
      return numbers;
    case "bigint":
      return amounts;
    case "boolean":
      return fc.boolean();
    default:
      return Array.isArray(value) ? listsLike(value) : fc.constant(value);
  }
}

/** None, one of the items with another value in it, one twice, or one more often than any list allows. */
function listsLike(items: readonly unknown[]): fc.Arbitrary<unknown> {
  const [first] = items;
  if (first === undefined) return fc.constant([]);
  return fc.oneof(
    fc.constantFrom(
      [],
      [first, ...items],
      Array.from({ length: 257 }, () => first),
    ),
    alteredIn(first as object).map((one) => [one, ...items.slice(1)]),
  );
}

function alteredIn(one: object): fc.Arbitrary<object> {
  return fc
    .constantFrom(...Object.keys(one))
    .chain((name) => valuesLike((one as Record<string, unknown>)[name]).map((value) => [name, value] as const))
    .map(([name, value]) => (Array.isArray(one) ? one.with(Number(name), value) : { ...one, [name]: value }));
}

/** Members that a body spells otherwise, or not at all, if it holds something else. */
const FIXED: ReadonlySet<string> = new Set(["kind", "layout", "list", "chainId", "nonce"]);
const OPTIONAL = [
  ...["memo", "account", "recentEpoch", "recentCheckpoint", "isPrivate", "clawbackEnabled"],
  ...["bridgeMetadata", "bridgeParam", "operationsHash", "batchId"],
];

/** An operation that has another value in one member, or lacks it, or has another layout, account or memo. */
function altered(operation: Operation): fc.Arbitrary<Operation> {
  const rest = Object.fromEntries(Object.entries(operation).filter(([name]) => !FIXED.has(name)));
  const fields = Object.keys(rest).length === 0 ? fc.constant({}) : alteredIn(rest);
  const fewer = fc.constantFrom(...OPTIONAL).map((name) => ({ ...operation, [name]: undefined }));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(operation) },
    { weight: 6, arbitrary: fields.map((changed) => ({ ...operation, ...changed })) },
    { weight: 2, arbitrary: fewer },
    { weight: 2, arbitrary: fc.constantFrom(...LAYOUTS).map((layout) => ({ ...operation, layout })) },
    { weight: 1, arbitrary: memos.map((memo) => ({ ...operation, memo })) },
    { weight: 1, arbitrary: fc.constant({ ...operation, account: ALICE }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("0x", `0x${"a".repeat(64)}`).map((hash) => ({ ...operation, operationsHash: hash })),
    },
  ) as fc.Arbitrary<Operation>;
}

/** An operation with the memo that its layout has: half of those that are drawn, so that other faults show. */
function withFitMemo(operation: Operation): Operation {
  const { memo: _, ...bare } = operation;
  return (operation.layout === "v2" ? { ...bare, memo: MEMO } : bare) as Operation;
}

const operations = fc
  .oneof(
    { weight: 3, arbitrary: anyOperation },
    { weight: 4, arbitrary: anyV2Operation },
    { weight: 1, arbitrary: anyOldBridge },
  )
  .chain(altered)
  .chain(altered);

test("the form of an operation is refused by both or by none, and for a reason that both know", () => {
  const codes = new Map<string | undefined, number>();
  fc.assert(
    fc.property(operations, fc.boolean(), (drawn, isFit) => {
      const operation = { ...(isFit ? withFitMemo(drawn) : drawn), chainId: CHAIN, nonce: 0 } as unknown as Operation;
      const code = formFault(operation, CHAIN)?.code;
      const known = formRefusals({ operation, sender: operation.account ?? ALICE, signature: NO_SIGNATURE });
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code === undefined) expect(known).toEqual([]);
      else expect(known).toContain(code);
    }),
    { numRuns: 4_000 },
  );
  expect([...codes.keys()].sort()).toEqual([
    "validation_action",
    "validation_amount",
    "validation_batch",
    "validation_decimals",
    "validation_layout",
    "validation_signers",
    "validation_text",
    undefined,
  ]);
});
