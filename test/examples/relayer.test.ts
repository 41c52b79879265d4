/** The example of a relayer counts each deposit once, under each fault that the admin interface makes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Relayer } from "../../examples/relayer.ts";
import { type RunningNetwork, startNetwork } from "../../src/server/network/start-network.ts";
import { ReferenceClient } from "../server/client/reference-client.ts";

const TARGET_CHAIN = 77;
const RECIPIENT = `0x${"d1".repeat(20)}`;

let source: RunningNetwork;
let target: RunningNetwork;
let expected = 0n;
const running: { readonly relayer: Relayer; readonly end: Promise<void> }[] = [];

beforeAll(async () => {
  const options = { delay: "1..3", checkpointInterval: 300, accounts: 5 };
  source = await startNetwork(options);
  target = await startNetwork({ ...options, chainId: TARGET_CHAIN, profile: "clients" });
  await target.setRole("bob", "USDX", "Bridge", { action: "Grant" });
  startRelayer();
});
afterAll(async () => {
  await stopRelayers();
  expect([...source.violations, ...target.violations]).toEqual([]);
  await Promise.all([source.stop(), target.stop()]);
});

function startRelayer(): void {
  const { key } = target.account("bob");
  const options = { source: source.url, target: target.url, key, token: target.token("USDX").address };
  const relayer = new Relayer(options, () => undefined);
  running.push({ relayer, end: relayer.run() });
}

async function stopRelayers(): Promise<void> {
  for (const { relayer } of running) relayer.stop();
  await Promise.all(running.splice(0).map(({ end }) => end));
}

async function minted(): Promise<bigint> {
  return new ReferenceClient(target.url).balance(RECIPIENT, target.token("USDX").address);
}

/** Burns on the source; a validator that crashes may lose it, so it is posted again after the fault. */
async function burn(value: number): Promise<() => Promise<unknown>> {
  const client = new ReferenceClient(source.url);
  const fields = {
    ...{ sender: source.account("alice").address, value: `${value}`, token: source.token("USDX").address },
    ...{ destination_chain_id: TARGET_CHAIN, destination_address: RECIPIENT, escrow_fee: "1", bridge_metadata: "m" },
  };
  const sent = await client.send("bridgeBurn", { ...fields, bridge_param: "0x01" }, source.account("alice").key);
  expected += BigInt(value);
  return async () => {
    await client.request("POST", sent.path, sent.body);
    await client.receipt(sent.hash, { first: 0, every: 100, looks: 600 });
  };
}

/** Expects each burn on the target, once. */
async function judge(): Promise<void> {
  await expect.poll(minted, { timeout: 60_000, interval: 100 }).toBe(expected);
}

const HALVES = {
  partition: [
    ["v1", "v2"],
    ["v3", "v4"],
  ],
};
const FAULTS = {
  "the entry validator is down": [{ crash: { node: "v1" } }, { restart: "v1" }],
  "another validator is down": [{ crash: { node: "v3" } }, { restart: "v3" }],
  "the entry validator stands still": [{ suspend: { node: "v1" } }, { resume: "v1" }],
  "the entry validator is alone": [{ partition: [["v1"], ["v2", "v3", "v4"]] }, { heal: true }],
  "no half has a quorum": [HALVES, { heal: true }],
  "messages are late": [{ delay: { to: ["v1", "v2"], ms: "50..90" } }, { delay: { to: ["v1", "v2"], ms: "1..3" } }],
  "a validator votes twice": [{ byzantine: { node: "v4", strategy: "double-vote" } }, { heal: true }],
} as const;

test.each(
  (["source", "target"] as const).flatMap((place) => Object.keys(FAULTS).map((fault) => [place, fault] as const)),
)("on the %s, %s", async (place, name) => {
  const [begin, end] = FAULTS[name as keyof typeof FAULTS];
  const network = place === "source" ? source : target;
  const again = await burn(7);
  network.step(begin as never);
  await sleep(300);
  network.step(end as never);
  await again();
  await judge();
});

test("a relayer that starts anew, and two at once, count nothing twice", async () => {
  await stopRelayers();
  const again = await burn(5);
  await again();
  startRelayer();
  startRelayer();
  await judge();
  const last = await burn(3);
  await last();
  await judge();
  await sleep(1_000);
  expect(await minted()).toBe(expected);
});

test("what is burned for another chain is not minted here", async () => {
  const client = new ReferenceClient(source.url);
  const fields = {
    ...{ sender: source.account("carol").address, value: "9", token: source.token("USDX").address },
    ...{ destination_chain_id: TARGET_CHAIN + 1, destination_address: RECIPIENT, escrow_fee: "0" },
    ...{ bridge_metadata: "", bridge_param: "0x" },
  };
  const sent = await client.send("bridgeBurn", fields, source.account("carol").key);
  await client.receipt(sent.hash);
  const last = await burn(2);
  await last();
  await judge();
});
