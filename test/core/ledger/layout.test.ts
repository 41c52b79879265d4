/** Layouts: what is signed, ids, and how networks spell it (wire 3). */

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { RLP } from "micro-eth-signer/core/rlp.js";
import { describe, expect, test } from "vitest";
import { encode, hex, text, toHex, uint } from "../../../src/core/base/encoding.ts";
import { type Address, type Hash, type Nonce, type Signature, toAddress } from "../../../src/core/base/ids.ts";
import {
  type BridgeMint,
  type Issue,
  LAYOUTS,
  type Layout,
  type Memo,
  type Operation,
  type OperationKind,
  ROLES,
  type SignedOperation,
} from "../../../src/core/base/operation.ts";
import { keccak } from "../../../src/core/crypto/hash.ts";
import {
  isEquivocation,
  operationId,
  paddedHash,
  recoveryId,
  submissionId,
  transactionHash,
} from "../../../src/core/ledger/identity.ts";
import {
  canonicalLayout,
  completeFields,
  digestOf,
  hasMemo,
  layoutFault,
  signedBytes,
} from "../../../src/core/ledger/layout.ts";
import { otherKindOf } from "../../../src/core/ledger/shared-digest.ts";
import {
  grantActionOf,
  listActionOf,
  listsOf,
  pauseActionOf,
  roleOf,
  SPELLINGS,
} from "../../../src/core/ledger/spelling.ts";
import { signedFields } from "../../../src/invariants/reference/operation-meaning.ts";
import {
  address,
  anyAddress,
  anyOldBridge,
  anyOperation,
  anySigned,
  anyV2Operation,
  CHAIN,
  type Draft,
  joinSignature,
  NO_SIGNATURE,
  signed,
} from "./support/operations.ts";
import { ALICE, BOB, batch, burn, COIN, list, mint, pay } from "./support/world.ts";

const TOKEN = address(0x7777);
const OTHER = address(0x8888);

/** Table of wire 3.9, written a second time as plain values for another RLP encoder. */
const TABLE: readonly (readonly [Draft, client: readonly unknown[], spec: readonly unknown[]])[] = [
  // holds: 105
  [{ kind: "payment", token: TOKEN, recipient: OTHER, value: 7n as never }, [OTHER, 7n, TOKEN], [OTHER, 7n, TOKEN]],
  // holds: 105
  [{ kind: "cancellation" }, [], []],
  // holds: 106
  [
    { kind: "issue", symbol: "EUR", name: "Euro", decimals: 2, masterAuthority: OTHER, isPrivate: true },
    ["EUR", "Euro", 2n, OTHER, 1n],
    ["Euro", "EUR", 2n, OTHER, 1n],
  ],
  // holds: 106
  [{ kind: "mint", token: TOKEN, recipient: OTHER, value: 7n as never }, [OTHER, 7n, TOKEN], [TOKEN, OTHER, 7n]],
  // holds: 106
  [{ kind: "burn", token: TOKEN, value: 7n as never }, [7n, TOKEN], [TOKEN, 7n]],
  // holds: 106
  [{ kind: "burn", token: TOKEN, value: 7n as never, recipient: OTHER }, [OTHER, 7n, TOKEN], [TOKEN, 7n, OTHER]],
  // holds: 107
  [
    { kind: "metadata", token: TOKEN, name: "n", uri: "u", additional: [["k", "v"]] },
    ["n", "u", TOKEN, [["k", "v"]]],
    [TOKEN, "n", "u", [["k", "v"]]],
  ],
  // holds: 107
  [
    { kind: "list", list: "blacklist", token: TOKEN, address: OTHER, action: "Add" },
    ["Add", OTHER, TOKEN],
    [TOKEN, OTHER, "Add"],
  ],
  // holds: 107
  [
    {
      kind: "authority",
      token: TOKEN,
      authorityAddress: OTHER,
      action: "Grant",
      authorityType: "MintTokens",
      value: 7n as never,
    },
    ["Grant", "MintTokens", OTHER, TOKEN, 7n],
    [TOKEN, OTHER, "Grant", "MintTokens", 7n],
  ],
  [
    { kind: "authority", token: TOKEN, authorityAddress: OTHER, action: "Revoke", authorityType: "Pause" },
    ["Revoke", "Pause", OTHER, TOKEN],
    [TOKEN, OTHER, "Revoke", "Pause", 0n],
  ],
  // holds: 107
  [{ kind: "pause", token: TOKEN, action: "Unpause" }, ["Unpause", TOKEN], [TOKEN, "Unpause"]],
];

