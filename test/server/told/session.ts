/** Random sessions of a served network, and what the judge finds in everything that its clients are told. */
import fc from "fast-check";
import { tokenAddress } from "../../../src/invariants/token-address.ts";
import type { Answers } from "../../../src/server/wire/answers.ts";
import type { WriteMode } from "../../../src/server/wire/write-mode.ts";
import type { Kind } from "../client/layouts.ts";
import type { Sent } from "../client/reference-client.ts";
import { type Json, network, type Running } from "../served/support.ts";
import { BOARD, boardBody, signersOf } from "./board.ts";
import {
  chainFaults,
  checkpointFrameFaults,
  eventFaults,
  type Filter,
  ledgerFaults,
  operationFaults,
} from "./checks.ts";
import { Judge, type Remembered } from "./judge.ts";
import { type Listening, listen } from "./sockets.ts";
import { KINDS, layoutIn, NODES, PEOPLE, SIGNERS, type Surroundings, type Write, write } from "./writes.ts";

/** Writes that are posted at once, a fault or its end, and the virtual time that passes after. */
export interface Round {
  readonly writes: readonly Write[];
  readonly fault: "none" | "delay" | "partition" | "crash" | "heal" | "epoch" | "snapshot" | "revert";
  readonly ms: number;
}

export interface Session {
  readonly rounds: readonly Round[];
  readonly writeMode: WriteMode;
}

