import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Hash } from "../../src/core/base/ids.ts";
import type { Claim } from "../../src/invariants/observation.ts";
import { accountability } from "../../src/invariants/oracles/accountability.ts";
import { agreement } from "../../src/invariants/oracles/agreement.ts";
import {
  checkpoint,
  checkpointSlot,
  claim,
  closing,
  epochSlotOf,
  type Listing,
  POLICY,
  parametersOf,
} from "./closings.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, BOB, CAROL, hash, own, payment, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("value x"), hash("value y")];
const [PAY_X, PAY_Y] = [own("x", 0, payment(ALICE, 0, BOB, 1)), own("y", 0, payment(ALICE, 0, CAROL, 1))];
const THREE = ["v1", "v2", "v3"];
const EVERYONE = ["v1", "v2", "v3", "v4"];
const END = epochSlotOf(0);
const [CHECKPOINT_X, CHECKPOINT_Y] = [hash("checkpoint x"), hash("checkpoint y")];

/** Closings by their lists: nothing, x, y; and on checkpoints that list x or y. */
const CLOSINGS: Readonly<Record<string, { readonly on?: Hash; readonly number?: number; readonly listing: Listing }>> =
  {
    none: { listing: [] },
    x: { listing: [[PAY_X, "x"]] },
    y: { listing: [[PAY_Y, "y"]] },
    "on x": { on: CHECKPOINT_X, number: 2, listing: [] },
    "on y": { on: CHECKPOINT_Y, number: 2, listing: [] },
    "x on x": { on: CHECKPOINT_X, number: 2, listing: [[PAY_X, "x"]] },
    /** On a checkpoint that follows the one with y. */
    far: { on: hash("checkpoint 2"), number: 3, listing: [] },
  };

function fresh(byzantine: readonly string[] = []): Stream {
  const stream = new Stream(setting({ byzantine, genesis: { checkpoints: POLICY } }));
  stream.content(X, PAY_X).content(Y, PAY_Y);
  for (const [decision, name] of [
    [PAY_X, "x"],
    [PAY_Y, "y"],
  ] as const) {
    const value = checkpoint(1, [[decision, name]]);
    stream.content(hash(`checkpoint ${name}`), { value, operations: decision.operations });
  }
  const second = checkpoint(2, [], { parentHash: CHECKPOINT_Y });
  stream.content(hash("checkpoint 2"), { value: second, operations: [] });
  for (const [name, { on, number = 1, listing }] of Object.entries(CLOSINGS)) {
    const header = on === undefined ? {} : { parentHash: on };
    const value = closing({ next: parametersOf(stream.setting), number, listing, header });
    stream.content(hash(`end ${name}`), { value, operations: listing.flatMap(([one]) => one.operations) });
  }
  return stream;
}

function end(stream: Stream, name: string, nodes: readonly string[] = THREE): Stream {
  return stream.vote(nodes, END, hash(`end ${name}`)).commit(nodes, END, hash(`end ${name}`));
}

function found(stream: Stream): readonly string[] {
  return details(accountability(), stream);
}

test.each([
  ["two closes", (s: Stream) => s.close(["v1"]).close(["v1"], [claim(SLOT, X, { locked: 0 })]), "closed epoch 0 twice"],
  [
    "a lock hidden in a close, even signed in the other order",
    (s: Stream) => s.vote(["v2", "v3", "v4"], SLOT, X).close(["v1"]).commit(["v1"], SLOT, X),
    "omitted from its close of epoch 0",
  ],
  [
    "a claimed decision that never was",
    (s: Stream) => s.close(["v1"], [claim(SLOT, X)]),
    "claimed in its close of epoch 0 a decision",
  ],
  [
    "a claimed lock that never was",
    (s: Stream) => s.vote(["v2", "v3"], SLOT, X).close(["v1"], [claim(SLOT, X, { locked: 0 })]),
    "a lock on operation 0x78000000… in round 0",
  ],
  [
    "a vote for a closing that too few closes justify",
    (s: Stream) => s.close(["v1", "v2"]).vote(["v1"], END, hash("end none")),
    "which no 3 closes justify",
  ],
])("%s names its key, which is a violation where the key is honest", (_what, build, words) => {
  const found = judged(accountability(), build(fresh()));
  expect(found.at(-1)).toEqual(
    expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] }),
  );
  expect(details(accountability(), build(fresh(["v1"])))).toEqual([]);
});

