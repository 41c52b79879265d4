import { describe } from "vitest";
import type { Role, SignedOperation } from "../../src/core/base/operation.ts";
import { authority, secondReadings } from "../../src/invariants/oracles/authority/authority.ts";
import { claim, closing, epochSlotOf, parametersOf } from "./closings.ts";
import { type Alteration, alterChange, alterReceipt, finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, ISSUER, USD } = v;

const find = finder(authority);
const fresh = (token: v.SettingOptions["token"] = {}, byzantine: readonly string[] = []): Stream =>
  new Stream(v.setting({ token, byzantine }));
const holder = (role: Role, name: string, allowance = 0) =>
  ({ role, address: name === "carol" ? CAROL : v.address(name), allowance: v.amount(allowance) }) as const;
const listing = (list: "blacklist" | "whitelist", account = BOB): SignedOperation =>
  v.signed("list", ISSUER, 0, { list, token: USD, address: account, action: "Add" });

const MINT = v.signed("mint", CAROL, 0, { token: USD, recipient: CAROL, value: v.amount(10) });
const M = ["m", MINT] as const;
const [STOP, GO] = [v.pause(ISSUER, 0), v.pause(ISSUER, 1, "Unpause")];
const [GRANT, LATER] = [0, 1].map((nonce) => v.grant(ISSUER, nonce, "MintBurnTokens", CAROL, 10)) as [
  typeof MINT,
  typeof MINT,
];
const SUCCESS = alterReceipt({ success: true, error: undefined });

/** The operation is authorised, listed, and successful at every node, against the rules. */
const forced = (operation: SignedOperation, stream = fresh(), alter: Alteration = SUCCESS): Stream =>
  stream.settleOwn("f", operation).settle("f list", v.list(0, [["f", operation]]), { alter });

const FIVE = ["a", "b", "c", "d", "e"].map((name) => holder("Pause", name));
const SIXTH = v.grant(ISSUER, 0, "Pause", v.address("f"), 0);
const six: Alteration = (effects) =>
  alterChange("token", ({ after }) => ({ after: { ...after, roles: [...FIVE, holder("Pause", "f")] } }))(
    SUCCESS(effects),
  );
const at = (count: number, words: string): readonly string[] => Array<string>(count).fill(words);

/** v1 applies these lists, and v2 only the pause, where all of them are authorised. */
const ownLists = (first: readonly ["g" | "p", SignedOperation]): Stream =>
  fresh()
    .settleOwn("p", STOP)
    .settleOwn("g", LATER)
    .settleOwn(...M)
    .apply("v2", v.list(0, [["p", STOP]]))
    .apply("v1", v.list(0, [first]))
    .apply("v1", v.list(1, [M]), SUCCESS);

/** A content with another operation is shown beside the list that v1 applies. */
function besideFalseContent(): Stream {
  const [first, second] = [v.list(0, [["g", GRANT]]), v.list(1, [M])];
  return fresh({}, ["v2", "v3", "v4"])
    .settleOwn("g", GRANT)
    .settleOwn(...M)
    .content(v.hash("value g list"), { ...first, operations: [STOP] })
    .commit(["v2", "v3", "v4"], first.slot, v.hash("value g list"))
    .apply("v1", first)
    .apply("v1", second);
}

describe("an effect against the rules is found:", () =>
  testRuns(find, [
    ["a mint without the role, at every node", () => forced(MINT), ...at(4, "business_missing_role")],
    [
      "a mint beyond the allowance",
      () => forced(MINT, fresh({ roles: [holder("MintBurnTokens", "carol", 9)] })),
      ...at(4, "business_allowance_exceeded"),
    ],
    [
      "a mint by the master mint-burn authority, which grants rights only",
      () => forced(MINT, fresh({ roles: [holder("MasterMintBurn", "carol")] })),
      ...at(4, "business_missing_role"),
    ],
    [
      "a sixth pause authority, in the list's order and in the state shown",
      () => forced(SIXTH, fresh({ roles: FIVE }), six),
      ...Array.from({ length: 4 }, () => ["6 addresses hold Pause of USD, at most 5 may", "business_role_full"]).flat(),
    ],
    ["a whitelist of a public token", () => forced(listing("whitelist")), ...at(4, "business_list_kind")],
    [
      "none where the grant comes before it in one list",
      () =>
        fresh()
          .settleOwn("g", GRANT)
          .settleOwn(...M)
          .settle("both", v.list(0, [["g", GRANT], M])),
    ],
    ["none by the lists that the node applied itself", () => ownLists(["g", LATER])],
    ["one by the node's own lists", () => ownLists(["p", STOP]), "at v1 mint 0x6d000000…"],
    ["none by a false content", () => besideFalseContent()],
    [
      "a version that leaves one out",
      () =>
        fresh()
          .settleOwn("p", STOP)
          .apply("v1", v.list(1, [["p", STOP]])),
      "where version 0 is next",
    ],
  ]));

