/** A network that is killed in the middle of writes loses nothing that it had called final. */
import { appendFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ReferenceClient, RestError } from "../client/reference-client.ts";
import { compile, type Process, type Program, type Ready, start } from "./process.ts";
import { SWIFT } from "./settle.ts";
import type { Json } from "./support.ts";

let program: Program;
let running: Process | undefined;
beforeAll(() => {
  program = compile();
});
afterEach(() => running?.kill());
afterAll(() => program.remove());

const PLACES = { checkpoint_hash: null, checkpoint_number: null, transaction_index: null };
/** Without what a checkpoint adds at any time. */
const unplaced = ({ proof, ...answer }: Json): Json => ({
  ...answer,
  ...PLACES,
  proof: { ...(proof as Json | undefined), checkpoint: undefined },
});

interface Seen {
  readonly hash: string;
  readonly receipt: Json;
  readonly finalized: Json;
}

/** Pays until the server is gone; notes whatever was answered as final. */
async function payOn({ url, accounts, tokens }: Ready, place: number, seen: (one: Seen) => void): Promise<void> {
  const client = new ReferenceClient(url);
  const payment = { recipient: accounts[1]?.address ?? "", value: "5", token: tokens[0]?.address ?? "" };
  for (;;) {
    try {
      const { hash } = await client.send("payment", payment, accounts[place]?.key ?? "");
      const receipt = await client.receipt(hash, SWIFT);
      seen({ hash, receipt, finalized: await client.finalized(hash) });
    } catch (error) {
      if (error instanceof RestError) throw error;
      return;
    }
  }
}

async function expectAll(url: string, seen: readonly Seen[]): Promise<void> {
  const client = new ReferenceClient(url);
  for (const { hash, receipt, finalized } of seen) {
    expect(unplaced(await client.receiptNow(hash))).toEqual(unplaced(receipt));
    expect(unplaced(await client.finalized(hash))).toEqual(unplaced(finalized));
  }
}

// holds: 76
test("kill -9 in the middle of writes, and a torn tail: what was final is final with the same certificate", async () => {
  const state = join(program.folder, "state.ndjson");
  const args = ["--state", state, "--delay", "1..3", "--checkpoint-interval", "200"];
  running = await start(program, args);
  const seen: Seen[] = [];
  const { ready, kill } = running;
  const killed = new Promise<void>((resolve) => {
    const note = (other: Seen): void => {
      if (seen.push(other) === 30) void kill().then(resolve);
    };
    for (const place of [2, 3, 4, 5, 6, 7]) void payOn(ready, place, note);
  });
  await killed;
  // As if the machine had died within a write.
  appendFileSync(state, '{"type":"verification","at":9999999,"ste');

  running = await start(program, args);
  await expectAll(running.ready.url, seen);
  const client = new ReferenceClient(running.ready.url);
  const { accounts, tokens } = running.ready;
  const payment = { recipient: accounts[1]?.address ?? "", value: "5", token: tokens[0]?.address ?? "" };
  const { hash } = await client.send("payment", payment, accounts[8]?.key ?? "");
  const receipt = await client.receipt(hash, SWIFT);
  const all = [...seen, { hash, receipt, finalized: await client.finalized(hash) }];
  await running.kill();

  truncateSync(state, statSync(state).size - 7);
  running = await start(program, args);
  await expectAll(running.ready.url, seen);
  // The last words may be lost with the tail; what they told of comes to the same end.
  const again = new ReferenceClient(running.ready.url);
  await again.receipt(hash, SWIFT);
  await expectAll(running.ready.url, all);
});

test("kill -9 at random moments under load, again and again: nothing that was answered is lost", async () => {
  const state = join(program.folder, "often.ndjson");
  const args = ["--state", state, "--delay", "1..3", "--checkpoint-interval", "200", "--fsync", "never"];
  const all: Seen[] = [];
  for (let round = 0; round < 4; round++) {
    running = await start(program, args);
    await expectAll(running.ready.url, all);
    const { ready, kill } = running;
    const seen: Seen[] = [];
    const payers = [2, 3, 4, 5].map((place) => payOn(ready, place, (other) => void seen.push(other)));
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.floor(Math.random() * 900)));
    await kill();
    await Promise.all(payers);
    all.push(...seen);
  }
  running = await start(program, args);
  await expectAll(running.ready.url, all);
});
