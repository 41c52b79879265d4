/** Protocol 7.14: a client is told the outcome that was applied, once it is applied, and nothing else afterwards. */
import { describe } from "vitest";
import type { Receipt } from "../../src/core/base/refusal.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { answers } from "../../src/invariants/oracles/answers.ts";
import { finder, PENDING, refused, Stream, testRuns } from "./support.ts";
import { ALICE, accountSlot, amount, BOB, hash, payment, receiptOf, setting, USD } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const RECEIPT = receiptOf("x", accountSlot(ALICE, 0), 1);
const final = (change: Partial<Receipt> = {}): ClientReply => ({ status: "final", receipt: { ...RECEIPT, ...change } });
const LATE = refused({ code: "business_nonce_too_low", expected: 1 as never, got: 0 as never });
const FAILED = { success: false, error: { code: "business_token_paused", token: USD } } as const;

const submitted = (byzantine: readonly string[] = []): Stream =>
  new Stream(setting({ byzantine })).submitPending("c", "x", X);
const applied = (byzantine: readonly string[] = []): Stream => submitted(byzantine).applyOwn("v1", "x", X);
const told = (answer: ClientReply, node = "v1"): Stream => applied().reply(node, "x", answer);
const FORGOTTEN = { type: "forgotten", slots: [], values: [], operations: [hash("x")], upTo: 1 } as const;

/** Two clients asked, v1 has told one of them, and time passes. */
const waiting = (build: (stream: Stream) => Stream = (stream) => stream): Stream =>
  build(applied().ask("v1", "x", "bob").reply("v1", "x", final())).later(10_000);

describe("found is", () =>
  testRuns(finder(answers), [
    ["no receipt that was applied", () => told(final())],
    [
      "another fee",
      () => told(final({ fee: amount(0) })),
      /success with fee 0, but honest validators applied success with fee 1/,
    ],
    ["a fee in another token", () => told(final({ feeToken: BOB })), /with fee 1 of .*, but honest validators applied/],
    ["another bridge nonce", () => told(final({ bridgeNonce: 1 })), /that its bridge nonce is 1, but .* applied none/],
    ["another outcome", () => told(final(FAILED)), /failure business_token_paused with fee 1/],
    ["another operation's receipt", () => told(final({ id: hash("y") })), /the receipt of/],
    [
      "another slot",
      () => told(final({ slot: "account/elsewhere/0" as never })),
      /that it is final in .*, but it was applied in/,
    ],
    [
      "a receipt before any application",
      () => submitted().reply("v1", "x", final()),
      "that it is final, but nobody applied it",
    ],
    [
      "the receipt of a node which lags behind another",
      () => told(final()).ask("v2", "x").reply("v2", "x", final()),
      "that it is final, but has not applied it",
    ],
    ["refused for applied", () => told(LATE), /that it is refused.*, but had applied it/],
    ["pending for applied", () => told(PENDING), /that it is pending.*, but had applied it/, "never told client alice"],
    ["superseded for applied", () => told({ status: "superseded", by: hash("y") }), /superseded.*, but had applied it/],
    ["void for applied", () => told({ status: "void", epoch: 0 as never }), /that it is void.*, but had applied it/],
    [
      "nothing where one that is settled is told so, and another node lags behind",
      () => told({ status: "settled" }).ask("v2", "x").reply("v2", "x", LATE),
    ],
    [
      "settled for what takes effect afterwards",
      () =>
        submitted()
          .ask("v2", "x")
          .reply("v2", "x", { status: "settled" })
          .applyOwn("v1", "x", X)
          .reply("v1", "x", final()),
      /v2 told the client of .* that it is settled, before anybody had applied it/,
    ],
    [
      "nothing where its nonce was used by another operation",
      () => submitted().reply("v1", "x", { status: "settled" }),
    ],
    [
      "nothing after a crash",
      () => applied().push({ type: "crashed", node: "v1" }).ask("v1", "x").reply("v1", "x", PENDING),
    ],
    [
      "a response to a client that has not asked",
      () => told(final()).reply("v2", "x", PENDING),
      "it is pending, unasked",
    ],
    [
      "nothing about an old operation",
      () =>
        applied()
          .push(FORGOTTEN)
          .reply("v1", "x", LATE)
          .reply("v2", "x", final({ fee: amount(9) })),
    ],
    [
      "a last response that nobody asked for again",
      () => told(final()).reply("v1", "x", final()),
      "a second time that it is final",
    ],
    ["no last response to each submission", () => told(final()).ask("v1", "x").reply("v1", "x", final())],
    ["a client that is never told", () => waiting(), /^v1 applied .* and never told client bob$/],
    ["no client that is told", () => waiting((stream) => stream.reply("v1", "x", final(), "bob"))],
    [
      "no client whose reply waits for a write, although it asks again meanwhile",
      () =>
        waiting((stream) => stream.makeReply("v1", "x", "bob"))
          .ask("v1", "x", "bob")
          .reply("v1", "x", final(), "bob"),
    ],
    [
      "a client that asks again since it was not told",
      () => waiting().ask("v1", "x", "bob").reply("v1", "x", final(), "bob"),
      /^v1 applied .* and never told client bob$/,
    ],
    ["no client of a node that crashes", () => waiting((stream) => stream.push({ type: "crashed", node: "v1" }))],
    [
      "no word of a Byzantine node",
      () =>
        applied(["v4"])
          .reply("v1", "x", final())
          .reply("v4", "x", final({ fee: amount(9) })),
    ],
  ]));
