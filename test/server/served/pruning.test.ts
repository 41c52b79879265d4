/** Responses stay unchanged after pruning (protocol 6.2): the archive keeps their data. */
import { expect, test } from "vitest";
import { CHECKPOINTS_KEPT } from "../../../src/core/validator/limits.ts";
import { pay, SWIFT, settle } from "./settle.ts";
import { sharedNetwork } from "./support.ts";

// Checkpoints far apart, so that none comes but those that are asked for.
const net = sharedNetwork({ "checkpoint-interval": "600000" }, "each");

const READS = ["receipt", "finalized"] as const;
const answers = async (node: string, hashes: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    hashes.flatMap((hash) =>
      READS.map(async (read) => {
        const url = `${net.served.urls.get(node)}/v1/transactions/${read}/by_hash?hash=${hash}`;
        return (await fetch(url)).text();
      }),
    ),
  );

const PLACE = /"(checkpoint_hash|checkpoint_number|transaction_index)":(null|\d+|"0x[0-9a-f]{64}")/g;

// holds: 76
test("receipts and certificates are the same bytes for ever, but for the checkpoint that lists them", async () => {
  const payment = await pay(net, "alice");
  const mint = { recipient: net.address("carol"), value: "7", token: net.token() };
  const minted = await settle(net.client, "mint", mint, net.key("issuer"));
  const hashes = [payment.hash, minted.hash];

  const before = await answers("v1", hashes);
  for (const answer of before)
    expect(answer.match(PLACE)).toEqual(answer.match(PLACE)?.map((one) => one.replace(/:.*/, ":null")));
  expect(await net.admin("checkpoint")).toMatchObject({ body: { result: 1 } });
  const listed = await answers("v1", hashes);
  // The proof that a checkpoint lists an operation comes with it.
  const withoutProof = (answer: string): unknown => ({ ...JSON.parse(answer), proof: undefined });
  expect(listed.map((answer) => withoutProof(answer.replaceAll(PLACE, '"$1":null')))).toEqual(before.map(withoutProof));
  const { hash } = await net.client.checkpointByNumber(1, false);
  for (const answer of listed)
    expect(JSON.parse(answer)).toMatchObject({ checkpoint_hash: hash, checkpoint_number: 1 });

  await net.step({ crash: { node: "v4" } });
  for (let number = 2; number <= CHECKPOINTS_KEPT + 3; number++) {
    await pay(net, "dave");
    expect(await net.admin("checkpoint")).toMatchObject({ body: { result: number } });
  }
  expect(await answers("v1", hashes)).toEqual(listed);

  // A validator that was down for so long installs a state, and has seen none of the certificates.
  await net.step({ restart: "v4" });
  const last = await pay(net, "dave");
  await net.clientOf("v4").receipt(last.hash, SWIFT);
  expect(await answers("v4", hashes)).toEqual(listed);
  expect(await net.clientOf("v4").balance(net.address("carol"), net.token())).toBe(1_000_000_000_007n);

  const again = await net.clientOf("v2").request("POST", payment.path, payment.body);
  expect(again).toMatchObject({ status: 200, body: { hash: payment.hash } });
  expect(await net.client.nonce(net.address("alice"))).toBe(1);
});
