/** Many requests: no error, no leak, and no client waits for the requests of another. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import autocannon from "autocannon";
import { beforeAll, expect, test } from "vitest";
import { jsonText } from "../client/signing.ts";
import { pay } from "./settle.ts";
import { sharedNetwork } from "./support.ts";

const MEGABYTE = 1_048_576;

const net = sharedNetwork({ "checkpoint-interval": "300" });
let collect: () => void;
beforeAll(() => {
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as () => void;
});

function heapUsed(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("ten thousand reads and reposts are answered, and leave nothing behind", async () => {
  const { hash, body, path } = await pay(net, "alice");
  const [address, token] = [net.address("alice"), net.token()];
  const reads = [
    ...["/v1/chains/chain_id", "/v1/checkpoints/number", "/v1/governances/epoch", "/api/status", "/api/health"],
    ...[`/v1/accounts/nonce?address=${address}`, `/v1/accounts/token_account?address=${address}&token=${token}`],
    ...[`/v1/tokens/token_metadata?token=${token}`, `/v1/accounts/nonce?address=${address}&min_receipt=${hash}`],
    ...["by_hash", "receipt/by_hash", "finalized/by_hash"].map((read) => `/v1/transactions/${read}?hash=${hash}`),
  ];
  const json = { "content-type": "application/json" };
  const repost = { method: "POST" as const, path, headers: json, body: jsonText(body) };
  const requests = [...reads.map((read) => ({ method: "GET" as const, path: read })), repost];
  const five = async (): Promise<void> => {
    const done = await autocannon({ url: net.served.url, connections: 20, amount: 5_000, requests });
    expect([done.errors, done.timeouts, done.non2xx, done["2xx"]]).toEqual([0, 0, 0, 5_000]);
  };
  await five();
  const before = heapUsed();
  await five();
  expect(heapUsed() - before).toBeLessThan(8 * MEGABYTE);
  expect(await net.client.nonce(address)).toBe(1);
});

test("a flood of far nonces is refused without a trace, and others' payments become final meanwhile", async () => {
  const FLOOD = 5_000;
  const [payment, key] = [{ recipient: net.address("bob"), value: "5", token: net.token() }, net.key("carol")];
  const chainId = 31_337;
  const bodies: string[] = [];
  for (let nonce = 2; nonce < FLOOD + 2; nonce++) {
    bodies.push(jsonText((await net.client.prepare("payment", payment, key, { chainId, nonce })).body));
  }
  const before = heapUsed();
  const statuses = new Map<string, number>();
  let next = 0;
  const flood = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
      const { status, body: reply } = await net.client.request("POST", "/v1/transactions/payment", body);
      const answer = `${status} ${(reply as { readonly error_code?: string }).error_code}`;
      statuses.set(answer, (statuses.get(answer) ?? 0) + 1);
    }
  };
  let isOver = false;
  const flooding = Promise.all(Array.from({ length: 40 }, flood)).finally(() => {
    isOver = true;
  });
  let paid = 0;
  while (!isOver) {
    expect((await pay(net, "dave")).receipt).toMatchObject({ success: true });
    paid++;
  }
  await flooding;
  expect([...statuses]).toEqual([["422 business_nonce_gap", FLOOD]]);
  expect(paid).toBeGreaterThan(3);
  // The last payment of dave may be on its way to the validators that did not answer.
  await expect.poll(() => net.served.host.network.pendingCount).toBe(0);
  // The payments that were made meanwhile stay; what was refused does not.
  expect(heapUsed() - before).toBeLessThan(16 * MEGABYTE);
  expect(await net.client.nonce(net.address("carol"))).toBe(0);
  expect((await pay(net, "carol")).receipt).toMatchObject({ success: true });
});
