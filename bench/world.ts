/** Events per second of the simulator, with validators that do next to nothing. */
import type { Address, CheckpointNumber, Epoch } from "../src/core/base/ids.ts";
import { statementDigest } from "../src/core/consensus/authenticator.ts";
import { keyedHash } from "../src/core/crypto/keyed-hash.ts";
import type { PeerMessage } from "../src/core/validator/message.ts";
import type { Output } from "../src/core/validator/output.ts";
import type { NodePlan, Program, WorldPlan } from "../src/simulator/plan.ts";
import { createWorld, type World } from "../src/simulator/world.ts";
import { keyOf } from "./support/genesis.ts";
import { costOf, line, measure, micros, type Question, title } from "./support/measure.ts";

const EVENTS = 1_000;
const PING: PeerMessage = {
  type: "status",
  incarnation: 0,
  epoch: 0 as Epoch,
  checkpoint: 0 as CheckpointNumber,
  applied: 0,
  digest: 0,
  answer: false,
};

/** Passes every message on to the next node, so that as many are under way at any time as there are nodes. */
function passOn(next: Address): Program<null> {
  const outputs: readonly Output[] = [{ type: "send", to: [next], message: PING }];
  return { start: () => null, step: () => outputs, fork: () => null };
}

function planOf(n: number): WorldPlan {
  const names = Array.from({ length: n }, (_, at) => `v${at + 1}`);
  const addresses = names.map((name) => keyedHash.addressOf(keyOf(name)));
  const nodes: NodePlan[] = names.map((name, at) => ({
    name,
    key: keyOf(name),
    program: passOn(addresses[(at + 1) % n] as Address),
  }));
  return {
    seed: "1",
    scheme: keyedHash,
    digestOf: (body) => statementDigest(7, body),
    nodes,
    clients: [],
    faulty: 1,
    actions: [],
  };
}

function events(n: number): Question {
  const world: World = createWorld(planOf(n));
  return { name: `${n} nodes`, run: () => void world.run({ steps: EVENTS, quiet: false }) };
}

/** The same messages through a bare array, without time, chance, trace or hash. */
function bareLoop(): Question {
  const program = passOn(keyedHash.addressOf(keyOf("v1")));
  const run = (): void => {
    const queue: PeerMessage[] = [PING];
    for (let at = 0; at < EVENTS; at++)
      for (const output of program.step(null, {
        type: "message",
        at: 0 as never,
        from: "" as never,
        message: queue[at] as PeerMessage,
      }))
        if (output.type === "send") queue.push(output.message);
  };
  return { name: "bare loop", run };
}

const sizes = [4, 20, 100];
const costs = await measure([bareLoop(), ...sizes.map(events)], 1_000);
title("One event of an empty world");
for (const n of sizes) {
  const cost = costOf(costs, `${n} nodes`) / EVENTS;
  line(
    `${n} nodes: ${Math.round(1e6 / cost).toLocaleString("en")} events/s`,
    cost,
    costOf(costs, "bare loop") / EVENTS,
    "an event of a bare loop",
  );
}
console.log(`  (a bare loop: ${micros(costOf(costs, "bare loop") / EVENTS)} an event)`);
