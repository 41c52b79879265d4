/** Release of held messages by the name of their rule, with other actions in between. */
import { expect, test } from "vitest";
import { sharedNetwork } from "./support.ts";

/** A rule of the file that speaks of an operation of the file. */
const SCENARIO = {
  name: "a rule from the start",
  genesis: { tokens: { USD: { decimals: 2, master: "issuer" } }, balances: { alice: { USD: "9" } } },
  steps: [
    { at: 0, hold: { rule: "file", kinds: ["vote"], of: "x" } },
    { at: 1, submit: { id: "x", payment: { from: "alice", to: "bob", token: "USD", value: "1" }, nonce: 0 } },
  ],
  expect: [{ final: "x" }],
};

const net = sharedNetwork({ scenario: { file: "held.json", text: JSON.stringify(SCENARIO) }, balance: "10" });

test("rules of a file and rules of the hour end by their names, and others are not known", async () => {
  await net.step({ hold: { rule: "mine", kinds: ["commit"], account: "carol" } });
  await net.step({ hold: { kinds: ["commit"], account: "dave" } });
  const unknown = await net.admin("step", { release: "yours" });
  expect(unknown).toMatchObject({ status: 422, body: { error_code: "admin_refused" } });
  const payment = { recipient: net.address("bob"), value: "1", token: net.token("USD") };
  const held = await net.client.send("payment", payment, net.key("carol"));
  await net.admin("advance", { ms: 3_000 });
  expect(await net.client.transaction(held.hash)).toMatchObject({ status: "pending" });
  expect(await net.client.nonce(net.address("alice"))).toBe(0);
  await net.step({ release: "mine" });
  await net.step({ release: "file" });
  await net.admin("advance", { ms: 3_000 });
  expect(await net.client.receiptNow(held.hash)).toMatchObject({ success: true });
  expect(await net.client.nonce(net.address("alice"))).toBe(1);
});
