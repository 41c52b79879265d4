import { describe, expect, test } from "vitest";
import { checkpoints } from "../../src/invariants/oracles/checkpoints/checkpoints.ts";
import { checkpoint, closing, type Listing, operationsIn, POLICY, parametersOf } from "./closings.ts";
import { details, Stream } from "./support.ts";
import { ALICE, BOB, CAROL, type Decision, HIGHER_FEES, hash, own, payment, setting } from "./vocabulary.ts";

const X = own("x", 0, payment(ALICE, 0, BOB, 1));
const Y = own("y", 1, payment(ALICE, 1, BOB, 1));
const Z = own("z", 0, payment(BOB, 0, ALICE, 1));

function fresh(epochLength?: number): Stream {
  return new Stream(setting({ genesis: { checkpoints: POLICY, epochLength } }));
}

const found = (stream: Stream): readonly string[] => details(checkpoints(stream.setting), stream);

/** Checkpoint 1 lists x, and the closing of epoch 0 lists z as checkpoint 2. */
function clean(): Stream {
  const stream = fresh()
    .settle("x", X)
    .form(1, [[X, "x"]])
    .settle("z", Z);
  return stream.turn([], { number: 2, listing: [[Z, "z"]] });
}

function quiet(stream: Stream): Stream {
  stream.heal().at += stream.setting.livenessMs + 10_000;
  return stream.end();
}

describe("a closing that breaks the chain", () => {
  const higherFees = (stream: Stream) => ({
    ...parametersOf(stream.setting),
    fees: { default: HIGHER_FEES, tokens: new Map() },
  });

  test.each<[string, (stream: Stream) => Stream, string]>([
    [
      "with a number that leaves one out",
      (s) => s.form(1, []).turn([], { number: 3 }),
      "v1 applied checkpoint 3 (the closing of epoch 0), but 2 is its next",
    ],
    [
      "with another parent",
      (s) => s.form(1, []).turn([], { number: 2, header: { parentHash: hash("other") } }),
      "checkpoint 2 (the closing of epoch 0) of v1 names parent",
    ],
    [
      "before its parent's time",
      (s) => s.form(1, []).turn([], { number: 2, header: { timestamp: 0 } }),
      "has timestamp 0, expected at least 1",
    ],
    [
      "that lists a slot again",
      (s) =>
        s
          .settle("x", X)
          .form(1, [[X, "x"]])
          .turn([], { number: 2, listing: [[X, "x"]] }),
      "which does not replay",
    ],
    [
      "that leaves a decided slot out",
      (s) => s.settle("x", X).turn(),
      "omits 1 decided slot of its epoch: slot 0 of account",
    ],
    [
      "with another value than was decided",
      (s) => s.settle("x", X).turn([], { listing: [[own("w", 0, payment(ALICE, 0, CAROL, 1)), "w"]] }),
      "lists another value for slot 0 of account",
    ],
    [
      "with a root of other transactions",
      (s) => s.settle("x", X).turn([], { listing: [[X, "y"]] }),
      "a transactions root that does not match the 1 effect",
    ],
    [
      "of an epoch that is not open",
      (s) => clean1(s, closing({ epoch: 1, next: parametersOf(s.setting) })),
      "v1 applied checkpoint 1 (the closing of epoch 1) in epoch 0",
    ],
    [
      "by a checkpoint that does not make it due",
      (s) => s.form(1, []).turn([], { number: 2, due: 1 }),
      "follows checkpoint 1, where no checkpoint makes it due",
    ],
  ])("%s", (_what, build, words) => {
    expect(found(build(fresh()))[0]).toContain(words);
  });

  test("of an epoch that is not open does not replay", () => {
    const stream = fresh();
    const words = "checkpoint 1 (the closing of epoch 1) is invalid: epoch 0 is open, not 1";
    expect(found(clean1(stream, closing({ epoch: 1, next: parametersOf(stream.setting) })))).toContain(words);
  });

  test("by a checkpoint that changes the parameters", () => {
    const stream = fresh(1).form(1, []);
    stream.turn([], { number: 2, due: 1, next: higherFees(stream) });
    expect(found(stream)[0]).toContain("changes the parameters without a proposal");
  });

  test("by a checkpoint before the one that makes it due", () => {
    const stream = fresh(2).form(1, []).turn([], { number: 2, due: 1 });
    expect(found(stream)[0]).toContain("follows checkpoint 1, where it is due after 2");
  });

  test("with another state at a node than it says", () => {
    const stream = clean();
    const value = closing({ epoch: 1, number: 3, next: parametersOf(stream.setting) });
    stream.closed("v1", hash("checkpoint 3"), value).closed("v2", hash("checkpoint 3"), value, { root: hash("other") });
    expect(found(stream)).toEqual([
      expect.stringMatching(/^v2 holds state root .* after checkpoint 3 \(the closing of epoch 1\), expected/),
    ]);
  });

  test("as another one under its number", () => {
    const stream = clean();
    const value = closing({ epoch: 1, number: 3, next: parametersOf(stream.setting) });
    stream.closed("v1", hash("checkpoint 3"), value).closed("v2", hash("other"), value);
    expect(found(stream)).toEqual([expect.stringMatching(/^checkpoint 3 is 0x.* at v2 and 0x.* at v1$/)]);
  });

  test("where a node learns too late what was decided before it", () => {
    const stream = fresh()
      .turn([], { appliers: ["v1"] })
      .apply("v2", X);
    expect(found(stream)).toEqual([
      expect.stringMatching(/^v2 applied slot 0 of account .* in epoch 0, whose closing neither lists nor follows it/),
    ]);
  });

  test("by leaving out a slot, once for each", () => {
    const stream = fresh().settle("x", X).turn();
    expect(found(quiet(stream))).toHaveLength(1);
  });

  test("where an ordinary checkpoint is past the last one of its epoch, or where none are formed", () => {
    const past = fresh(1).form(1, []).form(2, []);
    expect(found(past)[0]).toBe("checkpoint 2 is past 1, after which epoch 0 is due to close");
    const stream = fresh();
    stream.turn([], { next: { ...parametersOf(stream.setting), checkpoints: undefined } }).form(2, []);
    expect(found(stream)[0]).toBe("checkpoint 2 was formed in epoch 1, which has no checkpoints");
  });
});