describe("a closing is justified", () => {
  const LOCKED = claim(SLOT, X, { locked: 0 });
  const HIGHER = claim(SLOT, Y, { locked: 1 });
  const votes = (claims: readonly (readonly Claim[])[], name: string): readonly string[] => {
    const stream = fresh()
      .vote(THREE, SLOT, X)
      .change(["v2", "v3", "v4"], SLOT, 1)
      .vote(["v2", "v3", "v4"], SLOT, Y, 1);
    stream.vote(EVERYONE, checkpointSlot(1), CHECKPOINT_X);
    for (const [at, one] of claims.entries()) stream.close([EVERYONE[at] as string], one);
    return found(stream.vote(["v1"], END, hash(`end ${name}`)));
  };
  const CHAIN = claim(checkpointSlot(1), CHECKPOINT_X, { locked: 0 });

  test.each([
    ["by closes that know nothing", [[], [], []], "none"],
    ["by a lock that one of them shows", [[LOCKED], [], []], "x"],
    ["by the higher of two locks", [[LOCKED], [HIGHER], []], "y"],
    ["by a locked checkpoint, whose list stands for its slots", [[LOCKED], [CHAIN], []], "on x"],
    ["by three of four closes, whatever the last one shows", [[], [], [], [LOCKED]], "none"],
  ])("%s", (_what, claims, name) => expect(votes(claims, name)).toEqual([]));

  test.each([
    ["by two closes", [[], []], "none"],
    ["where it leaves out what one of three shows", [[LOCKED], [], []], "none"],
    ["where it lists what nobody shows", [[], [], []], "x"],
    ["where it lists the lower of two locks", [[LOCKED], [HIGHER], []], "x"],
    ["where its base is below a locked checkpoint", [[CHAIN], [], []], "none"],
    ["where nobody shows its base", [[LOCKED], [], []], "on x"],
    ["where it lists what its base lists", [[LOCKED], [CHAIN], []], "x on x"],
  ])("not %s", (_what, claims, name) => expect(votes(claims, name)).toEqual([expect.stringContaining("justify")]));
});

