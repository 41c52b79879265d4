import type { Address } from "../../src/core/base/ids.ts";
import { conservation } from "../../src/invariants/oracles/conservation.ts";
import { type Alteration, alterChange, finder, Stream, testRuns } from "./support.ts";
import { ALICE, amount, BOB, ISSUER, list, own, payment, setting, signed, USD } from "./vocabulary.ts";

const PAYMENT = payment(ALICE, 0, BOB, 100);
const fresh = (): Stream => new Stream(setting());
const minted = (): Stream => fresh().govern("m", 0, 0, mint(0, 50));
const mint = (nonce: number, value: number) =>
  signed("mint", ISSUER, nonce, { token: USD, recipient: BOB, value: amount(value) });
const burn = signed("burn", ISSUER, 1, { token: USD, value: amount(0) });

const shifted = (by: bigint, address: Address = BOB): Alteration =>
  alterChange("balance", (change) => (change.address === address ? { after: amount(change.after + by) } : {}));
const moved: Alteration = (effects) => shifted(-7n, ALICE)(shifted(7n)(effects));
const unreceipted: Alteration = (effects) => ({ ...effects, receipts: [] });
const atV2 = (alter: Alteration) => (effects: Parameters<Alteration>[0], node: string) =>
  node === "v2" ? alter(effects) : effects;
const SEVEN = alterChange("token", ({ after }) => ({ after: { ...after, minted: amount(7) } }));

/** One more mint, listed at all nodes; each shows that 7 were minted. */
const counted = (): Stream =>
  minted()
    .settleOwn("n", mint(1, 1))
    .settle("n list", list(1, [["n", mint(1, 1)]]), { alter: SEVEN });

testRuns(finder(conservation), [
  [
    "a recipient credited once too much, at the node that did it",
    () => fresh().settleOwn("x", PAYMENT, { alter: atV2(shifted(100n)) }),
    /v2.*changed by 200, but the receipts explain 100/,
    /v2.*USD is not conserved/,
  ],
  [
    "money moved against the receipts",
    () => fresh().applyOwn("v1", "x", PAYMENT, moved),
    /by -108, .* explain -101/,
    /by 107, .* explain 100/,
  ],
  ["changes without a receipt", () => fresh().applyOwn("v1", "x", PAYMENT, unreceipted), /by /, /by /, /by /],
  [
    "a broken sum once, not after every later slot",
    () =>
      fresh()
        .applyOwn("v1", "x", PAYMENT, shifted(1n))
        .apply("v1", own("y", 1, payment(ALICE, 1, BOB, 5))),
    "the receipts explain",
    "not conserved",
  ],
  [
    "nothing in mints, burns and a restart from genesis",
    () => minted().settleOwn("b", burn).crash("v1").restart("v1").applyOwn("v1", "x", PAYMENT),
  ],
  ["a count of minted tokens that does not follow the receipts", counted, ...Array<string>(4).fill("shows 7 minted")],
]);
