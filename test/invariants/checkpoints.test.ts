import { describe, expect, test } from "vitest";
import type { CheckpointHeader } from "../../src/core/base/slot.ts";
import type { NodeName } from "../../src/invariants/observation.ts";
import { differingParts, partRootsOf, partsOf } from "../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { checkpoints } from "../../src/invariants/oracles/checkpoints/checkpoints.ts";
import { genesisLedger } from "../../src/invariants/reference/state.ts";
import { runScenario } from "../../src/run/run.ts";
import { scenarioIn } from "../run/support.ts";
import { checkpoint, closing, type Listing, operationsIn, POLICY, parametersOf } from "./closings.ts";
import { finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB } = v;

const X = v.own("x", 0, v.payment(ALICE, 0, BOB, 1));
const Y = v.own("y", 1, v.payment(ALICE, 1, BOB, 1));
const Z = v.own("z", 0, v.payment(BOB, 0, ALICE, 1));
const W = v.own("w", 0, v.payment(ALICE, 0, v.CAROL, 1));
const RICH = v.own("r", 0, v.payment(ALICE, 0, BOB, 5_000));
const MINT = v.signed("mint", v.ISSUER, 0, { token: v.USD, recipient: BOB, value: 5n as never });
const CANCEL = v.signed("cancellation", ALICE, 0, {});
const SKIP = v.cancelled(["c", CANCEL], ["one", v.payment(ALICE, 0, BOB, 1)]);
const XZ: Listing = [
  [X, "x"],
  [Z, "z"],
];

interface Wrong {
  readonly hash?: string;
  readonly root?: string;
  readonly header?: Partial<CheckpointHeader>;
}

/** A node applies checkpoint `number`, which follows the previous one unless spoiled. */
function form(stream: Stream, nodes: readonly NodeName[], number: number, listing: Listing, wrong: Wrong = {}): Stream {
  const value = checkpoint(number, listing, wrong.header);
  const operations = operationsIn(listing);
  const root = wrong.root === undefined ? {} : { root: v.hash(wrong.root) };
  for (const node of nodes)
    stream.checkpointed(node, v.hash(wrong.hash ?? `checkpoint ${number}`), value, { operations, ...root });
  return stream;
}

const fresh = (byzantine: readonly NodeName[] = [], epochLength?: number): Stream =>
  new Stream(v.setting({ byzantine, genesis: { checkpoints: POLICY, epochLength } }));
const settled = (): Stream => fresh().settle("x", X);
const both = (): Stream => settled().settle("z", Z);
/** Three effects in two checkpoints, at every node. */
const clean = (): Stream => {
  const stream = both();
  form(stream, stream.names(), 1, XZ).settle("y", Y);
  return form(stream, stream.names(), 2, [[Y, "y"]]);
};
/** v1 applies a third checkpoint after a clean run. */
const third = (listing: Listing = [], wrong: Wrong = {}): Stream => form(clean(), ["v1"], 3, listing, wrong);
/** v1 applies a first checkpoint. */
const first = (stream: Stream, ...listing: Listing): Stream => form(stream, ["v1"], 1, listing);
const again = (): Stream => clean().crash("v1").restart("v1");

const find = finder(checkpoints, false);
/** Long enough after an application that a checkpoint must list it. */
const quiet = (stream: Stream): Stream => stream.heal().later(15_000).end();

/** The last slots were applied too late to be listed. */
const late = (): Stream =>
  clean()
    .heal()
    .later(5_000)
    .settleOwn("y2", v.payment(ALICE, 2, BOB, 1))
    .end();
const stopped = (): Stream => settled().heal().later(15_000).end({}, false);

const ahead = { header: { timestamp: 1_000 } };
const other = { header: { stateRoot: v.hash("another") } };
const LIES = "does not replay";
const all = (stream: Stream, listing: Listing, wrong?: Wrong): Stream =>
  form(stream, stream.names(), 1, listing, wrong);
const AUTHORISED: Listing = [[v.own("m", 0, MINT)], [v.list(0, [["m", MINT]]), "m"]];

