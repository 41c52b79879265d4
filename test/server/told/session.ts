/** Random sessions of a served network, and what the judge finds in everything that its clients are told. */
import fc from "fast-check";
import { definedMembers } from "../../../src/core/base/defined-members.ts";
import { tokenAddress } from "../../../src/invariants/reference/addresses.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { LIVENESS_MS } from "../../../src/scenario/limits.ts";
import type { Answers } from "../../../src/server/wire/answers.ts";
import type { WriteMode } from "../../../src/server/wire/paths.ts";
import { type Json, network, type Running } from "../served/support.ts";
import { BOARD } from "./board.ts";
import {
  chainFaults,
  checkpointFrameFaults,
  differences,
  eventFaults,
  type Filter,
  ledgerFaults,
  operationFaults,
  orderFaults,
} from "./checks.ts";
import { Judge, type Remembered } from "./judge.ts";
import { isUp, owedFaults, post, type SlowDisk } from "./posts.ts";
import { Guest, type Listening, listen, type Stream } from "./sockets.ts";
import { NODES, PEOPLE, type Surroundings, type Write, write } from "./writes.ts";

const FAULTS = [
  "none",
  "tools",
  "delay",
  "disk",
  "partition",
  "crash",
  "heal",
  "epoch",
  "checkpoint",
  "snapshot",
  "revert",
] as const;

/** A subscription that begins or ends, writes that are posted at once, a fault or its end, and the virtual time after. */
export interface Round {
  readonly guest: Stream | "close" | "none";
  readonly writes: readonly Write[];
  readonly fault: (typeof FAULTS)[number];
  /** The validator that is slow, alone or down; `disk`, `revert`: the one that waits for its disk while it is posted to. */
  readonly node: (typeof NODES)[number];
  readonly ms: number;
}

export interface Session {
  readonly rounds: readonly Round[];
  readonly writeMode: WriteMode;
}

export const sessions: fc.Arbitrary<Session> = fc.record({
  rounds: fc.array(
    fc.record({
      guest: fc.constantFrom<Round["guest"][]>("CHECKPOINTS", "TRANSACTIONS", "TRANSACTIONS", "close", "none"),
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
      fault: fc.constantFrom("none", ...FAULTS),
      node: fc.constantFrom(...NODES),
      ms: fc.constantFrom(0, 2, 5, 20, 300, 1_200),
    }),
    { minLength: 3, maxLength: 8 },
  ),
  writeMode: fc.constantFrom<WriteMode>("dual", "v1-only", "v2-only"),
});

/** Runs a session and returns every fault that the judge finds. `answers`: planted faults, of which the first are enough. */
export async function faultsOf({ rounds, writeMode }: Session, answers?: Partial<Answers>): Promise<readonly string[]> {
  const isEager = answers !== undefined;
  const judge = new Judge();
  const net = await network({ "checkpoint-interval": "500" }, "each", {
    watcher: judge.watcher,
    writeMode,
    ...definedMembers({ answers }),
  });
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
  const transactions = await Promise.all(
    filters.map((filter, at) => listen(net, NODES[at % 4] ?? "v1", "TRANSACTIONS", spelled(filter))),
  );
  const chains = await Promise.all([false, true].map((full) => listen(net, "v1", "CHECKPOINTS", { full })));
  const guest = new Guest(net, "v2", {
    CHECKPOINTS: { members: { full: true }, source: chains[1] as Listening },
    TRANSACTIONS: { members: filters[2] ?? {}, source: transactions[2] as Listening },
  });
  const faults: string[] = [];
  const sockets = [...transactions, ...chains];
  const frameFaults = (): readonly string[] => [
    ...filters.flatMap((filter, at) => eventFaults(judge, transactions[at]?.frames ?? [], filter)),
    ...orderFaults(judge, transactions[0]?.frames ?? []),
    ...[false, true].flatMap((full, at) => checkpointFrameFaults(judge, chains[at]?.frames ?? [], full)),
  ];
  const told: Told = { judge, net, known, receipts: new Map(), settled: new Set(), sockets, before: undefined };
  try {
    for (const round of rounds) {
      if (round.guest === "close") await guest.close();
      else if (round.guest !== "none") await guest.toggle(round.guest);
      const slow = slowDisk(told, round);
      faults.push(...(await post(net, judge, known, { writes: round.writes, mode: writeMode, slow })));
      faults.push(...(await act(told, round)));
      runToEnd(net.served.host.advance(round.ms));
      faults.push(...(await readFaults(told)));
      await Promise.all(sockets.map((socket) => socket.drain()));
      if (isEager && faults.push(...frameFaults()) > 0) return faults;
    }
    await end(net);
    told.settled.clear();
    faults.push(...(await readFaults(told)), ...(await owedFaults(net, judge)));
    await guest.close();
    await Promise.all(sockets.map((socket) => socket.close()));
    faults.push(...frameFaults(), ...[guest, ...sockets].flatMap((one) => one.faults));
    faults.push(...net.served.host.network.findings.map(({ invariant, detail }) => `${invariant}: ${detail}`));
    return faults;
  } finally {
    await net.stop();
  }
}