/** Addresses as bytes, integers as integers, texts as their UTF-8. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "string") return value;
  return value.startsWith("0x") ? Uint8Array.from(Buffer.from(value.slice(2), "hex")) : new TextEncoder().encode(value);
}

describe("signing layouts", () => {
  // holds: 108
  test.each(TABLE)("$kind is signed as in the table", (draft, client, spec) => {
    const { operation } = signed(OTHER, 3, draft);
    const bytes = (fields: readonly unknown[]) => toHex(RLP.encode(plain([BigInt(CHAIN), 3n, ...fields]) as never));
    expect(toHex(signedBytes(operation))).toBe(bytes(client));
    expect(toHex(signedBytes({ ...operation, layout: "spec" }))).toBe(bytes(spec));
  });

  test("the oldest clients sign no pairs as the text 0x (wire 3.8, 4)", () => {
    const draft: Draft = { kind: "metadata", token: TOKEN, name: "n", uri: "u", additional: [] };
    const zero = Uint8Array.from([0x30, 0x78]);
    const operation = { ...signed(OTHER, 3, draft).operation, layout: "client-0x" } as Operation;
    const bytes = (first: readonly bigint[]) => {
      const texts = [plain("n"), plain("u"), plain(TOKEN), zero];
      return toHex(RLP.encode([...first, BigInt(CHAIN), 3n, ...texts] as never));
    };
    expect(toHex(signedBytes(operation))).toBe(bytes([]));
    expect(toHex(signedBytes({ ...operation, recentCheckpoint: 9 }))).toBe(bytes([9n]));
    expect(canonicalLayout(operation)).toBe("client-0x");
    expect(layoutFault("client-0x", operation)).toBeUndefined();
    const field = "additional_metadata";
    expect(layoutFault("client-0x", { ...operation, additional: [["k", "v"]] } as Operation)).toMatchObject({ field });
    expect(layoutFault("client-0x", signed(OTHER, 3, { kind: "cancellation" }).operation)).toMatchObject({ field });
    const memo = { type: "", format: "", data: "" };
    expect(layoutFault("client-0x", { ...operation, memo })).toMatchObject({ field: "memo" });
  });

  test("older bridges sign what they have, and have nothing else (wire 3.8, 1 and 2)", () => {
    fc.assert(
      fc.property(anyOldBridge, anyAddress, (operation, recipient) => {
        const { layout } = operation;
        expect(layoutFault(layout, operation)).toBeUndefined();
        expect(completeFields(layout, operation)).toEqual(operation);
        expect(canonicalLayout(operation)).toBe(layout);
        const memo = { type: "", format: "", data: "" };
        expect(layoutFault(layout, { ...operation, memo })).toMatchObject({ field: "memo" });
        const { operation: other } = signed(recipient, 0, { kind: "cancellation" });
        expect(layoutFault(layout, other)).toMatchObject({ field: "bridge_metadata" });
        const { bridgeMetadata: _, ...bare } = operation as BridgeMint;
        for (const one of ["client", "spec", "v2"] as const) expect(layoutFault(one, bare)).toBeDefined();
        if (layout === "client-flat") return;
        expect(layoutFault(layout, { ...operation, recentCheckpoint: 1 })).toMatchObject({
          field: "recent_checkpoint",
        });
        const texts = { bridgeMetadata: "", sourceTxHash: "0x5c0e", destinationAddress: `0x${"AB".repeat(20)}` };
        for (const [name, value] of Object.entries(texts))
          if (name in operation || name === "bridgeMetadata")
            expect(layoutFault(layout, { ...operation, [name]: value })?.code).toBe("validation_layout");
      }),
    );
  });

  test("no two operations of older bridges share a digest, nor one with an operation of another layout", () => {
    fc.assert(
      fc.property(anyOldBridge, fc.oneof(anyOldBridge, anyOperation, anyV2Operation), (operation, other) => {
        const isOne = operation.layout === other.layout && isDeepStrictEqual({ ...operation }, { ...other });
        expect(digestOf(operation) === digestOf(other)).toBe(isOne);
        expect(signedFields(operation) === signedFields(other)).toBe(isOne);
        for (const layout of LAYOUTS) {
          const again = completeFields(layout, { ...operation, layout } as Operation) as Operation;
          if (layout !== operation.layout && layoutFault(layout, again) === undefined)
            expect(digestOf(again)).not.toBe(digestOf(operation));
        }
      }),
    );
  });

  test("a memo wraps the list, and absent optional fields are left out", () => {
    const base: Issue = signed(OTHER, 3, TABLE[2]?.[0] as Draft).operation as Issue;
    const wrapped = RLP.encode(
      plain([
        [BigInt(CHAIN), 3n, "EUR", "Euro", 2n, OTHER, 1n, 1n],
        ["t", "", "d"],
      ]) as never,
    );
    const memo = { type: "t", format: "", data: "d" };
    expect(toHex(signedBytes({ ...base, memo, clawbackEnabled: true }))).toBe(toHex(wrapped));
    const { isPrivate: _, ...bare } = base;
    const short = RLP.encode(plain([BigInt(CHAIN), 3n, "Euro", "EUR", 2n, OTHER]) as never);
    expect(toHex(signedBytes({ ...bare, layout: "spec" }))).toBe(toHex(short));
  });

  test.each(["spec", "v2"] as const)("the layout %s signs no epoch and no checkpoint, so it has none", (layout) => {
    const { operation } = signed(OTHER, 3, TABLE[0]?.[0] as Draft);
    const bare = completeFields(layout, { ...operation, layout } as Operation) as Operation;
    for (const [recent, field] of [
      [{ recentEpoch: 1 }, "recent_epoch"],
      [{ recentCheckpoint: 1 }, "recent_checkpoint"],
    ] as const) {
      expect(layoutFault(layout, { ...bare, ...recent })).toMatchObject({ code: "validation_layout", field });
      expect(digestOf({ ...bare, ...recent })).toBe(digestOf(bare));
    }
  });

  test("version 2 signs every field that it has, and no other", () => {
    fc.assert(
      fc.property(anyV2Operation, (operation) => {
        expect(layoutFault("v2", operation)).toBeUndefined();
        for (const name of Object.keys(operation)) {
          if (["kind", "layout", "chainId", "nonce", "list"].includes(name)) continue;
          const { [name]: _, ...rest } = operation as Operation & Record<string, unknown>;
          if (name === "operationsHash" || name === "batchId") {
            expect(layoutFault("v2", rest as unknown as Operation)).toBeUndefined();
            continue;
          }
          expect(layoutFault("v2", rest as unknown as Operation)?.code).toBe("validation_layout");
        }
      }),
    );
    const { operation } = signed(OTHER, 0, { kind: "burn", token: TOKEN, value: 7n as never, recipient: OTHER });
    expect(layoutFault("v2", completeFields("v2", operation))).toMatchObject({ field: "recipient" });
    expect(layoutFault("spec", { ...operation, account: OTHER })).toMatchObject({ field: "authorization" });
    expect(layoutFault("client", { ...operation, account: OTHER })).toBeUndefined();
  });

  test("no two operations of both versions that differ in a field have one digest in version 2", () => {
    fc.assert(
      fc.property(anyV2Operation, fc.oneof(anyOperation, anyV2Operation), (operation, other) => {
        const isOne = operation.layout === other.layout && isDeepStrictEqual(operation, other);
        expect(digestOf(operation) === digestOf(other)).toBe(isOne);
        for (const layout of ["client", "client-json", "spec"] as const)
          expect(digestOf({ ...operation, layout })).not.toBe(digestOf(operation));
      }),
    );
  });

  test("two layouts with the same bytes are one", () => {
    fc.assert(
      fc.property(anyOperation, (operation) => {
        const [client, spec]: Operation[] = [
          { ...operation, layout: "client" },
          { ...operation, layout: "spec" },
        ];
        const isOne = digestOf(client as Operation) === digestOf(spec as Operation);
        expect(canonicalLayout(spec as Operation)).toBe(isOne ? "client" : "spec");
        expect(canonicalLayout(client as Operation)).toBe("client");
        const id = (operationInLayout: Operation) =>
          operationId({ operation: operationInLayout, sender: OTHER, signature: NO_SIGNATURE });
        expect(id(client as Operation) === id(spec as Operation)).toBe(isOne);
      }),
    );
  });

  test("three empty texts are a memo, but in version 2, which always signs one", () => {
    const { operation } = signed(OTHER, 0, TABLE[0]?.[0] as Draft);
    const [empty, given] = [
      { type: "", format: "", data: "" },
      { type: "", format: "", data: "x" },
    ];
    const has = (layout: Layout, memo?: Memo): boolean => hasMemo({ ...operation, layout, ...(memo && { memo }) });
    const layouts = ["client", "client-json", "spec", "v2"] as const;
    expect(layouts.map((layout) => has(layout))).toEqual([false, false, false, false]);
    expect(layouts.map((layout) => has(layout, empty))).toEqual([true, true, true, false]);
    expect(layouts.map((layout) => has(layout, given))).toEqual([true, true, true, true]);
  });

  test("a burn of as many units as its token's address encodes has one layout", () => {
    const token = toAddress(`0x${"ab".repeat(20)}`);
    const burn = signed(OTHER, 0, { kind: "burn", token, value: BigInt(token) as never }).operation;
    expect(canonicalLayout({ ...burn, layout: "spec" })).toBe("client");
  });
});

/** Every authority type of specification 6.3. */
const SEEN = [
  ["MasterMintBurn", "MasterMintBurn"],
  ["MasterMint", "MasterMintBurn"],
  ["MintBurnTokens", "MintBurnTokens"],
  ["MintTokens", "MintBurnTokens"],
  ["Burn", "MintBurnTokens"],
  ["Pause", "Pause"],
  ["ManageList", "ManageList"],
  ["Blacklist", "ManageList"],
  ["Whitelist", "ManageList"],
  ["UpdateMetadata", "UpdateMetadata"],
  ["Clawback", "Clawback"],
  ["Bridge", "Bridge"],
] as const;