test.each(["x", "y"])("either of two locks of one round may be closed with: %s", (name) => {
  const stream = fresh(["v2", "v3"]).vote(THREE, SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  stream.close(["v1"], [claim(SLOT, X, { locked: 0 })]).close(["v4"], [claim(SLOT, Y, { locked: 0 })]);
  stream.close(["v2"], []).vote(["v1"], END, hash(`end ${name}`));
  expect(found(stream)).toEqual([]);
  expect(found(stream.vote(["v4"], END, hash("end none")))).toEqual([expect.stringContaining("justify")]);
});

describe("agreement broken across an epoch's end names f + 1", () => {
  test.each([
    ["hid it in their closes", "none", (s: Stream) => s.close(EVERYONE)],
    ["voted for what no closes justify", "none", (s: Stream) => s.close(THREE, [claim(SLOT, X, { locked: 0 })])],
    ["voted for another value than was locked", "y", (s: Stream) => s.close(THREE, [claim(SLOT, X, { locked: 0 })])],
    [
      "locked another value in a later round",
      "y",
      (s: Stream) =>
        s
          .change(THREE, SLOT, 1, { round: 0, value: X })
          .vote(["v2", "v3", "v4"], SLOT, Y, 1)
          .close(EVERYONE, [claim(SLOT, Y, { locked: 1 })]),
    ],
    [
      "locked a checkpoint that lists another value",
      "on y",
      (s: Stream) =>
        s
          .vote(THREE, checkpointSlot(1), CHECKPOINT_Y)
          .close(EVERYONE, [claim(SLOT, X, { locked: 0 }), claim(checkpointSlot(1), CHECKPOINT_Y, { locked: 0 })]),
    ],
    [
      "locked a checkpoint on another one than was final",
      "far",
      (s: Stream) =>
        s
          .vote(THREE, checkpointSlot(1), CHECKPOINT_X)
          .commit(THREE, checkpointSlot(1), CHECKPOINT_X)
          .vote(["v2", "v3", "v4"], checkpointSlot(2), hash("checkpoint 2"))
          .close(EVERYONE, [
            claim(checkpointSlot(1), CHECKPOINT_X),
            claim(checkpointSlot(2), hash("checkpoint 2"), { locked: 0 }),
          ]),
    ],
  ])("those who %s", (_what, name, build) => {
    const stream = end(build(fresh(EVERYONE).vote(THREE, SLOT, X).commit(THREE, SLOT, X)), name);
    const [broken] = judged(agreement(), stream);
    expect(broken?.detail).toContain("the closing of epoch 0");
    expect(broken?.faulty.length).toBeGreaterThanOrEqual(2);
    expect(found(stream)).toEqual([]);
  });

  test("those who vote in the next one where the closing decided", () => {
    const stream = fresh(["v1", "v2", "v4"]).vote(THREE, SLOT, X).commit(THREE, SLOT, X);
    stream.turn([claim(SLOT, X)], { listing: [[PAY_X, "x"]] });
    stream.vote(["v1", "v2", "v4"], SLOT, Y).commit(["v1", "v2", "v4"], SLOT, Y);
    const broken = judged(agreement(), stream);
    expect(broken.map(({ faulty }) => faulty.length)).toEqual([3]);
    expect(found(stream)).toEqual([]);
  });
});

interface CertificateClaim {
  readonly value: Hash;
  readonly round: number;
  readonly final: boolean;
}

function claimed({
  certified,
  base,
}: {
  readonly certified: CertificateClaim | undefined;
  readonly base: CertificateClaim | undefined;
}): Claim[] {
  const claims: Claim[] = [];
  if (certified)
    claims.push(
      claim(SLOT, certified.value, certified.final ? { round: certified.round } : { locked: certified.round }),
    );
  if (base) claims.push(claim(checkpointSlot(1), base.value, base.final ? {} : { locked: 0 }));
  return claims;
}

test("a lock of a later round does not justify a closing against a decision", () => {
  const stream = fresh().vote(THREE, SLOT, X).commit(THREE, SLOT, X);
  stream.vote(["v2", "v3", "v4"], SLOT, Y, 1).close(["v1"], [claim(SLOT, X)]);
  stream.close(["v2", "v3"], [claim(SLOT, Y, { locked: 1 })]).vote(["v1"], END, hash("end y"));
  expect(found(stream).filter((detail) => detail.includes("closes justify"))).toHaveLength(1);
});

test("the signer of a false claim is provably faulty as well", () => {
  const stream = fresh(EVERYONE).vote(THREE, SLOT, X).commit(THREE, SLOT, X);
  stream.close(["v4"], [claim(SLOT, Y)]);
  const [broken] = judged(agreement(), end(stream.close(THREE), "none"));
  expect(broken?.faulty).toContain(address("v4"));
});

test("for any Byzantine signatures, a final value and a contradicting closing of its epoch prove f + 1 keys faulty", () => {
  const nodes = fc.oneof(
    fc.constantFrom(...EVERYONE).map((one) => [one]),
    fc.shuffledSubarray(EVERYONE, { minLength: 3 }),
  );
  const round = fc.integer({ min: 0, max: 2 });
  const value = fc.constantFrom(X, Y);
  const link = fc.constantFrom(CHECKPOINT_X, CHECKPOINT_Y);
  const lock = fc.option(fc.record({ round, value }), { nil: undefined });
  const certified = fc.record({ value, round, final: fc.boolean() });
  const base = fc.record({ value: link, round: fc.constant(0), final: fc.boolean() });
  const as = fc.constantFrom("vote" as const, "commit" as const);
  const act = fc.oneof(
    fc.record({ do: fc.constant("value" as const), as, nodes, round, value }),
    fc.record({ do: fc.constant("change" as const), nodes, round: fc.integer({ min: 1, max: 2 }), lock }),
    fc.record({ do: fc.constant("link" as const), as, nodes, link }),
    fc.record({
      do: fc.constant("close" as const),
      nodes,
      certified: fc.option(certified, { nil: undefined }),
      base: fc.option(base, { nil: undefined }),
    }),
    fc.record({
      do: fc.constant("end" as const),
      as,
      nodes,
      name: fc.constantFrom(...Object.keys(CLOSINGS)),
    }),
  );
  let broken = 0;
  fc.assert(
    fc.property(fc.array(act, { minLength: 15, maxLength: 60, size: "max" }), (acts) => {
      const stream = fresh(EVERYONE);
      for (const one of acts) {
        if (one.do === "close") stream.close(one.nodes, claimed(one));
        else if (one.do === "change") stream.change(one.nodes, SLOT, one.round, one.lock);
        else if (one.do === "value") stream[one.as](one.nodes, SLOT, one.value, one.round);
        else if (one.do === "link") stream[one.as](one.nodes, checkpointSlot(1), one.link);
        else stream[one.as](one.nodes, END, hash(`end ${one.name}`));
      }
      const breaks = judged(agreement(), stream).filter(({ detail }) => detail.includes("and the closing"));
      broken += breaks.length;
      for (const { faulty } of breaks) expect(faulty.length).toBeGreaterThanOrEqual(2);
      expect(found(stream)).toEqual([]);
    }),
    { seed: 7, numRuns: 400 },
  );
  expect(broken).toBeGreaterThan(700);
});

describe("a statement about the closing of another epoch than its own", () => {
  const late = (stream: Stream, nodes: readonly string[]): Stream =>
    stream.turn().vote(nodes, END, hash("end x")).commit(nodes, END, hash("end x"));

  test("names its signer, which is a violation where the key is honest", () => {
    const [detail] = found(late(fresh(["v2", "v3"]), ["v1"]));
    expect(detail).toContain("honest v1 is provably faulty in the closing of epoch 0");
    expect(detail).toContain("it signed about the closing of epoch 0 in epoch 1");
  });

  test("names those who break agreement by it", () => {
    const stream = late(fresh(THREE), THREE);
    expect(details(agreement(), stream)).toHaveLength(1);
    expect(found(stream)).toEqual([]);
  });
});