describe("a chain of checkpoints is broken by", () =>
  testRuns(find, [
    [
      "two hashes under one number",
      () => form(first(settled(), [X, "x"]), ["v2"], 1, [[X, "x"]], { hash: "another" }),
      /^checkpoint 1 is 0x.* at v2 and 0x.* at v1$/,
    ],
    [
      "another parent",
      () => third([], { header: { parentHash: v.hash("another") } }),
      "checkpoint 3 of v1 names parent",
    ],
    [
      "a gap in a node's numbers",
      () => form(third(), ["v1", "v2"], 4, []),
      /^v2 applied checkpoint 4, but 3 is its next$/,
    ],
    [
      "one number twice at a node",
      () => form(clean(), ["v3"], 2, [[Y, "y"]]),
      /^v3 applied checkpoint 2, but 3 is its next$/,
    ],
    [
      "another state at a node than it says",
      () => form(first(fresh()), ["v2"], 1, [], { root: "another" }),
      /^v2 holds state root .* after checkpoint 1/,
    ],
    ["an effect in two checkpoints", () => third([[Y, "y"]]), "checkpoint 3 lists slot 1 of account"],
    ["an effect twice in one", () => first(settled(), [X, "x"], [X, "x"]), LIES],
    [
      "an effect in none",
      () => quiet(all(both(), [[X, "x"]])),
      /^1 decided slot is in no checkpoint: slot 0 of account .*\. Next is checkpoint 2: no signatures\. Needed to proceed: votes in round 0 \(none so far\)/,
    ],
    ["no effect before the next timestamp, where clocks ran ahead", () => quiet(all(both(), [[X, "x"]], ahead))],
    ["another value than was decided", () => first(settled(), [W, "w"]), "lists another value for slot 0 of account"],
    [
      "a transactions root of something else",
      () => first(settled(), [X, "y"]),
      /^checkpoint 1 has a transactions root that does not match the 1 effect it lists$/,
    ],
    [
      "effects in another order than their root",
      () => first(both(), [X, "z"], [Z, "x"]),
      /^checkpoint 1 has a transactions root that does not match the 2 effects it lists$/,
    ],
    [
      "a state root of another state, once",
      () => form(third([], other), ["v1"], 4, [], other),
      /^checkpoint 3 has a state root that does not match the state after what it lists$/,
    ],
    [
      "a receipts root of something else",
      () => third([], { header: { receiptsRoot: v.hash("another") } }),
      /^checkpoint 3 has a receipts root that does not match the 0 effects it lists$/,
    ],
    [
      "a timestamp at its parent's",
      () => third([], { header: { timestamp: 2 } }),
      "has timestamp 2, expected at least 3",
    ],
    ["a timestamp before it", () => third([], { header: { timestamp: 0 } }), "has timestamp 0, expected at least 3"],
    [
      "a list out of its sequence",
      () => first(settled().settle("y", Y), [Y, "y"], [X, "x"]),
      /lists slot 1 of account.*which does not replay/,
      LIES,
    ],
    [
      "a token's list before what authorised it",
      () => first(fresh().govern("m", 0, 0, MINT), [v.list(0, [["m", MINT]]), "m"]),
      LIES,
      "a transactions root that does not match the 0 effects",
    ],
    ["a list past what its sender has", () => first(fresh(), [RICH, "r"]), LIES],
    [
      "another hash after a restart",
      () => form(again(), ["v1"], 1, XZ, { hash: "another" }),
      /^checkpoint 1 is .* at v1 and /,
    ],
  ]));