describe("spellings", () => {
  // holds: 101
  test.each(SEEN)("%s means %s", (spelling, role) => expect(roleOf(spelling)).toBe(role));

  test("every role has a spelling, and there is no other spelling", () => {
    expect(SPELLINGS.role).toEqual(SEEN.map(([spelling]) => spelling));
    expect(new Set(SPELLINGS.role.map(roleOf))).toEqual(new Set(ROLES));
  });

  test("no spelling makes a master, and none is accepted in another letter case or as a property's name", () => {
    for (const text of ["Master", "MasterAuthority", "pause", "PAUSE", "", "constructor", "__proto__"]) {
      expect([
        roleOf(text),
        grantActionOf(text),
        pauseActionOf(text),
        listActionOf({ list: "blacklist", action: text }),
      ]).toEqual(Array(4).fill(undefined));
    }
  });

  // holds: 102
  test("actions", () => {
    expect(SPELLINGS.grant.map(grantActionOf)).toEqual(["grant", "revoke"]);
    expect(SPELLINGS.pause.map(pauseActionOf)).toEqual(["pause", "unpause"]);
    const meant = (action: string) =>
      (["blacklist", "whitelist"] as const).map((list) => listActionOf({ list, action }));
    expect(SPELLINGS.list.map((text) => [text, ...meant(text)])).toEqual([
      ["Add", "add", "add"],
      ["Remove", "remove", "remove"],
      ["Blacklist", "add", undefined],
      ["Whitelist", "remove", "add"],
    ]);
    expect([listsOf("Blacklist"), listsOf("Whitelist")]).toEqual([["blacklist"], ["whitelist", "blacklist"]]);
  });
});

