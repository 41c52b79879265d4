/** Bound of the answers to one peer in a second; a later request is served (protocol 9.2). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Epoch } from "../../../src/core/base/ids.ts";
import { SERVED_PER_SECOND } from "../../../src/core/validator/limits.ts";
import { contentSize } from "../../../src/core/validator/mempool/budget.ts";
import type { Fetch, PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { decisionOn } from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";
import { Single, sent } from "./support/single.ts";

const CONTENT = contentOf(payment("alice", 0, "bob", 1n));
const SLOT = accountSlot("alice");
const FETCH: Fetch = { type: "fetch", epoch: 0 as Epoch, slots: [SLOT], values: [] };

const OFFER: PeerMessage = { type: "offer", slot: SLOT, content: CONTENT };

/** Validator that has served v2 almost all of a second's worth, and how many more answers fit. */
function almostServed(left: number): Single {
  const one = new Single(new Cluster(4).node(0));
  one.take(decisionOn(SLOT, CONTENT));
  const { served } = one.state.sync;
  one.take(FETCH, "v2");
  for (const [peer, last] of served.entries())
    served.set(peer, { ...last, size: SERVED_PER_SECOND - left * contentSize(CONTENT) });
  return one;
}

describe("a validator", () => {
  it.each<[string, PeerMessage]>([
    ["a fetch", FETCH],
    ["an offer in a decided slot", OFFER],
  ])(
    "answers %s of one peer no more in a second than the bound, of others meanwhile, and again in the next",
    (_, request) => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 4 }), (left, more) => {
          const one = almostServed(left);
          const answers = (from: string): number => sent(one.take(request, from), "decisions").length;
          const counts = Array.from({ length: left + more }, () => answers("v2"));
          expect(counts).toEqual([...Array(left).fill(1), ...Array(more).fill(0)]);
          expect(answers("v3")).toBe(1);
          one.at += 1_000;
          expect(answers("v2")).toBe(1);
        }),
      );
    },
  );
});