describe("a chain of checkpoints is sound", () =>
  testRuns(find, [
    ["in a clean run to its end", () => quiet(clean())],
    ["where an authorisation is listed with its effect", () => quiet(all(fresh().govern("m", 0, 0, MINT), AUTHORISED))],
    ["where the last slots were applied too late to be listed", late],
    ["where the run was stopped before its end", stopped],
    ["where none are formed", () => quiet(new Stream(v.setting()).settle("x", X))],
    [
      "where a Byzantine node applies anything",
      () =>
        quiet(
          form(form(fresh(["v4"]).settle("x", X), ["v4"], 7, [[Y, "z"]], { root: "another" }), ["v1", "v2", "v3"], 1, [
            [X, "x"],
          ]),
        ),
    ],
    [
      "after a crash and a restart at a snapshot or at the genesis",
      () => quiet(form(form(form(again(), ["v1"], 1, XZ), ["v1"], 2, [[Y, "y"]]), ["v1", "v2", "v3", "v4"], 3, [])),
    ],
    [
      "where a skip is listed with its two operations",
      () => quiet(all(fresh().submit("alice", "c", CANCEL).settle("c", SKIP), [[SKIP, "c"]])),
    ],
  ]));

test("a state root that the ledger made otherwise is told with the part that differs", () => {
  const scenario = scenarioIn("scenarios/bugs/allowance-of-any-role.yaml");
  const [seen] = runScenario(scenario, { seed: "1" }).expected;
  expect(seen?.detail).toMatch(/^checkpoint \d+ has a state root that does not match .* lists; different: tokens$/);
});

const PARTS = partsOf(genesisLedger(v.setting().genesis));
const ROOTS = partRootsOf(PARTS).map(([, root]) => root);

test.each(partRootsOf(PARTS).map(([name], at) => [name, at] as const))("names %s", (name, at) => {
  expect(differingParts(PARTS, ROOTS.with(at, v.hash("another")))).toEqual([name]);
});

test("names the header where all parts are as expected", () =>
  expect(differingParts(PARTS, ROOTS)).toEqual(["header"]));

const parameters = parametersOf(fresh().setting);
const NEXT = { ...parameters, fees: { default: v.HIGHER_FEES, tokens: new Map() } };
const NONE = { ...parameters, checkpoints: undefined };
const SLOWER = { ...parameters, checkpoints: { ...POLICY, periodSeconds: 2 } };
const long = (epochLength: number): Stream => fresh([], epochLength).form(1, []);
/** The epoch of which checkpoint 1 is closed by checkpoint 2, if nothing else is said. */
const closed = (more: Parameters<Stream["turn"]>[1], stream = fresh().form(1, [])): Stream =>
  stream.turn([], { number: 2, ...more });
/** v1 applies the closing of epoch 1, which is not open. */
const early = (): Stream => fresh().closed("v1", v.hash("checkpoint 1"), closing({ epoch: 1, next: parameters }));

/** Checkpoint 1 lists x, and the closing of epoch 0 lists z as checkpoint 2; v1 and v2 close the next one. */
const cleanClosing = (): Stream =>
  closed(
    { listing: [[Z, "z"]] },
    settled()
      .form(1, [[X, "x"]])
      .settle("z", Z),
  );
const SECOND = closing({ epoch: 1, number: 3, next: parameters });
const twice = (name: string, more?: Parameters<Stream["closed"]>[3]): Stream =>
  cleanClosing().closed("v1", v.hash("checkpoint 3"), SECOND).closed("v2", v.hash(name), SECOND, more);
const periodic = (number: number, timestamp?: number): Stream => {
  const stream = settled()
    .turn([], { listing: [[X, "x"]], next: SLOWER })
    .settle("y", Y);
  return form(stream, stream.names(), number, [[Y, "y"]], timestamp === undefined ? {} : { header: { timestamp } });
};
const THREE = ["v1", "v2", "v3"];