describe("an operation's id", () => {
  test("does not depend on the signature", () => {
    fc.assert(
      fc.property(anySigned, anySigned, (a, b) => {
        expect(operationId({ ...a, signature: b.signature })).toBe(operationId(a));
      }),
    );
  });

  test("depends on kind, layout, sender and signed digest", () => {
    const mintOne = signed(ALICE, 0, mint(BOB, 5));
    const spec: SignedOperation = { ...mintOne, operation: { ...mintOne.operation, layout: "spec" } };
    const all: SignedOperation[] = [
      mintOne,
      spec,
      { ...mintOne, sender: BOB },
      signed(ALICE, 1, mint(BOB, 5)),
      signed(ALICE, 0, pay(BOB, 5)),
      signed(ALICE, 0, burn(5, BOB)),
      signed(ALICE, 0, list("blacklist", "Add", BOB)),
      signed(ALICE, 0, list("whitelist", "Add", BOB)),
    ];
    expect(new Set(all.map(operationId)).size).toBe(all.length);
  });
});

describe("a recovery's id", () => {
  test("is the published hash for either proof", () => {
    const id = recoveryId(CHAIN, ALICE, 4 as Nonce);
    expect(id).toBe(keccak(encode([text("recovery"), uint(CHAIN), hex(ALICE), uint(4)])));
    for (const value of [1, 2]) {
      const evidence = { first: signed(ALICE, 4, pay(BOB, value)), second: signed(ALICE, 4, pay(BOB, 9)) };
      expect(submissionId({ kind: "recovery", chainId: CHAIN, account: ALICE, nonce: 4 as Nonce, evidence })).toBe(id);
    }
  });
});