const LATE = v.payment(ALICE, 0, BOB, 5);
const BURN = v.signed("burn", ISSUER, 1, { token: USD, value: v.amount(1) });

/** An operation that is first submitted after the restriction was final has the commits of a quorum. */
const barred = (restriction: SignedOperation, late = LATE): Stream =>
  fresh()
    .submit("issuer", "p", restriction)
    .govern("p", 0, 0, restriction)
    .submit("alice", "late", late)
    .content(v.hash("value late"), v.own("late", late.operation.nonce, late))
    .commit(["v1", "v2", "v3"], v.accountSlot(late.sender, late.operation.nonce), v.hash("value late"));

const stopped = (): Stream => fresh().submit("issuer", "p", STOP).govern("p", 0, 0, STOP);

describe("an operation is barred", () =>
  testRuns(find, [
    ["by a pause", () => barred(STOP), /business_token_paused since version 1 of USD/],
    ["by a blacklisting of the recipient", () => barred(listing("blacklist")), /business_blacklisted since version 1/],
    ["by a pause, as a burn", () => barred(STOP, BURN), /business_token_paused since version 1 of USD/],
    [
      "but not if it was submitted before",
      () => fresh().submit("alice", "x", LATE).submit("issuer", "p", STOP).govern("p", 0, 0, STOP).settleOwn("x", LATE),
    ],
    [
      "but not once the pause is lifted",
      () => stopped().submit("alice", "x", LATE).govern("u", 1, 1, GO).settleOwn("x", LATE),
    ],
    [
      "but not by a restriction on another account",
      () => fresh().govern("p", 0, 0, listing("blacklist", CAROL)).submit("alice", "x", LATE).settleOwn("x", LATE),
    ],
    ["by a token never unpaused", () => fresh({ isPaused: true }).settleOwn("x", LATE), "in every version of USD"],
    [
      "by a private token that never knew its sender",
      () => fresh({ isPrivate: true, whitelist: [BOB] }).settleOwn("x", LATE),
      "business_not_whitelisted",
    ],
    ["but not beyond f", () => fresh({ isPaused: true }, ["v3", "v4"]).settleOwn("x", LATE)],
    ["without a submission", () => fresh().settleOwn("x", LATE, { submitted: false }), "no client submitted it"],
    ["but not with one", () => fresh().settleOwn("x", LATE)],
  ]));

const MEMO = { type: "", format: "text/plain", data: "invoice 1" };
const altered = (fields: object): SignedOperation => ({
  ...LATE,
  operation: { ...NOTED.operation, ...fields } as never,
});
const NOTED: SignedOperation = { ...LATE, operation: { ...LATE.operation, layout: "client", memo: MEMO } };
const OTHERWISE: readonly (readonly [string, SignedOperation])[] = [
  ["memo", altered({ memo: { ...MEMO, data: "invoice 2" } })],
  ["no memo", LATE],
  ["epoch that is signed first", altered({ recentEpoch: 0, recentCheckpoint: 0 })],
  ["checkpoint that is signed first", altered({ recentCheckpoint: 0 })],
  ["value", altered({ value: 99n })],
  ["recipient", altered({ recipient: CAROL })],
  ["kind", altered({ kind: "mint" })],
  ["sender", { ...NOTED, sender: CAROL }],
];
const COPY = { ...NOTED, signature: `0x${"11".repeat(65)}` } as SignedOperation;
const TOO = "this id stands for another operation too";

describe("an id stands for one operation, not for two that differ in", () =>
  testRuns(find, [
    ...OTHERWISE.map(
      ([part, other]) =>
        [`${part}, submitted`, () => fresh().submit("alice", "x", other).settleOwn("x", NOTED), TOO] as const,
    ),
    ...OTHERWISE.map(
      ([part, other]) =>
        [
          `${part}, applied and submitted by nobody`,
          () =>
            fresh()
              .submit("alice", "x", NOTED)
              .settle("x", v.own("x", 0, other), { submitted: false }),
          "no client submitted it",
          TOO,
        ] as const,
    ),
    [
      "nothing, which are one operation under two ids",
      () => fresh().submit("alice", "y", COPY).settleOwn("x", NOTED, { submitted: false }),
      "submitted under another id",
    ],
    ["their signature, which are one operation", () => fresh().submit("alice", "x", COPY).settleOwn("x", NOTED)],
  ]));

const LARGER = { ...LATE, operation: { ...LATE.operation, value: v.amount(6) } } as SignedOperation;

