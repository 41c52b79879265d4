/** Protocol 9.1: whoever lost a nonce is told to what, and in the words for its kind. */
import { expect, test } from "vitest";
import type { Answer } from "../../src/invariants/observation.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { details, Stream } from "./support.ts";
import { ALICE, BOB, CAROL, hash, own, payment, setting, signed } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const Y = payment(ALICE, 0, CAROL, 1);
const CANCELLATION = signed("cancellation", ALICE, 0, {});
const superseded = (by: string): Answer => ({ status: "superseded", by: hash(by) });
const late = (by: string): Answer => ({
  status: "refused",
  refusal: { code: "business_decided_otherwise", nonce: 0 as never, by: hash(by) },
  shown: true,
});

/** Two payments and a cancellation want alice's first nonce, and x gets it. */
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

test("an operation is superseded, a cancellation comes too late, and both hear by what", () => {
  expect(found(decided().reply("v1", "y", superseded("x")).reply("v1", "z", late("x")))).toEqual([]);
});

test("an operation that is told that it came too late is found, and a cancellation that is superseded", () => {
  expect(found(decided().reply("v1", "y", late("x")).reply("v1", "z", superseded("x")))).toEqual([
    expect.stringMatching(/too late after .*, but an operation is superseded/),
    expect.stringMatching(/superseded by .*, but a cancellation or a recovery is too late/),
  ]);
});

test("one that is told of another decision than that of its nonce is found", () => {
  expect(found(decided().reply("v1", "y", superseded("y")))).toEqual([expect.stringContaining("used its nonce")]);
  expect(found(decided().reply("v1", "z", late("y")))).toEqual([expect.stringContaining("used its nonce")]);
});

test("one that is told so before anything was decided is found", () => {
  const early = new Stream(setting({})).submit("c", "y", Y, "v1", false).reply("v1", "y", superseded("x"));
  expect(found(early)).toEqual([expect.stringContaining("its nonce is unused")]);
});

test("what a Byzantine validator says binds nobody", () => {
  expect(found(decided(["v4"]).reply("v4", "y", superseded("y")))).toEqual([]);
});

test("a refusal that its nonce is used is no word about a rival", () => {
  const low: Answer = {
    status: "refused",
    refusal: { code: "business_nonce_too_low", expected: 1 as never, got: 0 as never },
    shown: false,
  };
  expect(found(decided().reply("v1", "y", low))).toEqual([]);
});