describe("a transaction hash", () => {
  test("names one copy, and writes r and s as integers", () => {
    const one = signed(ALICE, 0, pay(BOB, 5));
    const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;
    const signature: Signature = joinSignature(word(0x80), word(1), 1);
    const inner = [uint(CHAIN), uint(0), hex(BOB), uint(5), hex(COIN)];
    expect(transactionHash({ ...one, signature })).toBe(keccak(encode([inner, uint(1), uint(0x80), uint(1)])));
    expect(transactionHash({ ...one, signature })).not.toBe(transactionHash(one));
  });

  test("has a second spelling in version 1 where r or s begins with a zero byte", () => {
    const [full, short] = [`0x80${"00".repeat(31)}`, `0x007f${"ff".repeat(30)}`];
    const spellings = (fields: Draft, r: string, s: string): string | undefined =>
      paddedHash({ ...signed(ALICE, 0, fields), signature: joinSignature(r, s, 0) });
    expect(spellings(pay(BOB, 5), full, full)).toBeUndefined();
    const inner = [uint(CHAIN), uint(0), hex(BOB), uint(5), hex(COIN)];
    for (const [r, s] of [
      [short, full],
      [full, short],
    ] as const)
      expect(spellings(pay(BOB, 5), r, s)).toBe(keccak(encode([inner, uint(0), hex(r as Hash), hex(s as Hash)])));
    expect(spellings(batch([BOB, 5]), short, short)).toBeUndefined();
  });
});

