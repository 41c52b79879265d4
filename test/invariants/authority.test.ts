import { describe, expect, test } from "vitest";
import type { Role, SignedOperation } from "../../src/core/base/operation.ts";
import type { Change } from "../../src/invariants/observation.ts";
import { authority } from "../../src/invariants/oracles/authority/authority.ts";
import { type AppliedEffects, details, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  address,
  amount,
  BOB,
  CAROL,
  grant,
  hash,
  ISSUER,
  list,
  own,
  pause,
  payment,
  type SettingOptions,
  setting,
  signed,
  USD,
  usd,
} from "./vocabulary.ts";

function found(stream: Stream): readonly string[] {
  return details(authority(stream.setting), stream.end());
}

function fresh(token: SettingOptions["token"] = {}): Stream {
  return new Stream(setting({ token }));
}

const MINT = signed("mint", CAROL, 0, { token: USD, recipient: CAROL, value: amount(10) });
const success = (effects: AppliedEffects): AppliedEffects => ({
  ...effects,
  receipts: effects.receipts.map((receipt) => ({ ...receipt, success: true, error: undefined })),
});

/** The operation is authorised, listed, and successful at every node, against the rules. */
function forced(stream: Stream, sequence: number, version: number, operation: ReturnType<typeof pause>): Stream {
  return stream
    .settle("f", own("f", sequence, operation))
    .settle("f list", list(version, [["f", operation]]), { alter: success });
}

test("a mint without the role that takes effect is found at every node", () => {
  expect(found(forced(fresh(), 0, 0, MINT))).toHaveLength(4);
  expect(found(forced(fresh(), 0, 0, MINT))[0]).toContain("business_missing_role");
});

test("a mint beyond the allowance that takes effect is found", () => {
  const roles = [{ role: "MintBurnTokens" as Role, address: CAROL, allowance: amount(9) }];
  expect(found(forced(fresh({ roles }), 0, 0, MINT))[0]).toContain("business_allowance_exceeded");
});

test("a mint by the master mint-burn authority, which grants rights only, is found", () => {
  const roles = [{ role: "MasterMintBurn" as Role, address: CAROL, allowance: amount(0) }];
  expect(found(forced(fresh({ roles }), 0, 0, MINT))[0]).toContain("business_missing_role");
});

test("a sixth pause authority is found in the list's order and in the state shown", () => {
  const holders = ["a", "b", "c", "d", "e"].map((name) => ({
    role: "Pause" as Role,
    address: address(name),
    allowance: amount(0),
  }));
  const sixth = grant(ISSUER, 0, "Pause", address("f"), 0);
  const six = [...holders, { role: "Pause" as Role, address: address("f"), allowance: amount(0) }];
  const grown = (change: Change): Change =>
    change.of === "token" ? { ...change, after: { ...change.after, roles: six } } : change;
  const stream = fresh({ roles: holders }).settle("f", own("f", 0, sixth));
  stream.settle("f list", list(0, [["f", sixth]]), {
    alter: (effects) => success({ ...effects, changes: effects.changes.map(grown) }),
  });
  const details = found(stream).join("\n");
  expect(details).toContain("business_role_full");
  expect(details).toContain("6 addresses hold Pause of USD, at most 5 may");
});

test("a whitelist change on a public token that takes effect is found", () => {
  const operation = signed("list", ISSUER, 0, { list: "whitelist", token: USD, address: BOB, action: "Add" });
  expect(found(forced(fresh(), 0, 0, operation))[0]).toContain("business_list_kind");
});

test("the same effect is judged by its place: granted before it in one list it is right", () => {
  const first = grant(ISSUER, 0, "MintBurnTokens", CAROL, 10);
  const stream = fresh()
    .settle("g", own("g", 0, first))
    .settle("m", own("m", 0, MINT));
  stream.settle(
    "both",
    list(0, [
      ["g", first],
      ["m", MINT],
    ]),
  );
  expect(found(stream)).toEqual([]);
});

