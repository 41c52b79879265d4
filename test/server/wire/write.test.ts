import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Nonce } from "../../../src/core/base/ids.ts";
import { LAYOUTS, type Layout, type Operation } from "../../../src/core/base/operation.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { formFault } from "../../../src/core/ledger/check.ts";
import { digestOf } from "../../../src/core/ledger/layout.ts";
import { type BodyReading, candidatesOf } from "../../../src/server/wire/candidates.ts";
import { parseJson } from "../../../src/server/wire/json.ts";
import { readWrite } from "../../../src/server/wire/write.ts";
import { signatureFields } from "../../../src/server/wire/write-of.ts";
import { anyAddress, anyOldBridge, anyV1Operation } from "../../core/ledger/support/operations.ts";
import legacy from "../../vectors/legacy-v1.json" with { type: "json" };
import { A, B, type Body, bodyOf, pathOf, SOME_SIGNATURE, VALID } from "./support.ts";

function read(path: string, body: unknown): BodyReading {
  const result = readWrite(path, body);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function layouts({ operations }: BodyReading): readonly Layout[] {
  return operations.map(({ layout }) => layout);
}

/** Spellings of r and s, and of a parity (wire 3.5). */
const numbers = fc.constantFrom<(hex: string) => string>(
  (hex) => hex,
  (hex) => `0x${BigInt(hex).toString(16)}`,
  (hex) => `0x${hex.slice(2).toUpperCase()}`,
  (hex) => BigInt(hex).toString(),
);
const parities = fc.constantFrom<(v: number) => unknown>(
  (v) => v,
  (v) => v === 1,
  (v) => String(v),
  (v) => v + 27,
  (v) => String(v + 27),
);

describe("reading a body", () => {
  // holds: 37, 39, 106, 107
  test("gives back every operation, in each layout and spelling that it was signed in", () => {
    const layoutOf = fc.constantFrom<Layout>("client", "client-json", "spec");
    const key = legacy.signer.privateKey as PrivateKey;
    fc.assert(
      fc.property(
        anyV1Operation,
        layoutOf,
        numbers,
        parities,
        fc.boolean(),
        (drawn, layout, number, parity, isBare) => {
          const { memo, ...bare } = drawn;
          const operation = { ...(isBare ? bare : drawn), layout } as Operation;
          fc.pre(layout !== "client-json" || (operation.kind === "metadata" && operation.memo === undefined));
          const refusal = formFault({ ...operation, nonce: 0 as Nonce }, operation.chainId);
          fc.pre(refusal?.code !== "validation_layout");
          const signature = keyedHash.sign(key, digestOf(operation));
          const { r, s, v } = signatureFields(signature);
          const body = { ...bodyOf(operation), signature: { r: number(r), s: number(s), v: parity(v) } };
          const reading = read(pathOf(operation), body);
          expect(reading.operations.map(digestOf)).toContain(digestOf(operation));
          expect(reading.signature).toBe(signature);
          expect(reading.ignored).toEqual([]);
          expect(candidatesOf(reading, keyedHash).map(({ sender }) => sender)).toEqual([keyedHash.addressOf(key)]);
        },
      ),
      { numRuns: 600 },
    );
  });

  test("gives back an operation of a bridge as older clients sign it, with what is signed alone", () => {
    const key = legacy.signer.privateKey as PrivateKey;
    fc.assert(
      fc.property(anyOldBridge, (operation) => {
        const { r, s, v } = signatureFields(keyedHash.sign(key, digestOf(operation)));
        const hex = { source_tx_hash: "sourceTxHash", destination_address: "destinationAddress" };
        const upper = Object.entries(hex).flatMap(([member, name]) => {
          const value = (operation as unknown as Record<string, string>)[name];
          return value === undefined ? [] : [[member, `0x${value.slice(2).toUpperCase()}`]];
        });
        const more = { bridge_metadata: "unsigned", ...Object.fromEntries(upper) };
        const body = {
          ...bodyOf(operation),
          ...(operation.layout === "client-raw" ? more : {}),
          signature: { r, s, v },
        };
        const found = read(pathOf(operation), body).operations.filter(
          (other) => digestOf(other) === digestOf(operation),
        );
        expect(found).toEqual([operation]);
      }),
    );
  });

  test("gives the layouts of a bridge that a body allows", () => {
    const mint = VALID["/v1/tokens/bridge_and_mint"] as Body;
    const burn = VALID["/v1/tokens/burn_and_bridge"] as Body;
    expect(layouts(read("/v1/tokens/bridge_and_mint", mint))).toEqual(["client", "client-flat"]);
    const hash = { ...mint, source_tx_hash: `0x${"Ab".repeat(32)}` };
    expect(layouts(read("/v1/tokens/bridge_and_mint", hash))).toEqual(["client", "client-flat", "client-raw"]);
    expect(layouts(read("/v1/tokens/bridge_and_mint", { ...hash, memo: {} }))).toEqual(["client"]);
    expect(layouts(read("/v1/tokens/bridge_and_mint", { ...hash, recent_checkpoint: 1 }))).toEqual([
      ...["client", "client-flat"],
    ]);
    const { bridge_metadata: _, bridge_param: __, ...bare } = burn;
    for (const body of [bare, { ...bare, bridge_metadata: null, bridge_param: null }])
      expect(read("/v1/tokens/burn_and_bridge", body).operations).toMatchObject([
        { layout: "client", bridgeMetadata: "", bridgeParam: "0x" },
        { layout: "client-flat" },
        { layout: "client-raw", destinationAddress: bare["destination_address"] },
      ]);
  });

  test("names equal digests once, and the layouts in their order", () => {
    fc.assert(
      fc.property(anyV1Operation, (operation) => {
        const result = readWrite(pathOf(operation), { ...bodyOf(operation), signature: SOME_SIGNATURE });
        if (!result.ok) return expect(result.error.code).toBe("validation_layout");
        const digests = result.value.operations.map(digestOf);
        expect(digests.length).toBeGreaterThan(0);
        expect(new Set(digests).size).toBe(digests.length);
        const order: readonly Layout[] = LAYOUTS;
        const places = layouts(result.value).map((layout) => order.indexOf(layout));
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }),
    );
  });

  // holds: 25
  test("takes amounts as text and as JSON integers of any size", () => {
    const body = (value: string): string =>
      `{"chain_id":1,"nonce":0,"recipient":"${A}","token":"${B}","value":${value},"signature":{"r":"1","s":"1","v":0}}`;
    for (const digits of ["0", "1", "9007199254740993", String((1n << 256n) - 1n)]) {
      for (const value of [digits, `"${digits}"`]) {
        const parsed = parseJson(body(value));
        const reading = read("/v1/tokens/mint", parsed.ok ? parsed.value : undefined);
        expect(reading.operations[0]).toMatchObject({ value: BigInt(digits) });
      }
    }
  });

  test("serves the clients that name no allowance, and takes null for 0", () => {
    const { value: _, ...without } = VALID["/v1/tokens/grant_authority"] as Body;
    const absent = read("/v1/tokens/grant_authority", without);
    expect(absent.operations.map((operation) => [operation.layout, "value" in operation])).toEqual([
      ["client", true],
      ["client", false],
      ["spec", false],
    ]);
    expect(absent.operations[0]).toMatchObject({ value: 0n });
    const zero = read("/v1/tokens/grant_authority", { ...without, value: null });
    expect(zero.operations.map((operation) => [operation.layout, "value" in operation && operation.value])).toEqual([
      ["client", 0n],
      ["spec", 0n],
    ]);
  });

  test("takes null for no pairs of metadata, as some languages write an empty list", () => {
    const metadata = VALID["/v1/tokens/update_metadata"] as Body;
    const [none, empty] = [null, []].map((additional_metadata) =>
      read("/v1/tokens/update_metadata", { ...metadata, additional_metadata }),
    );
    expect(none?.operations).toEqual(empty?.operations);
  });

  test("leaves out the layouts in which a body cannot be signed", () => {
    const issue = VALID["/v1/tokens/issue"] as Body;
    const { is_private: _, clawback_enabled: __, ...bare } = issue;
    expect(layouts(read("/v1/tokens/issue", bare))).toEqual(["spec"]);
    expect(layouts(read("/v1/tokens/issue", { ...bare, is_private: true }))).toEqual(["client", "spec"]);
    expect(layouts(read("/v1/tokens/issue", { ...bare, is_private: true, clawback_enabled: true }))).toEqual([
      "client",
    ]);
    for (const more of [{ clawback_enabled: false }, { memo: {} }]) {
      const refused = readWrite("/v1/tokens/issue", { ...bare, ...more });
      expect(refused).toMatchObject({ ok: false, error: { status: 400, code: "validation_layout" } });
    }
    const metadata = VALID["/v1/tokens/update_metadata"] as Body;
    expect(layouts(read("/v1/tokens/update_metadata", metadata))).toEqual(["client", "client-json", "spec"]);
    expect(layouts(read("/v1/tokens/update_metadata", { ...metadata, memo: {} }))).toEqual(["client"]);
  });

  test("knows an empty memo from none", () => {
    const payment = VALID["/v1/transactions/payment"] as Body;
    expect(read("/v1/transactions/payment", { ...payment, memo: null }).operations[0]).not.toHaveProperty("memo");
    const empty = read("/v1/transactions/payment", { ...payment, memo: {} }).operations[0];
    expect(empty).toHaveProperty("memo", { type: "", format: "", data: "" });
  });

  // holds: 102
  test("takes the list from the path, and on the older paths from the action", () => {
    const list = VALID["/v1/tokens/managelist"] as Body;
    const listOf = (path: string, action: string): unknown =>
      (read(path, { ...list, action }).operations[0] as { list?: unknown }).list;
    expect(listOf("/v1/tokens/manage_blacklist", "Remove")).toBe("blacklist");
    expect(listOf("/v1/tokens/manage_whitelist", "Add")).toBe("whitelist");
    for (const path of ["/v1/tokens/managelist", "/v1/tokens/blacklist"]) {
      expect(listOf(path, "Blacklist")).toBe("blacklist");
      expect(listOf(path, "Whitelist")).toBe("whitelist");
      const { operations, digests } = read(path, { ...list, action: "Whitelist" });
      expect(operations.map((operation) => [operation.layout, (operation as { list?: unknown }).list])).toEqual([
        ["client", "whitelist"],
        ["spec", "whitelist"],
        ["client", "blacklist"],
        ["spec", "blacklist"],
      ]);
      expect(new Set(digests).size).toBe(2);
    }
  });

  test("names what it ignores", () => {
    const body = {
      ...(VALID["/v1/transactions/payment"] as Body),
      from: A,
      memo: { kind: 1 },
      'x"': 1,
      constructor: 1,
    };
    expect(read("/v1/transactions/payment", body).ignored).toEqual([
      "body.from",
      "body.memo.kind",
      'body["x\\""]',
      "body.constructor",
    ]);
  });
});

// holds: 23
test("addresses are read in any letter case", () => {
  const payment = VALID["/v1/transactions/payment"] as Body;
  fc.assert(
    fc.property(anyAddress, fc.infiniteStream(fc.boolean()), (address, upper) => {
      const digits = [...address.slice(2)].map((digit) => (upper.next().value ? digit.toUpperCase() : digit));
      const recipient = `0x${digits.join("")}`;
      expect(read("/v1/transactions/payment", { ...payment, recipient }).operations[0]).toMatchObject({
        recipient: address,
      });
    }),
  );
});
