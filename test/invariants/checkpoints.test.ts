import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckpointHeader } from "../../src/core/base/slot.ts";
import { constantsOf } from "../../src/invariants/constants.ts";
import { createJudge } from "../../src/invariants/judge.ts";
import type { NodeName } from "../../src/invariants/observation.ts";
import { differingParts, partRootsOf, partsOf } from "../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { checkpoints } from "../../src/invariants/oracles/checkpoints/checkpoints.ts";
import { genesisLedger } from "../../src/invariants/reference/state.ts";
import { runScenario } from "../../src/run/run.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { checkpoint, type Listing, operationsIn, POLICY } from "./closings.ts";
import { copyOf, details, Stream } from "./support.ts";
import { ALICE, BOB, CAROL, cancelled, hash, ISSUER, list, own, payment, setting, signed, USD } from "./vocabulary.ts";

const X = own("x", 0, payment(ALICE, 0, BOB, 1));
const Y = own("y", 1, payment(ALICE, 1, BOB, 1));
const Z = own("z", 0, payment(BOB, 0, ALICE, 1));
const MINT = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: 5n as never });

interface Wrong {
  readonly hash?: string;
  readonly root?: string;
  readonly header?: Partial<CheckpointHeader>;
}

/** A node applies checkpoint `number`, which follows the previous one unless spoiled. */
function form(stream: Stream, nodes: readonly NodeName[], number: number, listing: Listing, wrong: Wrong = {}): Stream {
  const value = checkpoint(number, listing, wrong.header);
  const operations = operationsIn(listing);
  const root = wrong.root === undefined ? {} : { root: hash(wrong.root) };
  for (const node of nodes) {
    stream.checkpointed(node, hash(wrong.hash ?? `checkpoint ${number}`), value, { operations, ...root });
  }
  return stream;
}

function fresh(byzantine: readonly NodeName[] = []): Stream {
  return new Stream(setting({ byzantine, genesis: { checkpoints: POLICY } }));
}

/** Three effects in two checkpoints, at every node. */
function clean(): Stream {
  const stream = fresh().settle("x", X).settle("z", Z);
  form(stream, stream.names(), 1, [
    [X, "x"],
    [Z, "z"],
  ]);
  stream.settle("y", Y);
  return form(stream, stream.names(), 2, [[Y, "y"]]);
}

const found = (stream: Stream): readonly string[] => details(checkpoints(stream.setting), stream);
/** Long enough after an application that a checkpoint must list it. */
function quiet(stream: Stream): Stream {
  stream.heal().at += stream.setting.livenessMs + 10_000;
  return stream.end();
}

const parser = createParser();