test("each node is judged by the lists that it applied itself, where several of one version exist", () => {
  const other = pause(ISSUER, 0);
  const granted = grant(ISSUER, 1, "MintBurnTokens", CAROL, 10);
  const judged = (...first: [string, SignedOperation]): readonly string[] =>
    found(
      fresh()
        .settle("p", own("p", 0, other))
        .settle("g", own("g", 1, granted))
        .settle("m", own("m", 0, MINT))
        .apply("v2", list(0, [["p", other]]))
        .apply("v1", list(0, [first]))
        .apply("v1", list(1, [["m", MINT]]), success),
    );
  expect(judged("g", granted)).toEqual([]);
  expect(judged("p", other)).toEqual([expect.stringContaining("at v1 mint 0x6d000000…")]);
});

test("a false content that is shown beside a final list is no part of the order of an honest node", () => {
  const granted = grant(ISSUER, 0, "MintBurnTokens", CAROL, 10);
  const [first, second] = [list(0, [["g", granted]]), list(1, [["m", MINT]])];
  const stream = new Stream(setting({ byzantine: ["v2", "v3", "v4"] }))
    .settle("g", own("g", 0, granted))
    .settle("m", own("m", 0, MINT))
    .content(hash("value g list"), { ...first, operations: [pause(ISSUER, 0)] })
    .commit(["v2", "v3", "v4"], first.slot, hash("value g list"))
    .apply("v1", first)
    .apply("v1", second);
  expect(found(stream)).toEqual([]);
});

test("a version that leaves one out is found", () => {
  const operation = pause(ISSUER, 0);
  const stream = fresh()
    .settle("p", own("p", 0, operation))
    .apply("v1", list(1, [["p", operation]]));
  expect(found(stream)).toEqual([expect.stringContaining("where version 0 is next")]);
});

const LATE = payment(ALICE, 0, BOB, 5);

test.each([
  ["a pause", pause(ISSUER, 0), LATE, "business_token_paused"],
  [
    "a blacklisting of the recipient",
    signed("list", ISSUER, 0, { list: "blacklist", token: USD, address: BOB, action: "Add" }),
    LATE,
    "business_blacklisted",
  ],
  [
    "a pause, as a burn",
    pause(ISSUER, 0),
    signed("burn", ISSUER, 1, { token: USD, value: amount(1) }),
    "business_token_paused",
  ],
])("an operation first submitted after %s was final is barred", (_what, restriction, late, code) => {
  const stream = fresh().submit("issuer", "p", restriction).govern("p", 0, 0, restriction);
  stream.submit("alice", "late", late);
  const slot = accountSlot(late.sender, late.operation.nonce);
  stream
    .content(hash("value late"), own("late", late.operation.nonce, late))
    .commit(["v1", "v2", "v3"], slot, hash("value late"));
  expect(found(stream)).toEqual([expect.stringContaining(code)]);
  expect(found(stream)[0]).toContain("since version 1 of USD");
});

test("an operation submitted before the pause was final may pass it", () => {
  const stop = pause(ISSUER, 0);
  const stream = fresh().submit("alice", "early", LATE).submit("issuer", "p", stop).govern("p", 0, 0, stop);
  stream.settle("early", own("early", 0, LATE));
  expect(found(stream)).toEqual([]);
});

test("an operation that waited until the pause was lifted may pass", () => {
  const [stop, go] = [pause(ISSUER, 0), pause(ISSUER, 1, "Unpause")];
  const stream = fresh().submit("issuer", "p", stop).govern("p", 0, 0, stop).submit("alice", "x", LATE);
  stream.govern("u", 1, 1, go).settle("x", own("x", 0, LATE));
  expect(found(stream)).toEqual([]);
});