/** The same in capitals: addresses have the same meaning in any case. */
function spelled({ addresses, ...rest }: Filter): Filter {
  return {
    ...rest,
    ...definedMembers({ addresses: addresses?.map((address) => `0x${address.slice(2).toUpperCase()}`) }),
  };
}

/** A session that goes on, and its last snapshot. */
interface Told {
  readonly judge: Judge;
  readonly net: Running;
  readonly known: Surroundings;
  /** Validators with operations of which nothing changes any more. */
  readonly settled: Set<string>;
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
async function revert({ judge, net, receipts, settled, sockets, before }: Told): Promise<void> {
  if (before === undefined) return;
  settled.clear();
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

/** A return abandons the requests that wait. */
function slowDisk(told: Told, { fault, node }: Round): SlowDisk | undefined {
  const abandon = fault === "revert" && told.before !== undefined ? () => revert(told) : undefined;
  return fault === "disk" || abandon !== undefined ? { node, abandon } : undefined;
}

/** Returns what is wrong with the answers of the server's own tools. */
async function act(told: Told, { fault, node }: Round): Promise<readonly string[]> {
  const { net } = told;
  switch (fault) {
    case "tools":
      return toolFaults(told, node);
    case "delay":
      await net.step({ delay: { to: [node], ms: "20..60" } });
      break;
    case "partition":
      await net.step({ partition: [NODES.filter((other) => other !== node), [node]] });
      break;
    case "crash": {
      const down = NODES.find((other) => !isUp(net, other));
      await net.step(down === undefined ? { crash: { node } } : { restart: down });
      break;
    }
    case "heal":
      await net.step({ heal: true });
      break;
    case "epoch":
    case "checkpoint":
      await net.admin(fault);
      break;
    case "snapshot":
      await snapshot(told);
      break;
    case "revert":
      await revert(told);
      break;
    case "disk":
    case "none":
  }
  return [];
}

/** A gift, and a balance that is set: operations that the server signs, answered once they are final (wire 1.5, 10). */
async function toolFaults({ net, judge, known }: Told, node: string): Promise<readonly string[]> {
  const to = net.address("erin");
  const gift = await net.clientOf(node).request("POST", "/faucet", { address: "erin", value: "1.5" });
  const { hash, ...given } = gift.body as Json;
  const set = await net.admin("balance", { account: "erin", token: "USDX", value: "20" });
  const { hash: second } = (set.body["result"] ?? {}) as Json;
  const made = [hash, second].filter((one) => typeof one === "string").map((one) => judge.idOf(one));
  const faults: Readonly<Record<number, string>> = { 408: "request_timeout", 422: "business_faucet_refused" };
  const code = faults[gift.status];
  return [
    ...differences(`a gift, ${gift.status}`, given, {
      ...(code === undefined ? { token: known.token, value: "1500000" } : { error_code: code }),
    }),
    ...(gift.status === 200 || code !== undefined ? [] : [`a gift is answered ${gift.status}`]),
    ...made.flatMap((id) =>
      differences("a tool", judge.known.get(id ?? "") as unknown as Json, { to, token: known.token }),
    ),
    ...made.flatMap((id) => (judge.finals.get(id ?? "")?.success === true ? [] : ["a tool is answered too early"])),
  ];
}

/** Starts and joins all validators, and waits as long as an operation may take after that. */
async function end(net: Running): Promise<void> {
  for (const node of NODES) if (!isUp(net, node)) await net.step({ restart: node });
  await net.step({ delay: { to: [...NODES], ms: "1..3" } });
  await net.step({ heal: true });
  runToEnd(net.served.host.advance(LIVENESS_MS));
}

/** Reads everything that may have changed at every validator that runs; receipts never change but for their place. */
async function readFaults({ net, judge, known, receipts, settled }: Told): Promise<string[]> {
  const accounts = [...[...PEOPLE, "operator"].map(net.address), BOARD];
  const tokens = [known.token, known.issued];
  const read = async (node: string): Promise<readonly string[]> => {
    const client = net.clientOf(node);
    const faults = [
      ...(await ledgerFaults(judge, node, client, { accounts, tokens })),
      ...(await chainFaults(judge, node, client)),
    ];
    for (const hash of judge.posted.keys()) {
      if (settled.has(`${node} ${hash}`)) continue;
      const { faults: found, receipt } = await operationFaults(judge, node, hash, client);
      faults.push(...found);
      if (receipt === undefined) continue;
      const place = { checkpoint_hash: 0, checkpoint_number: 0, transaction_index: 0 };
      const text = JSON.stringify({ ...receipt, ...place });
      if ((receipts.get(hash) ?? text) !== text) faults.push(`${node}: the receipt of ${hash} changed`);
      receipts.set(hash, text);
      if (receipt["checkpoint_number"] !== null) settled.add(`${node} ${hash}`);
    }
    return faults;
  };
  return (await Promise.all(NODES.filter((node) => isUp(net, node)).map(read))).flat();
}