describe("a chain of checkpoints that is broken", () => {
  test("two hashes under one number", () => {
    const stream = fresh().settle("x", X);
    form(stream, ["v1"], 1, [[X, "x"]]);
    form(stream, ["v2"], 1, [[X, "x"]], { hash: "another" });
    expect(found(stream)).toEqual([expect.stringMatching(/^checkpoint 1 is 0x.* at v2 and 0x.* at v1$/)]);
  });

  test("another parent", () => {
    const stream = form(clean(), ["v1"], 3, [], { header: { parentHash: hash("another") } });
    expect(found(stream)).toEqual([expect.stringContaining("checkpoint 3 of v1 names parent")]);
  });

  test("a gap in a node's numbers", () => {
    const stream = clean();
    form(stream, ["v1"], 3, []);
    form(stream, ["v1", "v2"], 4, []);
    expect(found(stream)).toEqual(["v2 applied checkpoint 4, but 3 is its next"]);
  });

  test("one number twice at a node", () => {
    const stream = form(clean(), ["v3"], 2, [[Y, "y"]]);
    expect(found(stream)).toEqual(["v3 applied checkpoint 2, but 3 is its next"]);
  });

  test("another state at a node than the checkpoint says", () => {
    const stream = fresh();
    form(stream, ["v1"], 1, []);
    form(stream, ["v2"], 1, [], { root: "another" });
    expect(found(stream)).toEqual([expect.stringMatching(/^v2 holds state root .* after checkpoint 1/)]);
  });

  test("an effect in two checkpoints", () => {
    const stream = form(clean(), ["v1"], 3, [[Y, "y"]]);
    expect(found(stream)).toEqual([expect.stringContaining("checkpoint 3 lists slot 1 of account")]);
  });

  test("an effect twice in one", () => {
    const stream = form(fresh().settle("x", X), ["v1"], 1, [
      [X, "x"],
      [X, "x"],
    ]);
    expect(found(stream)).toEqual([expect.stringContaining("which does not replay")]);
  });

  test("an effect in none", () => {
    const stream = fresh().settle("x", X).settle("z", Z);
    form(stream, stream.names(), 1, [[X, "x"]]);
    expect(found(quiet(stream))).toEqual([
      expect.stringMatching(
        /^1 decided slot is in no checkpoint: slot 0 of account .*\. Next is checkpoint 2: no signatures\. Needed to proceed: votes in round 0 \(none so far\)/,
      ),
    ]);
  });

  test("none in what comes before the next timestamp, where clocks ran ahead", () => {
    const stream = fresh().settle("x", X).settle("z", Z);
    form(stream, stream.names(), 1, [[X, "x"]], { header: { timestamp: 1_000 } });
    expect(found(quiet(stream))).toEqual([]);
  });

  test("another value than was decided", () => {
    const other = own("w", 0, payment(ALICE, 0, CAROL, 1));
    const stream = form(fresh().settle("x", X), ["v1"], 1, [[other, "w"]]);
    expect(found(stream)).toEqual([expect.stringContaining("lists another value for slot 0 of account")]);
  });

  test("a transactions root of something else", () => {
    const stream = form(fresh().settle("x", X), ["v1"], 1, [[X, "y"]]);
    expect(found(stream)).toEqual(["checkpoint 1 has a transactions root that does not match the 1 effect it lists"]);
  });

  test("effects in another order than their root", () => {
    const stream = form(fresh().settle("x", X).settle("z", Z), ["v1"], 1, [
      [X, "z"],
      [Z, "x"],
    ]);
    expect(found(stream)).toEqual(["checkpoint 1 has a transactions root that does not match the 2 effects it lists"]);
  });

  test("a state root of another state, once", () => {
    const stream = form(clean(), ["v1"], 3, [], { header: { stateRoot: hash("another") } });
    const text = "checkpoint 3 has a state root that does not match the state after what it lists";
    expect(found(form(stream, ["v1"], 4, [], { header: { stateRoot: hash("another") } }))).toEqual([text]);
  });

  test("a state root that the ledger made otherwise, with the part that differs", () => {
    const scenario = parser.parse(readFileSync("scenarios/bugs/allowance-of-any-role.yaml", "utf8"));
    if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
    const [seen] = runScenario(scenario.value, { seed: "1" }).expected;
    expect(seen?.detail).toMatch(/^checkpoint \d+ has a state root that does not match .* lists; different: tokens$/);
  });

  test("a receipts root of something else", () => {
    const stream = form(clean(), ["v1"], 3, [], { header: { receiptsRoot: hash("another") } });
    expect(found(stream)).toEqual(["checkpoint 3 has a receipts root that does not match the 0 effects it lists"]);
  });

  test.each([
    ["at its parent's", 2],
    ["before its parent's", 0],
  ])("a timestamp %s", (_what, timestamp) => {
    const stream = form(clean(), ["v1"], 3, [], { header: { timestamp } });
    expect(found(stream)).toEqual([`checkpoint 3 has timestamp ${timestamp}, expected at least 3`]);
  });

  test("a list out of its sequence", () => {
    const stream = form(fresh().settle("x", X).settle("y", Y), ["v1"], 1, [
      [Y, "y"],
      [X, "x"],
    ]);
    expect(found(stream)[0]).toContain("lists slot 1 of account");
    expect(found(stream)[0]).toContain("which does not replay");
  });

  test("a token's list before what authorised it", () => {
    const stream = form(fresh().govern("m", 0, 0, MINT), ["v1"], 1, [[list(0, [["m", MINT]]), "m"]]);
    expect(found(stream)[0]).toContain("which does not replay");
  });

  test("a list past what its sender has", () => {
    const rich = own("r", 0, payment(ALICE, 0, BOB, 5_000));
    expect(found(form(fresh(), ["v1"], 1, [[rich, "r"]]))).toEqual([expect.stringContaining("which does not replay")]);
  });
});

