/** Protocol 9.1: the client of an operation that lost its nonce receives the winner, in the reply for its kind. */
import { expect, test } from "vitest";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { details, Stream } from "./support.ts";
import { ALICE, BOB, CAROL, hash, own, payment, setting, signed } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const Y = payment(ALICE, 0, CAROL, 1);
const CANCELLATION = signed("cancellation", ALICE, 0, {});
const superseded = (by: string): ClientReply => ({ status: "superseded", by: hash(by) });
const late = (by: string): ClientReply => ({
  status: "refused",
  refusal: { code: "business_decided_otherwise", nonce: 0 as never, by: hash(by) },
  disclosed: true,
});

/** Two payments and a cancellation compete for alice's first nonce, and x wins. */
function decided(byzantine: readonly string[] = []): Stream {
  const stream = new Stream(setting({ byzantine }))
    .submit("c", "x", X, "v1", false)
    .submit("c", "y", Y, "v2", false)
    .submit("c", "z", CANCELLATION, "v2", false);
  return stream.apply("v1", own("x", 0, X));
}

function found(stream: Stream): readonly string[] {
  return details(irreversibility(stream.setting), stream.end());
}

test("an operation is superseded, a cancellation is too late, and both replies name the winner", () => {
  expect(found(decided().reply("v1", "y", superseded("x")).reply("v1", "z", late("x")))).toEqual([]);
});

test("a too-late reply for an operation is found, and a superseded one for a cancellation", () => {
  expect(found(decided().reply("v1", "y", late("x")).reply("v1", "z", superseded("x")))).toEqual([
    expect.stringMatching(/too late after .*, but an operation is superseded/),
    expect.stringMatching(/superseded by .*, but a cancellation or a recovery is too late/),
  ]);
});

test("a reply that names another decision than that of its nonce is found", () => {
  expect(found(decided().reply("v1", "y", superseded("y")))).toEqual([expect.stringContaining("used its nonce")]);
  expect(found(decided().reply("v1", "z", late("y")))).toEqual([expect.stringContaining("used its nonce")]);
});

test("such a reply before any decision is found", () => {
  const early = new Stream(setting({})).submit("c", "y", Y, "v1", false).reply("v1", "y", superseded("x"));
  expect(found(early)).toEqual([expect.stringContaining("its nonce is unused")]);
});

test("a Byzantine validator's reply is not binding", () => {
  expect(found(decided(["v4"]).reply("v4", "y", superseded("y")))).toEqual([]);
});

test("a refusal for a used nonce names no winner", () => {
  const low: ClientReply = {
    status: "refused",
    refusal: { code: "business_nonce_too_low", expected: 1 as never, got: 0 as never },
    disclosed: false,
  };
  expect(found(decided().reply("v1", "y", low))).toEqual([]);
});
