/** First epoch in which a validator without its disk may sign (protocol 11.3). */
import { describe, expect, it } from "vitest";
import type { Address, Epoch } from "../../../src/core/base/ids.ts";
import type { EpochQueryReply } from "../../../src/core/validator/message.ts";
import { FIRST_START_KEY } from "../../../src/core/validator/output.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, payment } from "./support/operations.ts";

const LOST = 3;

/** The last of N validators has lost its disk, and no message of it arrives. */
function lost(n = 4): Cluster {
  const of = new Cluster(n);
  of.begin();
  of.run(1_000);
  of.wipe(n - 1);
  of.cut = (from) => from === n - 1;
  of.restart(n - 1);
  of.run(of.now + 10);
  return of;
}

function answer(of: Cluster, from: number, parts: Partial<EpochQueryReply> = {}, to = LOST): void {
  const {
    sync: { incarnation },
  } = of.node(to);
  of.inject(from, to, { type: "epochQueryReply", incarnation, epoch: 0 as Epoch, isClosed: false, ...parts });
  of.run(of.now + 1);
}

const signsFrom = (of: Cluster, at = LOST): Epoch | undefined => of.node(at).sync.signsFrom;

describe("a validator without its disk may sign from the next epoch on", () => {
  it.each([
    // N - q + f + 1 others.
    [4, 3],
    [7, 5],
    [10, 7],
  ])("of %i once %i others have not closed this one", (n, needed) => {
    const of = lost(n);
    for (let from = 0; from < needed; from++) {
      expect(signsFrom(of, n - 1)).toBeUndefined();
      answer(of, from, {}, n - 1);
    }
    expect(signsFrom(of, n - 1)).toBe(1);
    expect(of.disks[n - 1]?.get(FIRST_START_KEY)).toEqual({ of: "birth", signsFrom: 1 });
  });

  it.each<[string, Partial<EpochQueryReply>]>([
    ["have closed it", { isClosed: true }],
    ["are in a later one", { epoch: 1 as Epoch }],
    ["answered before it started again", { incarnation: 0 }],
  ])("not by those that %s", (_, parts) => {
    const of = lost();
    for (const from of [0, 1, 2]) answer(of, from, parts);
    expect(signsFrom(of)).toBeUndefined();
  });

  it("not by one that answers three times", () => {
    const of = lost();
    for (const from of [0, 0, 0]) answer(of, from);
    expect(signsFrom(of)).toBeUndefined();
  });

  it("and queries until it knows, also after another crash", () => {
    const of = lost();
    of.restart(LOST);
    of.cut = () => false;
    of.run(of.now + 20_000);
    expect(signsFrom(of)).toBe(1);
    of.restart(LOST);
    of.run(of.now + 1_000);
    expect(signsFrom(of)).toBe(1);
    expect(of.coverage.get("signing epoch learned")).toBe(1);
  });

  it("and signs nothing in this one, for any request", () => {
    const of = lost();
    of.cut = () => false;
    of.submit(LOST, payment("alice", 0, "bob", 1n));
    of.run(of.now + 30_000);
    const self: Address = addressOf("v4");
    expect(of.signatures.filter(({ signer }) => signer === self)).toEqual([]);
  });
});
