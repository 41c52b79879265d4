import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { replayRecording } from "../../../src/live/replay.ts";
import { type NetworkOptions, type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { ReferenceClient } from "../client/reference-client.ts";
import { STILL } from "./support.ts";

/** A payment from alice to bob of one unit and its hash, not waited for. */
async function pay(network: RunningNetwork): Promise<string> {
  const fields = { recipient: network.account("bob").address, value: "1", token: network.tokens[0]?.address ?? "" };
  return (await new ReferenceClient(network.url).send("payment", fields, network.account("alice").key)).hash;
}

describe("a network in one's own process", () => {
  let network: RunningNetwork;
  let client: ReferenceClient;
  const balance = (name: string) => client.balance(network.account(name).address, network.token("USDX").address);
  beforeAll(async () => {
    network = await startNetwork(STILL);
    client = new ReferenceClient(network.url);
  });
  afterAll(() => network.stop());
  beforeEach(() => network.reset());

  test("answers on free ports, and says where", async () => {
    expect(network.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(network.wsUrl).toBe(`${network.url.replace("http", "ws")}/ws`);
    expect(network.urls).toEqual({ v1: network.url });
    expect(await client.chainId()).toBe(network.chainId);
    expect(await (await fetch(`${network.adminUrl}/admin/status`)).json()).toEqual(network.status());
  });

  test("answers at both addresses of this machine, websockets too", async () => {
    const port = Number(new URL(network.url).port);
    for (const url of [network.url, `http://[::1]:${port}`]) {
      expect(await new ReferenceClient(url).chainId()).toBe(network.chainId);
      const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
      await once(socket, "open");
      socket.close();
    }
  });

  test("has accounts by name, place and address, with their keys", () => {
    expect(network.accounts.map(({ name }) => name).slice(0, 4)).toEqual(["operator", "issuer", "alice", "bob"]);
    const alice = network.account("alice");
    expect([network.account("2"), network.account(alice.address.toUpperCase().replace("0X", "0x"))]).toEqual([
      alice,
      alice,
    ]);
    for (const { key, address } of network.accounts) expect(secp256k1.addressOf(key as never)).toBe(address);
    expect(() => network.account("zoe")).toThrow(/account: expected one of operator, issuer, .*; got "zoe"/);
  });

  test("has the tokens of the start by their symbols", async () => {
    const { address, ...rest } = network.token("USDX");
    expect(rest).toEqual({ symbol: "USDX", decimals: 6 });
    expect(await client.tokenMetadata(address)).toMatchObject({ symbol: "USDX", decimals: 6 });
    expect(() => network.token("EURX")).toThrow('token: expected one of USDX; got "EURX"');
  });

  test("carries out faults, and refuses others with words", async () => {
    network.step({ crash: { node: "v2" } });
    expect(network.status().nodes[1]).toMatchObject({ node: "v2", running: false });
    expect(() => network.step({ restart: "v9" })).toThrow(/no validator is called "v9"/);
    expect(() => network.step({ submit: {} } as never)).toThrow(/submit: a live step/);
    network.step({ restart: "v2" });
    network.step({ byzantine: { node: "v4", strategy: "double-vote" } });
    const hash = await pay(network);
    expect(network.advance(3_000)).toBe(3_000);
    expect(await client.receiptNow(hash)).toMatchObject({ success: true });
    expect(network.violations).toEqual([]);
  });

  test("goes back to a snapshot", async () => {
    const snapshot = network.snapshot();
    await network.setBalance("alice", "USDX", "5");
    expect(await balance("alice")).toBe(5_000_000n);
    network.revert(snapshot);
    expect(await balance("alice")).toBe(100_000_000n);
    expect(() => network.revert("no such")).toThrow(/no snapshot is called "no such"/);
  });

  test("sets balances and roles with real operations, and says their hashes", async () => {
    const [up, down] = [await network.setBalance("bob", "USDX", "101.5"), await network.setBalance("bob", "USDX", "1")];
    expect(await balance("bob")).toBe(1_000_000n);
    expect(await network.setBalance("bob", "USDX", "1")).toBeUndefined();
    const given = await network.give("bob", "USDX", "2");
    expect(await balance("bob")).toBe(3_000_000n);
    const role = await network.setRole("carol", "USDX", "MintBurnTokens", { action: "Grant", allowance: "7" });
    for (const hash of [up, down, given, role])
      expect(await client.receiptNow(hash ?? "")).toMatchObject({ success: true });
    expect(JSON.stringify(await client.tokenMetadata(network.token("USDX").address))).toContain('"7000000"');
    await expect(network.setBalance("zoe", "USDX", "1")).rejects.toThrow(/account: expected an address or one of/);
    await expect(network.give("bob", "EURX", "1")).rejects.toThrow(/token: expected/);
    await expect(network.give("bob", "USDX", "1e3")).rejects.toThrow(/value: expected decimal text/);
  });

  test("forms checkpoints and closes epochs when asked", async () => {
    expect(() => network.checkpoint()).toThrow(/no operation to list, and this network forms no empty ones/);
    await pay(network);
    expect(network.checkpoint()).toBe(1);
    expect(network.epoch({ checkpoints: { interval_ms: 60_000 } })).toBe(1);
    expect(() => network.epoch({ validators: ["v9"] })).toThrow(/v9/);
    expect(network.status().nodes[0]).toMatchObject({ epoch: 1 });
  });

  test("lets time pass at the requested pace", async () => {
    expect(() => network.advance(-1)).toThrow(/advance: expected 0 to/);
    expect(() => network.rate(-1)).toThrow(/rate: expected 0 to 1000/);
    network.rate(5);
    expect(network.status().rate).toBe(5);
    network.rate(0);
  });
});

test("two networks with the same beginning and the same acts are the same, bit for bit, and so is the replay", async () => {
  const run = async (): Promise<readonly [hash: string, recording: string]> => {
    const network = await startNetwork({ ...STILL, delay: "1..50", seed: "7" });
    await pay(network);
    network.step({ crash: { node: "v3", restart_after_ms: 100 } });
    network.advance(5_000);
    await network.stop();
    await network.stop();
    return [network.status().hash, network.recording()];
  };
  const [[hash, text], [again]] = [await run(), await run()];
  expect(again).toBe(hash);
  const recording = readRecording(text);
  if (!recording.ok) throw new Error(recording.error);
  const replayed = replayRecording(recording.value, secp256k1);
  expect([replayed.differs, replayed.run.world.hash]).toEqual([undefined, hash]);

  const loaded = await startNetwork({ load: text, rate: 0 });
  expect(loaded.status()).toMatchObject({ hash, final: 1 });
  await pay(loaded);
  loaded.advance(1_000);
  expect(loaded.status().final).toBe(2);
  await loaded.stop();
});

test("what is stopped answers no more, and a block that ends stops its network", async () => {
  const network = await startNetwork({ ...STILL, accounts: 2 });
  const { url, adminUrl } = network;
  await network[Symbol.asyncDispose]();
  for (const one of [url, adminUrl]) await expect(fetch(`${one}/`)).rejects.toThrow("fetch failed");
});

test("every option does what it says", async () => {
  const network = await startNetwork({
    ...STILL,
    validators: 7,
    accounts: 4,
    tokens: [
      { symbol: "EURX", decimals: 2, name: "open: a name with a colon" },
      { symbol: "SECRET", decimals: 0, private: true, paused: true },
    ],
    fees: { payment: "1", cancellation: "3", recovery: "2" },
    checkpointInterval: 0,
    chainId: 77,
    policies: { issued_tokens: "open" },
    faucet: false,
    ports: "each",
    admin: false,
    delay: 3,
  });
  const client = new ReferenceClient(network.urls["v7"] ?? "");
  expect(Object.keys(network.urls)).toEqual(["v1", "v2", "v3", "v4", "v5", "v6", "v7"]);
  expect(new Set(Object.values(network.urls)).size).toBe(7);
  expect([network.adminUrl, network.accounts.length, network.chainId]).toEqual([undefined, 4, 77]);
  expect(network.tokens).toMatchObject([{ symbol: "EURX", decimals: 2 }, { symbol: "SECRET" }]);
  expect(await client.tokenMetadata(network.token("EURX").address)).toMatchObject({
    is_paused: false,
    meta: { name: "open: a name with a colon" },
  });
  expect(await client.tokenMetadata(network.token("SECRET").address)).toMatchObject({
    is_paused: true,
    is_private: true,
  });
  expect((await client.request("POST", "/faucet", { address: "alice" })).status).toBe(404);
  expect(() => network.checkpoint()).toThrow(/forms no checkpoints/);
  const hash = await pay(network);
  network.advance(1_000);
  expect(await client.receiptNow(hash)).toMatchObject({ success: true, fee_used: "100" });
  await network.stop();
});

test("a scenario is taken as text or as an object, and its steps happen", async () => {
  const scenario = { name: "a crash", network: { spares: ["v5"] }, steps: [{ at: 100, crash: { node: "v2" } }] };
  for (const given of [scenario, JSON.stringify(scenario)]) {
    const network = await startNetwork({ ...STILL, scenario: given, validator: "v5" });
    network.advance(200);
    expect(network.status().nodes.map(({ running }) => running)).toEqual([true, false, true, true, true]);
    expect(Object.keys(network.urls)).toEqual(["v5"]);
    await network.stop();
  }
});

const WRONG: readonly (readonly [options: NetworkOptions, why: RegExp])[] = [
  [{ validators: 0 }, /^validators: expected a whole number from 1 to 128, got "0"$/],
  [{ checkpointInterval: -1, chainId: 0.5 }, /^checkpointInterval: .*\nchainId: |^chainId: .*\ncheckpointInterval: /],
  [{ validatrs: 3 } as NetworkOptions, /^there is no option validatrs \(did you mean "validators"\?\)$/],
  [{ tokens: [{ symbol: "A B", decimals: 1 }] }, /^tokens: /],
  [{ fees: { payment: "1", cancellation: "1", recovery: "1" } }, /^fees: .*must cost more/],
  [{ mnemonic: "one two" }, /^mnemonic: /],
  [{ profile: "client" as never }, /^profile: .*did you mean "clients"/],
  [{ genesis: "name: x", scenario: "name: y" }, /^genesis and scenario: expected one of them/],
  [{ scenario: "name: x\nsteps: [{ at: 1, crash: { node: v8 } }]" }, /scenario:2:\d+: no validator is called "v8"/],
  [{ validator: "v7" }, /^validator: expected one of v1, v2, v3, v4, got "v7"$/],
  [{ rate: -4 }, /^rate: expected 0 to 1000, got -4$/],
  [{ load: "nothing\n" }, /^load: line 1: /],
];

test.each(WRONG)("%j is refused in the caller's words", async (options, why) => {
  await expect(startNetwork(options)).rejects.toThrow(why);
});

test("a port that is taken is an error of the system", async () => {
  const network = await startNetwork(STILL);
  const port = Number(new URL(network.url).port);
  await expect(startNetwork({ port })).rejects.toMatchObject({ code: "EADDRINUSE", port });
  await network.stop();
});

test("the package exports its three entry points and its description, and nothing else", () => {
  const text = readFileSync("package.json", "utf8");
  const { exports: exported, files } = JSON.parse(text) as { exports: Record<string, unknown>; files: string[] };
  const entries = { ".": "index", "./fast-check": "fast-check", "./server": "server/network/start-network" };
  const built = Object.entries(entries).map(([entry, file]) => [
    entry,
    { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ]);
  expect(exported).toEqual({ ...Object.fromEntries(built), "./package.json": "./package.json" });
  expect(files).toContain("dist");
  for (const file of Object.values(entries)) expect(existsSync(`src/${file}.ts`)).toBe(true);
});

/** The last checkpoint and the epoch that a network tells after some time without traffic. */
async function idle(ms: number, options: NetworkOptions) {
  await using network = await startNetwork({ rate: 0, ...options });
  network.advance(ms);
  return (await fetch(`${network.url}/v1/states/latest_epoch_checkpoint`)).json();
}

// holds: 7, 21
test.each([
  ["local", false],
  ["clients", true],
  ["specification", true],
  ["testnet", true],
  ["production", true],
] as const)("profile %s: checkpoints without traffic: %s", async (profile, grows) => {
  expect(await idle(5_000, { profile })).toMatchObject({ epoch: 0, checkpoint: grows ? 2 : 0 });
  expect(await idle(5_000, { profile, emptyCheckpoints: !grows })).toMatchObject({ checkpoint: grows ? 0 : 2 });
});

// holds: 10
test("epochs of a served network have a fixed length: so many checkpoints, and the closing", async () => {
  const options = { emptyCheckpoints: true, checkpointInterval: 1_000 } as const;
  expect(await idle(2_500, { ...options, epochCheckpoints: 3 })).toMatchObject({ epoch: 0, checkpoint: 2 });
  expect(await idle(3_500, { ...options, epochCheckpoints: 3 })).toMatchObject({ epoch: 1, checkpoint: 4 });
  expect(await idle(7_500, { ...options, epochCheckpoints: 3 })).toMatchObject({ epoch: 2, checkpoint: 9 });
  expect(await idle(7_500, { ...options, epochCheckpoints: 0 })).toMatchObject({ epoch: 0, checkpoint: 7 });
});
