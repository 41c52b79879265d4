import { describe } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { CATCH_UP_MS } from "../../src/invariants/limits.ts";
import { convergence } from "../../src/invariants/oracles/convergence.ts";
import { finder, Stream, testRuns } from "./support.ts";
import { ALICE, BOB, hash, ISSUER, list, own, pause, payment, setting } from "./vocabulary.ts";

const THREE = ["v1", "v2", "v3"];
const X = payment(ALICE, 0, BOB, 100);
const STOP = pause(ISSUER, 0);
/** The roots of v1 to v4, by letter. */
const roots = (letters: string) => Object.fromEntries([...letters].map((letter, at) => [`v${at + 1}`, letter]));

const fresh = (byzantine: readonly string[] = []): Stream => new Stream(setting({ byzantine }));
const lagging = (): Stream => fresh().settleOwn("x", X, { nodes: THREE }).heal();
const unlisted = (): Stream =>
  fresh()
    .settleOwn("p", STOP)
    .settle("list", list(0, [["p", STOP]]), { nodes: ["v1", "v2", "v4"] })
    .heal();

/** Some apply the closing of the epoch, so long before the end. */
function closed(appliers: readonly string[], core: readonly string[], age: number): Stream {
  const stream = fresh().settleOwn("x", X);
  return stream
    .turn([], { listing: [[own("x", 0, X), "x"]], appliers })
    .heal(core)
    .later(age)
    .end(roots("aaab"));
}

/** All end in an epoch with a root, v3 with its own. */
function ended(epoch: number, root: string): Stream {
  const stream = fresh().heal();
  for (const [at, node] of stream.names().entries()) {
    const end = at === 2 ? { epoch: epoch as Epoch, root: hash(root) } : { epoch: 0 as Epoch, root: hash("old") };
    stream.push({ type: "finalState", honest: true, facts: [], node, ...end });
  }
  return stream.end();
}

describe("found is", () =>
  testRuns(finder(convergence, false), [
    [
      "a node with another root, with the account that it lacks",
      () => lagging().end(roots("aaab")),
      /v4 ends with state root.*account 0x616c6963…: unchanged at v4, nonce 1, sequence 1 at v1/,
    ],
    [
      "a token whose policy differs",
      () => unlisted().end(roots("aaba")),
      "token USD: unchanged at v3, version 1, paused",
    ],
    [
      "who differs from the core, and a core node without a root",
      () => fresh().heal(THREE).end({ v1: "a", v2: "a", v4: "b" }),
      "v3 of the healed core ended without a state root",
      "v4 ends with state root",
    ],
    ["no Byzantine node", () => fresh(["v4"]).heal(THREE).end(roots("aaab"))],
    ["nothing in runs without healing", () => fresh().end(roots("ab"))],
    ["nothing in a run that was cut short amid traffic", () => lagging().end(roots("aaab"), false)],
    ["no node that is behind a young closing", () => closed(THREE, fresh().names(), 0)],
    [
      "a node that is an epoch behind",
      () => closed(THREE, fresh().names(), CATCH_UP_MS),
      /v4 is in epoch 0, v1 in epoch 1$/,
    ],
    ["no node that is ahead by a young closing", () => closed(["v4"], THREE, 0)],
    ["a node that is an epoch ahead", () => closed(["v4"], THREE, CATCH_UP_MS), /v4 is in epoch 1, v1 in epoch 0$/],
    ["no node in the middle of a step that closes an epoch", () => ended(1, "new")],
    ["a node with another root in the same epoch", () => ended(0, "new"), /^v3 ends with state root/],
  ]));