test("a restriction on another account bars no one else", () => {
  const other = signed("list", ISSUER, 0, { list: "blacklist", token: USD, address: CAROL, action: "Add" });
  const stream = fresh()
    .govern("p", 0, 0, other)
    .submit("alice", "x", LATE)
    .settle("x", own("x", 0, LATE));
  expect(found(stream)).toEqual([]);
});

test("a payment is found in a token never unpaused, and from an address that a private token never knew", () => {
  expect(found(fresh({ isPaused: true }).settle("x", own("x", 0, LATE)))[0]).toContain("in every version of USD");
  expect(found(fresh({ isPrivate: true, whitelist: [BOB] }).settle("x", own("x", 0, LATE)))[0]).toContain(
    "business_not_whitelisted",
  );
  expect(usd().isPaused).toBe(false);
});

test("an operation without a submission is found when it becomes final, its signature unseen", () => {
  const made = fresh().settle("x", own("x", 0, LATE), { submitted: false });
  expect(found(made)).toEqual([expect.stringContaining("no client submitted it")]);
  expect(found(fresh().settle("x", own("x", 0, LATE)))).toEqual([]);
});

test("beyond f Byzantine validators the barrier is not checked", () => {
  const stream = new Stream(setting({ byzantine: ["v3", "v4"], token: { isPaused: true } })).settle(
    "x",
    own("x", 0, LATE),
  );
  expect(found(stream)).toEqual([]);
});

const MEMO = { type: "", format: "text/plain", data: "invoice 1" };
const NOTED: SignedOperation = { ...LATE, operation: { ...LATE.operation, memo: MEMO } };
const OTHERWISE: readonly (readonly [string, SignedOperation])[] = [
  ["memo", { ...LATE, operation: { ...LATE.operation, memo: { ...MEMO, data: "invoice 2" } } }],
  ["no memo", LATE],
  ["epoch that is signed first", { ...NOTED, operation: { ...NOTED.operation, recentEpoch: 0 } }],
  ["checkpoint that is signed first", { ...NOTED, operation: { ...NOTED.operation, recentCheckpoint: 0 } }],
  ["value", { ...NOTED, operation: { ...NOTED.operation, value: 99n } as SignedOperation["operation"] }],
  ["recipient", { ...NOTED, operation: { ...NOTED.operation, recipient: CAROL } as SignedOperation["operation"] }],
  ["kind", { ...NOTED, operation: { ...NOTED.operation, kind: "mint" } as SignedOperation["operation"] }],
  ["sender", { ...NOTED, sender: CAROL }],
];

describe("an id that stands for two operations, which differ in one part", () => {
  test.each(OTHERWISE)("%s: is found where the other one was submitted", (_, other) => {
    const shared = fresh()
      .submit("alice", "x", other)
      .settle("x", own("x", 0, NOTED));
    expect(found(shared)).toContainEqual(expect.stringContaining("this id stands for another operation too"));
  });

  test.each(OTHERWISE)("%s: is found where a validator applies the other one, which nobody submitted", (_, other) => {
    const altered = fresh()
      .submit("alice", "x", NOTED)
      .settle("x", own("x", 0, other), { submitted: false });
    expect(found(altered)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("this id stands for another operation too"),
        expect.stringContaining("no client submitted it"),
      ]),
    );
  });

  test("is told from a second id of one operation, which differs in its signature", () => {
    const again = { ...NOTED, signature: `0x${"11".repeat(65)}` } as SignedOperation;
    const twice = fresh()
      .submit("alice", "y", again)
      .settle("x", own("x", 0, NOTED), { submitted: false });
    expect(found(twice)).toEqual(expect.arrayContaining([expect.stringContaining("submitted under another id")]));
  });

  test("is none where only the signature differs", () => {
    const again = { ...NOTED, signature: `0x${"11".repeat(65)}` } as SignedOperation;
    expect(
      found(
        fresh()
          .submit("alice", "x", again)
          .settle("x", own("x", 0, NOTED)),
      ),
    ).toEqual([]);
  });
});
