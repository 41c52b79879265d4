import { expect, test } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { CATCH_UP_MS } from "../../src/invariants/limits.ts";
import { convergence } from "../../src/invariants/oracles/convergence.ts";
import { details, Stream } from "./support.ts";
import { ALICE, BOB, hash, ISSUER, list, own, pause, payment, setting } from "./vocabulary.ts";

const PAYMENT = own("x", 0, payment(ALICE, 0, BOB, 100));

test("a node with another root is named, with the account that it lacks", () => {
  const stream = new Stream(setting()).settle("x", PAYMENT, { nodes: ["v1", "v2", "v3"] }).heal();
  stream.end({ v1: "a", v2: "a", v3: "a", v4: "b" });
  const found = details(convergence(stream.setting), stream);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("v4 ends with state root");
  expect(found[0]).toContain("account 0x616c6963…: unchanged at v4, nonce 1, sequence 1 at v1");
});

test("a token whose policy differs is named", () => {
  const stop = pause(ISSUER, 0);
  const stream = new Stream(setting()).settle("p", own("p", 0, stop));
  stream.settle("list", list(0, [["p", stop]]), { nodes: ["v1", "v2", "v4"] });
  stream.heal().end({ v1: "a", v2: "a", v3: "b", v4: "a" });
  expect(details(convergence(stream.setting), stream)).toEqual([
    expect.stringContaining("token USD: unchanged at v3, version 1, paused"),
  ]);
});

test("the core decides who is right, and a core node without a root is named", () => {
  const stream = new Stream(setting()).heal(["v1", "v2", "v3"]).end({ v1: "a", v2: "a", v4: "b" });
  expect(details(convergence(stream.setting), stream)).toEqual([
    "v3 of the healed core ended without a state root",
    expect.stringContaining("v4 ends with state root"),
  ]);
});

test("Byzantine nodes may differ, and runs without healing are not checked", () => {
  const byzantine = new Stream(setting({ byzantine: ["v4"] }))
    .heal(["v1", "v2", "v3"])
    .end({ v1: "a", v2: "a", v3: "a", v4: "b" });
  expect(details(convergence(byzantine.setting), byzantine)).toEqual([]);
  const torn = new Stream(setting()).end({ v1: "a", v2: "b" });
  expect(details(convergence(torn.setting), torn)).toEqual([]);
});

test("a run that was cut short amid traffic is not judged", () => {
  const stream = new Stream(setting()).settle("x", PAYMENT, { nodes: ["v1", "v2", "v3"] }).heal();
  stream.end({ v1: "a", v2: "a", v3: "a", v4: "b" }, false);
  expect(details(convergence(stream.setting), stream)).toEqual([]);
});

test("a node that is an epoch behind is named by that, unless the closing that it lacks is young", () => {
  const found = (age: number): readonly string[] => {
    const stream = new Stream(setting()).settle("x", PAYMENT);
    stream.turn([], { listing: [[PAYMENT, "x"]], appliers: ["v1", "v2", "v3"] }).heal().at += age;
    stream.end({ v1: "same", v2: "same", v3: "same", v4: "other" });
    return details(convergence(stream.setting), stream);
  };
  expect(found(0)).toEqual([]);
  expect(found(CATCH_UP_MS)).toEqual([
    expect.stringMatching(/^v4 ends with state root .*; v4 is in epoch 0, v1 in epoch 1$/),
  ]);
});

test("a node that is an epoch ahead of the core is named, unless the closing that the core lacks is young", () => {
  const found = (age: number): readonly string[] => {
    const stream = new Stream(setting()).settle("x", PAYMENT);
    stream.turn([], { listing: [[PAYMENT, "x"]], appliers: ["v4"] }).heal(["v1", "v2", "v3"]).at += age;
    stream.end({ v1: "same", v2: "same", v3: "same", v4: "other" });
    return details(convergence(stream.setting), stream);
  };
  expect(found(0)).toEqual([]);
  expect(found(CATCH_UP_MS)).toEqual([
    expect.stringMatching(/^v4 ends with state root .*; v4 is in epoch 1, v1 in epoch 0$/),
  ]);
});

test("a validator may end in the middle of a step that closes an epoch, before any record of it", () => {
  const run = (epoch: number, root: string): readonly string[] => {
    const stream = new Stream(setting()).heal();
    const end = { type: "finalState", honest: true, facts: [] } as const;
    stream.push({ ...end, node: "v1", epoch: 0 as Epoch, root: hash("old") });
    stream.push({ ...end, node: "v2", epoch: 0 as Epoch, root: hash("old") });
    stream.push({ ...end, node: "v3", epoch: epoch as Epoch, root: hash(root) });
    stream.push({ ...end, node: "v4", epoch: 0 as Epoch, root: hash("old") });
    return details(convergence(stream.setting), stream.end());
  };
  expect(run(1, "new")).toEqual([]);
  expect(run(0, "new")).toEqual([expect.stringMatching(/^v3 ends with state root/)]);
});