describe("an equivocation", () => {
  const first = signed(ALICE, 4, pay(BOB, 1));
  const cancellation = signed(ALICE, 4, { kind: "cancellation" });

  test("is two digests of one sender, chain and nonce", () => {
    expect(isEquivocation(first, signed(ALICE, 4, pay(BOB, 2)))).toBe(true);
    expect(isEquivocation(first, signed(ALICE, 4, burn(2)))).toBe(true);
  });

  test.each([
    ["the same operation twice", first],
    ["one digest read as two kinds", signed(ALICE, 4, mint(BOB, 1))],
    ["another sender", signed(BOB, 4, pay(BOB, 2))],
    ["another nonce", signed(ALICE, 5, pay(BOB, 2))],
    ["another chain", { ...first, operation: { ...first.operation, chainId: 1 } }],
    ["a cancellation", cancellation],
  ])("is not %s", (_, second) => {
    expect(isEquivocation(first, second)).toBe(false);
    expect(isEquivocation(second, first)).toBe(false);
  });

  test("is symmetric", () => {
    fc.assert(
      fc.property(anySigned, anySigned, (a, b) => {
        expect(isEquivocation(a, b)).toBe(isEquivocation(b, a));
        expect(isEquivocation(a, a)).toBe(false);
      }),
    );
  });
});

const [recipient, token] = ["0x".padEnd(42, "1"), "0x".padEnd(42, "2")] as [Address, Address];
const numberOf = (text: string): bigint => BigInt(`0x${Buffer.from(text).toString("hex")}`);
const of = (kind: OperationKind, fields: object, layout: Layout = "client"): Operation =>
  ({ kind, layout, chainId: 1, nonce: 0 as Nonce, ...fields }) as unknown as Operation;

describe("a signed list of version 1", () => {
  const value = 5n;
  const moved = { recipient, value, token };

  // Each row with the other operation of equal digest, so that a form is never claimed without one.
  test.each<readonly [string, Operation, Operation]>([
    ["a mint and a payment", of("mint", moved), of("payment", moved)],
    ["a payment and a mint", of("payment", moved), of("mint", moved)],
    ["a burn from an account and a payment", of("burn", moved), of("payment", moved)],
    ["a burn and a pause", of("burn", { value: numberOf("Pause"), token }), of("pause", { action: "Pause", token })],
    [
      "a burn as the specification lists it and a payment of a token at the recipient's address",
      of("burn", { token, value, recipient }, "spec"),
      of("payment", { recipient: token, value, token: recipient }),
    ],
    [
      "a mint as the specification lists it and a change of a list",
      of("mint", { token, recipient, value: numberOf("Add") }, "spec"),
      of("list", { token, address: recipient, action: "Add", list: "blacklist" }, "spec"),
    ],
    [
      "a mint with a memo and a payment with it",
      of("mint", { ...moved, memo: { type: "a", format: "b", data: "c" } }),
      of("payment", { ...moved, memo: { type: "a", format: "b", data: "c" } }),
    ],
    [
      "a mint behind a checkpoint and a payment behind it",
      of("mint", { ...moved, recentCheckpoint: 7 }),
      of("payment", { ...moved, recentCheckpoint: 7 }),
    ],
  ])("has two kinds: %s", (_, operation, other) => {
    expect(digestOf(operation)).toBe(digestOf(other));
    expect(otherKindOf(operation)).toBeDefined();
  });

  test.each<readonly [string, Operation]>([
    ["a burn of one's own", of("burn", { value: 5n, token })],
    ["a mint as the specification lists it", of("mint", { token, recipient, value: 5n }, "spec")],
    ["a mint of version 2", of("mint", { ...moved, memo: { type: "", format: "", data: "" } }, "v2")],
    [
      "a change of metadata, whose pairs stand where a clawback signs its value",
      of("metadata", { name: "n".repeat(20), uri: "u".repeat(20), token, additional: [] }),
    ],
    ["a clawback", of("clawback", { token, from: recipient, recipient, value: 5n })],
    ["a cancellation", of("cancellation", {})],
  ])("has one kind: %s", (_, operation) => {
    expect(otherKindOf(operation)).toBeUndefined();
  });
});