describe("a closing breaks the chain", () =>
  testRuns(find, [
    [
      "with a number that leaves one out",
      () => closed({ number: 3 }),
      /^v1 applied checkpoint 3 \(the closing of epoch 0\), but 2 is its next$/,
      "names parent",
      ...["v2", "v3", "v4"].map((node) => `${node} applied checkpoint 3 (the closing of epoch 0), but 2 is its next`),
    ],
    [
      "with another parent",
      () => closed({ header: { parentHash: v.hash("other") } }),
      "checkpoint 2 (the closing of epoch 0) of v1 names parent",
    ],
    ["before its parent's time", () => closed({ header: { timestamp: 0 } }), "has timestamp 0, expected at least 1"],
    ["that lists a slot again", () => closed({ listing: [[X, "x"]] }, settled().form(1, [[X, "x"]])), LIES],
    ["that leaves a decided slot out", () => settled().turn(), "omits 1 decided slot of its epoch: slot 0 of account"],
    ["that leaves a slot out, once for each", () => quiet(settled().turn()), "omits 1 decided slot"],
    [
      "with another value than was decided",
      () => settled().turn([], { listing: [[W, "w"]] }),
      "lists another value for slot 0 of account",
    ],
    [
      "with a root of other transactions",
      () => settled().turn([], { listing: [[X, "y"]] }),
      "a transactions root that does not match the 1 effect",
    ],
    [
      "of an epoch that is not open",
      early,
      "v1 applied checkpoint 1 (the closing of epoch 1) in epoch 0",
      "checkpoint 1 (the closing of epoch 1) is invalid: epoch 0 is open, not 1",
    ],
    ["by a checkpoint that does not make it due", () => closed({ due: 1 }), "where no checkpoint makes it due"],
    [
      "by a checkpoint that changes the parameters",
      () => closed({ due: 1, next: NEXT }, long(1)),
      "changes the parameters without a proposal",
    ],
    ["by a checkpoint before the one that makes it due", () => closed({ due: 1 }, long(2)), "where it is due after 2"],
    [
      "with another state at a node than it says",
      () => twice("checkpoint 3", { root: v.hash("other") }),
      /^v2 holds state root .* after checkpoint 3 \(the closing of epoch 1\), expected/,
    ],
    ["as another one under its number", () => twice("other"), /^checkpoint 3 is 0x.* at v2 and 0x.* at v1$/],
    [
      "where a node learns too late what was decided before it",
      () =>
        fresh()
          .turn([], { appliers: ["v1"] })
          .apply("v2", X),
      /^v2 applied slot 0 of account .* in epoch 0, whose closing neither lists nor follows it/,
    ],
    [
      "before a checkpoint past the last one of its epoch",
      () => long(1).form(2, []),
      /^checkpoint 2 is past 1, after which epoch 0 is due to close$/,
    ],
    [
      "before a checkpoint where none are formed",
      () => fresh().turn([], { next: NONE }).form(2, []),
      /^checkpoint 2 was formed in epoch 1, which has no checkpoints$/,
    ],
    ["before a checkpoint that is too early", () => periodic(2), "checkpoint 2 has timestamp 2, expected at least 3"],
  ]));

/** An epoch without checkpoints ends while v4 lags, and the next one forms them. */
function beginning(): Stream {
  const stream = new Stream(v.setting()).settle("x", X);
  stream.turn([], {
    listing: [[X, "x"]],
    appliers: THREE,
    next: { ...parametersOf(stream.setting), checkpoints: POLICY },
  });
  return stream.crash("v4").restart("v4").apply("v4", X).settle("y", Y, { nodes: THREE });
}

describe("a chain with closings is sound", () =>
  testRuns(find, [
    ["where each slot is listed once, in a checkpoint or a closing", () => quiet(cleanClosing())],
    ["where the next epoch goes on with numbers, slots and another period", () => quiet(periodic(2, 3))],
    [
      "where each epoch closes after its checkpoints",
      () => closed({ due: 1 }, long(1)).form(3, []).turn([], { number: 4, due: 3 }),
    ],
    [
      "where the next epoch begins to form checkpoints, but for what it owes",
      () => quiet(beginning()),
      /^1 decided slot is in no checkpoint: slot 1 of/,
    ],
    ["where the next epoch forms no checkpoints", () => quiet(fresh().turn([], { next: NONE }).settle("x", X))],
    [
      "where a Byzantine node applies anything",
      () =>
        fresh(["v4"])
          .closed("v4", v.hash("lie"), closing({ epoch: 3, number: 9, next: parameters }), { root: v.hash("lie") })
          .turn(),
    ],
  ]));