describe("a chain of checkpoints that is sound", () => {
  test("in a clean run to its end", () => expect(found(quiet(clean()))).toEqual([]));

  test("where an authorisation is listed with its effect", () => {
    const stream = fresh().govern("m", 0, 0, MINT);
    form(stream, stream.names(), 1, [[own("m", 0, MINT)], [list(0, [["m", MINT]]), "m"]]);
    expect(found(quiet(stream))).toEqual([]);
  });

  test("where the last slots were applied too late to be listed", () => {
    const stream = clean().heal();
    stream.at += stream.setting.livenessMs;
    expect(found(stream.settle("y2", own("y2", 2, payment(ALICE, 2, BOB, 1))).end())).toEqual([]);
  });

  test("where the run was stopped before its end", () => {
    const stream = fresh().settle("x", X).heal();
    stream.at += stream.setting.livenessMs + 10_000;
    expect(found(stream.end({}, false))).toEqual([]);
  });

  test("where none are formed", () => {
    const stream = new Stream(setting()).settle("x", X);
    expect(found(quiet(stream))).toEqual([]);
  });

  test("where a Byzantine node applies anything", () => {
    const stream = form(fresh(["v4"]).settle("x", X), ["v4"], 7, [[Y, "z"]], { root: "another" });
    form(stream, ["v1", "v2", "v3"], 1, [[X, "x"]]);
    expect(found(quiet(stream))).toEqual([]);
  });

  test("after a crash and a restart at a snapshot or at the genesis", () => {
    const stream = clean().crash("v1").restart("v1");
    form(stream, ["v1"], 1, [
      [X, "x"],
      [Z, "z"],
    ]);
    form(stream, ["v1"], 2, [[Y, "y"]]);
    form(stream, stream.names(), 3, []);
    expect(found(quiet(stream))).toEqual([]);
  });

  test("and still judged after them", () => {
    const stream = clean().crash("v1").restart("v1");
    form(
      stream,
      ["v1"],
      1,
      [
        [X, "x"],
        [Z, "z"],
      ],
      { hash: "another" },
    );
    expect(found(stream)).toEqual([expect.stringMatching(/^checkpoint 1 is .* at v1 and /)]);
  });

  test("in each of two copies of one judgement", () => {
    const stream = clean();
    const first = createJudge(stream.setting, [checkpoints(stream.setting)]);
    for (const record of stream.records) expect(first.observe(record)).toEqual([]);
    const second = copyOf(first, createJudge(stream.setting, [checkpoints(stream.setting)]));
    const before = stream.records.length;
    const good = form(stream, ["v1"], 3, []).records.slice(before);
    const other = clean();
    form(other, ["v1"], 3, [], { hash: "another" });
    const bad = form(other, ["v2"], 3, []).records.slice(before);
    expect(good.flatMap((record) => first.observe(record))).toEqual([]);
    expect(bad.flatMap((record) => second.observe(record)).map(({ detail }) => detail)).toEqual([
      expect.stringContaining("checkpoint 3 is"),
    ]);
    const rest = form(stream, ["v2"], 3, []).records.slice(before + 1);
    expect(rest.flatMap((record) => first.observe(record))).toEqual([]);
  });

  test("where a skip is listed with its two operations", () => {
    const [one, two] = [payment(ALICE, 0, BOB, 1), signed("cancellation", ALICE, 0, {})];
    const skip = cancelled(["c", two], ["one", one]);
    const stream = fresh().submit("alice", "c", two).settle("c", skip);
    form(stream, stream.names(), 1, [[skip, "c"]]);
    expect(found(quiet(stream))).toEqual([]);
  });
});

const PARTS = partsOf(genesisLedger(constantsOf(setting().genesis)));
const ROOTS = partRootsOf(PARTS).map(([, root]) => root);

test.each(partRootsOf(PARTS).map(([name], at) => [name, at] as const))("names %s", (name, at) => {
  expect(differingParts(PARTS, ROOTS.with(at, hash("another")))).toEqual([name]);
});

test("names the header where all parts are as expected", () => {
  expect(differingParts(PARTS, ROOTS)).toEqual(["header"]);
});