describe("a signature that was submitted as two operations, in a served network,", () =>
  testRuns(finder(secondReadings), [
    [
      "is reported if the second takes effect, once",
      () => fresh().submit("alice", "x", LATE).settleOwn("y", LARGER),
      /^payment \S+ of \S+ took effect in .*, but its signature was submitted as payment \S+ before$/,
    ],
    [
      "is not reported if the first takes effect",
      () => fresh().submit("alice", "x", LATE).submit("alice", "y", LARGER).settleOwn("x", LATE),
    ],
  ]));

const higher = (stream: Stream) => ({
  ...parametersOf(stream.setting),
  fees: { default: v.HIGHER_FEES, tokens: new Map() },
});

/** v1 closes the epoch with higher fees, on a proposal with these members, after `build`. */
function proposed(
  build: (stream: Stream) => Stream,
  { same = true, ...other }: { chainId?: number; epoch?: number; same?: boolean } = {},
): Stream {
  const stream = build(fresh());
  const value = closing({ next: higher(stream) });
  const next = same ? value.next : parametersOf(stream.setting);
  const proposal = { chainId: stream.setting.genesis.chainId, epoch: 0, ...other, next } as never;
  return stream.closed("v1", v.hash("end"), value, { cause: { kind: "proposal", proposal } });
}
const WITHOUT = "v1 applied the closing of epoch 0 on a proposal without authority.*";

describe("who decides is changed by a proposal", () =>
  testRuns(find, [
    ["of the operator", () => proposed((s) => s.proposal("v2", higher(s)))],
    ["not of nobody", () => proposed((s) => s), new RegExp(`${WITHOUT}the operator signed no such proposal`)],
    [
      "not of somebody else",
      () => proposed((s) => s.proposal("v2", higher(s), { authentic: false })),
      new RegExp(`${WITHOUT}the operator signed no such proposal`),
    ],
    [
      "not for another epoch",
      () => proposed((s) => s.proposal("v2", higher(s), { epoch: 1 }), { epoch: 1 }),
      new RegExp(`${WITHOUT}it is for epoch 1`),
    ],
    ["not for another chain", () => proposed((s) => s, { chainId: 5 }), new RegExp(`${WITHOUT}it is for chain 5`)],
    [
      "not for other parameters",
      () => proposed((s) => s.proposal("v2", parametersOf(s.setting)), { same: false }),
      new RegExp(`${WITHOUT}it names other parameters`),
    ],
  ]));

/** Only a lock and a closing decide a pause. */
function lockedPause(stream: Stream): Stream {
  const decided = v.list(0, [["p", STOP]]);
  const listed = [[v.own("p", 0, STOP)], [decided, "p"]] as const;
  const value = closing({ next: parametersOf(stream.setting), listing: listed });
  return stream
    .submit("issuer", "p", STOP)
    .settleOwn("p", STOP, { submitted: false })
    .content(v.hash("value list"), decided)
    .vote(["v1", "v2", "v3"], decided.slot, v.hash("value list"))
    .close(stream.names(), [claim(decided.slot, v.hash("value list"), { locked: 0 })])
    .content(v.hash("end"), { value, operations: listed.flatMap(([one]) => one.operations) })
    .vote(stream.names(), epochSlotOf(0), v.hash("end"))
    .commit(["v1", "v2", "v3"], epochSlotOf(0), v.hash("end"));
}
const decidedLate = (stream: Stream): Stream =>
  stream
    .content(v.hash("late"), v.own("late", 0, LATE))
    .vote(stream.names(), v.accountSlot(ALICE, 0), v.hash("late"))
    .commit(stream.names(), v.accountSlot(ALICE, 0), v.hash("late"));

const MADE = v.payment(CAROL, 0, BOB, 1);
const DECIDED = v.own("x", 0, MADE);
const closedOver = (stream: Stream): Stream =>
  stream.turn([claim(DECIDED.slot, v.hash("value x"), { locked: 0 })], {
    listing: [[DECIDED, "x"]],
    brings: [DECIDED],
  });

describe("what a closing decides", () =>
  testRuns(find, [
    [
      "bars later submissions, though no node has applied it",
      () => decidedLate(lockedPause(fresh()).submit("alice", "late", LATE)),
      "barred by business_token_paused since version 1 of USD",
    ],
    ["bars no earlier submission", () => decidedLate(lockedPause(fresh().submit("alice", "late", LATE)))],
    ["may have been submitted", () => closedOver(fresh().submit("carol", "x", MADE))],
    ["needs a submission", () => closedOver(fresh()), "but no client submitted it"],
    [
      "after it was final is judged once",
      () =>
        fresh()
          .settleOwn("x", MADE, { submitted: false })
          .turn([], { listing: [[DECIDED, "x"]] }),
      "but no client submitted it",
    ],
  ]));
