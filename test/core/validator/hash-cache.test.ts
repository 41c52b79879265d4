/** Order in which the slots that closes show can be replayed, without those that cannot (protocol 6.3). */
import { expect, it } from "vitest";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import type { LedgerSlot, ListedDecision } from "../../../src/core/base/slot.ts";
import { copiesOf } from "../../../src/core/validator/content.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";

const { environment, ledger } = new Cluster(4).node(0);

function part(
  slot: LedgerSlot,
  signed: SignedOperation,
): ListedDecision & { readonly operations: readonly SignedOperation[] } {
  const { value } = contentOf(signed);
  return { slot, value: value as ListedDecision["value"], copies: copiesOf([signed]), operations: [signed] };
}

const FIRST = part(accountSlot("alice"), payment("alice", 0, "bob", 900n));
const SECOND = part(accountSlot("alice", 1), payment("alice", 1, "carol", 1n));
const FUNDED_LATER = part(accountSlot("bob"), payment("bob", 0, "carol", 1_500n));

it("is by sequence and by funds, each slot as early as it can be", () => {
  const order = [FIRST, FUNDED_LATER, SECOND];
  expect(environment.hashes.inOrder(ledger, [FUNDED_LATER, SECOND, FIRST])).toEqual([FIRST, FUNDED_LATER, SECOND]);
  expect(environment.hashes.replay(ledger, order, [...order.flatMap(({ operations }) => operations)]).outcome).toBe(
    "replayed",
  );
});

it.each([
  ["whose earlier slot is not shown", part(accountSlot("carol", 1), payment("carol", 0, "bob", 1n))],
  ["that nobody can pay", part(accountSlot("carol"), payment("carol", 0, "bob", 10_000n))],
  ["with the operation of another account", part(accountSlot("carol"), payment("bob", 0, "carol", 1n))],
  ["with a nonce after the next", part(accountSlot("carol"), payment("carol", 1, "bob", 1n))],
])("leaves out a slot %s", (_, one) => {
  expect(environment.hashes.inOrder(ledger, [one, FIRST])).toEqual([FIRST]);
  expect(environment.hashes.inOrder(ledger, [FIRST, one])).toEqual([FIRST]);
});
