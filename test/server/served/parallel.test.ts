/** Equal gifts and sends at the same time: each has a nonce of its own, and none is lost or doubled. */
import { expect, test } from "vitest";
import { send as sendTo } from "./send.ts";
import { type Json, sharedNetwork } from "./support.ts";

const net = sharedNetwork({}, "each");

const balance = (name: string) => net.client.balance(net.address(name), net.token());
const numbers = (count: number) => Array.from({ length: count }, (_one, at) => at);

const send = async (line: string): Promise<Json> => JSON.parse(await sendTo(`${line} --json`, net.served.url)) as Json;

test("forty equal gifts at two validators are forty mints", async () => {
  const before = await balance("heidi");
  const urls = [...net.served.urls.values()];
  const given = await Promise.all(
    numbers(40).map(async (at) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"address":"heidi"}' };
      return (await (await fetch(`${urls[at % 2]}/faucet`, init)).json()) as Json;
    }),
  );
  expect(new Set(given.map(({ hash }) => hash)).size).toBe(40);
  expect(await balance("heidi")).toBe(before + 40n * 100_000_000n);
});

test("twenty equal sends of one account at once are twenty payments, and gifts beside them are not lost", async () => {
  const [paid, given] = [await balance("bob"), await balance("carol")];
  const gift = JSON.stringify({ address: "carol", value: "1" });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: gift };
  const [sends, mints, gifts] = await Promise.all([
    Promise.all(numbers(20).map(() => send("payment --from alice --to bob --token USDX --value 2"))),
    Promise.all(numbers(5).map(() => send("faucet --to carol --token USDX --value 1"))),
    Promise.all(numbers(5).map(async () => (await (await fetch(`${net.served.url}/faucet`, init)).json()) as Json)),
  ]);
  expect(sends.map(({ status }) => status)).toEqual(numbers(20).map(() => "final"));
  expect(sends.map(({ nonce }) => nonce as number).sort((a, b) => a - b)).toEqual(numbers(20));
  expect(new Set([...mints, ...gifts].map(({ hash }) => hash)).size).toBe(10);
  expect(await balance("bob")).toBe(paid + 20n * 2_000_000n);
  expect(await balance("carol")).toBe(given + 10n * 1_000_000n);
});