export const sessions: fc.Arbitrary<Session> = fc.record({
  rounds: fc.array(
    fc.record({
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
      fault: fc.constantFrom("none", "none", "delay", "partition", "crash", "heal", "epoch", "snapshot", "revert"),
      ms: fc.constantFrom(0, 2, 5, 20, 300, 1_200),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  writeMode: fc.constantFrom<WriteMode>("dual", "v1-only", "v2-only"),
});

/** Runs a session and returns every fault that the judge finds, the first few. `answers`: planted faults. */
export async function faultsOf({ rounds, writeMode }: Session, answers: Partial<Answers> = {}): Promise<string[]> {
  const judge = new Judge();
  const net = await network({ "checkpoint-interval": "500" }, "each", { watcher: judge.watcher, answers, writeMode });
  net.served.host.setRate(0);
  const known: Surroundings = {
    address: net.address,
    token: net.token(),
    issued: tokenAddress(net.address("alice"), "NEW"),
  };
  const filters: readonly Filter[] = [
    {},
    ...PEOPLE.slice(0, 3).map((name) => ({ addresses: [net.address(name)] })),
    { tokens: [known.issued] },
    { tokens: [known.token], addresses: [net.address("dave"), net.address("carol")] },
  ];
  const sockets = await Promise.all(
    filters.map((filter, at) => listen(net, NODES[at % 4] ?? "v1", "TRANSACTIONS", filter)),
  );
  const chains = await Promise.all([false, true].map((full) => listen(net, "v1", "CHECKPOINTS", { full })));
  const faults: string[] = [];
  const told: Told = { judge, net, receipts: new Map(), sockets: [...sockets, ...chains], before: undefined };
  const { receipts } = told;
  try {
    for (const round of rounds) {
      faults.push(...(await post(net, judge, known, round.writes, writeMode)));
      await act(told, round.fault);
      net.served.host.advance(round.ms);
      faults.push(...(await readFaults(net, judge, known, receipts)));
    }
    await end(net);
    faults.push(...(await readFaults(net, judge, known, receipts)));
    await Promise.all([...sockets, ...chains].map((socket) => socket.done()));
    for (const [at, filter] of filters.entries()) faults.push(...eventFaults(judge, sockets[at]?.frames ?? [], filter));
    for (const [at, full] of [false, true].entries())
      faults.push(...checkpointFrameFaults(judge, chains[at]?.frames ?? [], full));
    faults.push(...net.served.host.network.findings.map(({ invariant, detail }) => `${invariant}: ${detail}`));
    return faults;
  } finally {
    await net.stop();
  }
}

/**
 * Posts all at once; two operations of one account take two nonces, and a cancellation the one before. Returns what was
 * admitted with too little weight.
 */
async function post(
  net: Running,
  judge: Judge,
  known: Surroundings,
  writes: readonly Write[],
  mode: WriteMode,
): Promise<string[]> {
  const nonces = new Map<string, number>();
  const faults: string[] = [];
  const accountOf = (name: string): string => (name === "board" ? BOARD : net.address(name));
  const admitted = (hash: string, status: number, from: string, nonce: number): void => {
    if (status === 200) judge.posted.set(hash, { from: accountOf(from), nonce });
  };
  const made = await Promise.all(
    writes.map(async (one) => {
      const own = one.value % 5 === 0 ? one.from : (SIGNERS[one.kind] ?? one.from);
      const signer = one.kind === "board" ? "board" : own;
      const next = nonces.get(signer) ?? judge.nonce(runningNode(net, one.node), accountOf(signer));
      const nonce = one.kind === "cancellation" ? Math.max(0, next - 1) : next;
      nonces.set(signer, Math.max(next, nonce + 1));
      const client = net.clientOf(one.node);
      if (one.kind === "board") {
        const facts = { recipient: known.address(one.to), value: one.value, token: known.token };
        const head = { chain_id: chainOf(net), nonce };
        const { path, body, hash } = boardBody(one.value % 2 === 0, head, facts, signersOf(one.flag));
        return async () => {
          const { status } = await client.request("POST", path, body);
          if (status === 200 && !one.flag) faults.push(`${hash} was admitted with too little weight`);
          admitted(hash, status, signer, nonce);
        };
      }
      if (one.kind === "recovery") {
        return async () => {
          const sent: Sent[] = [];
          for (const [at, value] of [one.value, one.value + 1].entries()) {
            const fields = { recipient: known.address(one.to), value: `${value}`, token: known.token };
            const options = { nonce, layout: layoutIn(mode, one.layout, "payment", fields), chainId: chainOf(net) };
            const { from, node } = one;
            const entry = at === 0 ? client : net.clientOf(NODES.find((other) => other !== node) ?? node);
            sent.push(await entry.post("payment", fields, net.key(from), options));
          }
          for (const { hash, answer } of sent) admitted(hash, answer.status, signer, nonce);
          const { hash, answer } = await client.recover(net.address(signer), nonce, sent, chainOf(net));
          admitted(hash, answer.status, signer, nonce);
          const touched = { parties: [net.address(signer), known.address(one.to)], tokens: [known.token] };
          if (answer.status === 200) judge.posts.set(hash, [...(judge.posts.get(hash) ?? []), touched]);
        };
      }
      const [kind, fields] = KINDS[one.kind](one, known) as unknown as readonly [Kind, never];
      const layout = layoutIn(mode, one.layout, kind, fields);
      return async () => {
        const { answer, hash } = await client.post(kind, fields, net.key(signer), {
          ...{ nonce, layout, chainId: chainOf(net) },
        });
        admitted(hash, answer.status, signer, nonce);
      };
    }),
  );
  await Promise.all(made.map((go) => go()));
  return faults;
}

function chainOf(net: Running): number {
  return net.served.host.network.chainId;
}

function runningNode(net: Running, node: string): string {
  return net.served.host.network.ledgerOf(node) === undefined ? "v1" : node;
}

/** A session that goes on, and its last snapshot. */
interface Told {
  readonly judge: Judge;
  readonly net: Running;
  /** By hash of an operation. */
  readonly receipts: Map<string, string>;
  readonly sockets: readonly Listening[];
  before: Before | undefined;
}

interface Before {
  readonly name: string;
  readonly judged: Remembered;
  readonly receipts: ReadonlyMap<string, string>;
  /** Frames of each socket. */
  readonly frames: readonly number[];
}

async function snapshot(told: Told): Promise<void> {
  const { judge, net, receipts, sockets } = told;
  for (const socket of sockets) await socket.drain();
  const { body } = await net.admin("snapshot");
  const name = String(body["result"] ?? body["snapshot"]);
  const frames = sockets.map((socket) => socket.frames.length);
  told.before = { name, judged: judge.capture(), receipts: new Map(receipts), frames };
}

/** Returns the network to its last snapshot, and forgets what was told since. */
async function revert({ judge, net, receipts, sockets, before }: Told): Promise<void> {
  if (before === undefined) return;
  await judge.returnTo(before.judged, async () => {
    const { status, body } = await net.admin("revert", { snapshot: before.name });
    if (status !== 200) throw new Error(JSON.stringify(body));
  });
  for (const [at, socket] of sockets.entries()) {
    await socket.drain();
    socket.frames.splice(before.frames[at] ?? 0);
  }
  receipts.clear();
  for (const [hash, text] of before.receipts) receipts.set(hash, text);
}

async function act(told: Told, fault: Round["fault"]): Promise<void> {
  const { net } = told;
  const { host } = net.served;
  switch (fault) {
    case "delay":
      return net.step({ delay: { to: ["v2"], ms: "20..60" } });
    case "partition":
      return net.step({ partition: [["v1", "v2", "v4"], ["v3"]] });
    case "crash":
      if (host.network.ledgerOf("v4") === undefined) return net.step({ restart: "v4" });
      return net.step({ crash: { node: "v4" } });
    case "heal":
      return net.step({ heal: true });
    case "epoch":
      await net.admin("epoch");
      return;
    case "snapshot":
      return snapshot(told);
    case "revert":
      return revert(told);
    case "none":
  }
}

async function end(net: Running): Promise<void> {
  if (net.served.host.network.ledgerOf("v4") === undefined) await net.step({ restart: "v4" });
  await net.step({ delay: { to: ["v2"], ms: "1..3" } });
  await net.step({ heal: true });
  net.served.host.advance(8_000);
}

/** Reads everything at every validator that runs; receipts never change but for their place. */
async function readFaults(
  net: Running,
  judge: Judge,
  known: Surroundings,
  receipts: Map<string, string>,
): Promise<string[]> {
  const accounts = [...[...PEOPLE, "operator"].map(net.address), BOARD];
  const tokens = [known.token, known.issued];
  const faults: string[] = [];
  for (const node of NODES) {
    if (net.served.host.network.ledgerOf(node) === undefined) continue;
    const client = net.clientOf(node);
    faults.push(...(await ledgerFaults(judge, node, client, { accounts, tokens })));
    faults.push(...(await chainFaults(judge, node, client)));
    for (const hash of judge.posted.keys()) {
      faults.push(...(await operationFaults(judge, node, hash, client)));
      const answer = await client.request("GET", `/v1/transactions/receipt/by_hash?hash=${hash}`);
      if (answer.status !== 200) continue;
      const place = { checkpoint_hash: 0, checkpoint_number: 0, transaction_index: 0 };
      const text = JSON.stringify({ ...(answer.body as Json), ...place });
      if ((receipts.get(hash) ?? text) !== text) faults.push(`${node}: the receipt of ${hash} changed`);
      receipts.set(hash, text);
    }
  }
  return faults;
}
