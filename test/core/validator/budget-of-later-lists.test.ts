/** Goal: what a proposer shows of slots that are not next stays within its budget, contents included (protocol 9.2). */
import { expect, it } from "vitest";
import type { Round, Version } from "../../../src/core/base/ids.ts";
import type { TokenSlot } from "../../../src/core/base/slot.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { PEER_BUDGET } from "../../../src/core/validator/limits.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { accountSlot, by, decisionOf, EPOCH, NAMES, proposerIn } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, idOf, mint, USD } from "./support/operations.ts";
import { Single } from "./support/single.ts";

const LEFT = 24;
const BYZANTINE = "v4";

it("keeps no lists of later versions of a token beyond the budget of their proposer", () => {
  const state = new Cluster(4).node(0);
  for (const name of NAMES)
    state.mempool.budgets.set(addressOf(name), { oldest: 0, next: 0, used: PEER_BUDGET - LEFT });
  const one = new Single(state);
  const slots = Array.from(
    { length: 400 },
    (_, at): TokenSlot => ({ kind: "token", token: USD, version: (at + 1) as Version }),
  );
  for (const [at, slot] of slots.filter((each) => proposerIn(each) === BYZANTINE).entries()) {
    const signed = mint("issuer", at, "bob", 1n);
    const content: Content = {
      value: { type: "list", ids: [idOf(signed)] },
      operations: [signed],
      certificates: [decisionOf(signed, accountSlot("issuer", at))],
    };
    const place = { epoch: EPOCH, slot, round: 0 as Round, value: valueHash(content.value) };
    const body = by(BYZANTINE, { type: "proposal", ...place, justification: [] });
    one.take({ type: "consensus", body, contents: [content], reason: undefined } as PeerMessage, BYZANTINE);
  }
  // 24 of room: records of 1 and contents of 6.
  expect(one.state.slots.contents.size).toBeLessThanOrEqual(LEFT);
  expect(one.state.slots.records.size).toBeLessThanOrEqual(LEFT);
});
