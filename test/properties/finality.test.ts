/**
 * Goal: finality never waits for a checkpoint, and traffic does not pause for one (protocol 6.1). Method: the same traffic
 * with checkpoints and without; each payment's virtual time from submission to the final response, in both.
 *
 * Where links take from `a` to `b` ms, four messages one after the other make a payment final: offer, vote, lock and
 * commit; clients are next to their validators. A link is first in, first out, and whatever it carries arrives within `b`
 * of its sending, so a checkpoint's messages hold up no others. Each of the five steps (the entry validator offers, votes
 * leave, the lock leaves, commits leave, the answer leaves) waits at most for the write under way and for its own, of at
 * most `w` ms each. So every latency is from 4a to 4b + 10w, with checkpoints or without, and no two differ by more than
 * 4(b - a) + 10w: not at all where delays are fixed and disks are quick.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { parsed } from "../run/support.ts";

const PAYMENTS = 80;

interface Traffic {
  readonly seed: string;
  readonly validators: number;
  readonly fastestMs: number;
  readonly spreadMs: number;
  readonly writeMs: number;
  readonly everyMs: number;
}

interface Checkpoints {
  readonly interval_ms: number;
  readonly slots: number;
}

const NAMES = ["alice", "bob", "carol", "dave", "erin"] as const;

function fileOf({ validators, fastestMs, spreadMs, writeMs, everyMs }: Traffic, checkpoints: Checkpoints | undefined) {
  const amounts = (amount: string) => Object.fromEntries(NAMES.map((name) => [name, { USD: amount }]));
  const policy = checkpoints === undefined ? {} : { checkpoints: { ...checkpoints, period_s: 0 } };
  const payment = { payment: { token: "USD", value: "1..5" } };
  return JSON.stringify({
    name: "finality beside checkpoints",
    network: { validators, delay_ms: `${fastestMs}..${fastestMs + spreadMs}`, write_ms: `0..${writeMs}` },
    genesis: {
      tokens: { USD: { decimals: 6, master: "issuer" } },
      balances: amounts("100000"),
      fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
      ...policy,
    },
    steps: [{ at: 0, workload: { accounts: NAMES, count: PAYMENTS, every_ms: everyMs, mix: [payment] } }],
  });
}

/** Virtual milliseconds from submission to the final response, by id, and the number of checkpoints. */
function run(traffic: Traffic, checkpoints: Checkpoints | undefined) {
  const { plan } = compile(parsed(fileOf(traffic, checkpoints)), {
    seed: traffic.seed,
    scheme: keyedHash,
    variant: undefined,
  });
  const since = new Map<string, number>();
  const latencies = new Map<string, number>();
  const world = createWorld(plan, {
    submitted: (_client, id) => void (since.has(id) || since.set(id, world.now)),
    replyReceived: (_client, id, _from, reply) => {
      if (reply.status === "final" && !latencies.has(id)) latencies.set(id, world.now - (since.get(id) as number));
    },
  });
  world.run({});
  const {
    checkpoints: { last: checkpoint },
  } = world.node("v1").state as ValidatorState;
  return { latencies, formed: checkpoint.header.number };
}

test("no payment waits for a checkpoint", () => {
  const traffic: fc.Arbitrary<Traffic> = fc.record({
    seed: fc.nat(1_000_000).map(String),
    validators: fc.constantFrom(4, 5, 7),
    fastestMs: fc.integer({ min: 1, max: 20 }),
    spreadMs: fc.constantFrom(0, 0, 3, 15),
    writeMs: fc.constantFrom(0, 0, 2, 6),
    everyMs: fc.integer({ min: 5, max: 30 }),
  });
  const checkpoints = fc.record({
    interval_ms: fc.integer({ min: 50, max: 500 }),
    slots: fc.integer({ min: 1, max: 50 }),
  });
  const property = fc.property(traffic, checkpoints, (drawn, policy) => {
    const { fastestMs, spreadMs, writeMs } = drawn;
    const [bare, beside] = [run(drawn, undefined), run(drawn, policy)];
    expect(bare.formed).toBe(0);
    expect(beside.formed).toBeGreaterThan(1);
    expect(bare.latencies.size).toBe(PAYMENTS);
    expect([...beside.latencies.keys()].sort()).toEqual([...bare.latencies.keys()].sort());
    const slack = 4 * spreadMs + 10 * writeMs;
    for (const [id, latency] of beside.latencies) {
      expect(latency).toBeGreaterThanOrEqual(4 * fastestMs);
      expect(latency).toBeLessThanOrEqual(4 * fastestMs + slack);
      expect(Math.abs(latency - (bare.latencies.get(id) as number))).toBeLessThanOrEqual(slack);
    }
  });
  fc.assert(property, { numRuns: 25, seed: 1 });
});