/** v1 applies a closing without agreement. */
function clean1(stream: Stream, value: ReturnType<typeof closing>): Stream {
  return stream.closed("v1", hash("checkpoint 1"), value);
}

describe("a chain with closings is sound", () => {
  test("where each slot is listed once, in a checkpoint or a closing", () => expect(found(quiet(clean()))).toEqual([]));

  test("where the next epoch goes on with numbers, slots and another period", () => {
    const stream = fresh().settle("x", X);
    const next = { ...parametersOf(stream.setting), checkpoints: { ...POLICY, periodSeconds: 2 } };
    stream.turn([], { listing: [[X, "x"]], next }).settle("y", Y);
    const listing: Listing = [[Y, "y"]];
    const late = checkpoint(2, listing, { timestamp: 3 });
    for (const node of stream.names())
      stream.checkpointed(node, hash("checkpoint 2"), late, { operations: operationsIn(listing) });
    expect(found(quiet(stream))).toEqual([]);
    const early = fresh().turn([], { next });
    expect(found(early.form(2, []))).toEqual(["checkpoint 2 has timestamp 2, expected at least 3"]);
  });

  test("where each epoch closes after its checkpoints", () => {
    const stream = fresh(1).form(1, []).turn([], { number: 2, due: 1 });
    stream.form(3, []).turn([], { number: 4, due: 3 });
    expect(found(stream)).toEqual([]);
  });

  test("where an epoch without checkpoints ends, and the next one forms them", () => {
    const stream = new Stream(setting()).settle("x", X);
    stream.turn([], {
      listing: [[X, "x"]],
      appliers: ["v1", "v2", "v3"],
      next: { ...parametersOf(stream.setting), checkpoints: POLICY },
    });
    const slow: Decision = X;
    stream.crash("v4").restart("v4").apply("v4", slow);
    stream.settle("y", Y, { nodes: ["v1", "v2", "v3"] });
    expect(found(quiet(stream))).toEqual([expect.stringMatching(/^1 decided slot is in no checkpoint: slot 1 of/)]);
  });

  test("where the next epoch forms no checkpoints", () => {
    const stream = fresh();
    stream.turn([], { next: { ...parametersOf(stream.setting), checkpoints: undefined } }).settle("x", X);
    expect(found(quiet(stream))).toEqual([]);
  });

  test("where a Byzantine node applies anything", () => {
    const stream = new Stream(setting({ byzantine: ["v4"], genesis: { checkpoints: POLICY } }));
    stream.closed("v4", hash("lie"), closing({ epoch: 3, number: 9, next: parametersOf(stream.setting) }), {
      root: hash("lie"),
    });
    expect(found(stream.turn())).toEqual([]);
  });
});
