import { expect, test } from "vitest";
import type { WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { echo, ms, nodesOf, planOf } from "./support.ts";

const NAMES = ["v1", "v2", "v3", "v4"];

function plan(more: Partial<WorldPlan> = {}): WorldPlan {
  return planOf(nodesOf(NAMES, echo(NAMES, 30)), more);
}

function ended(world: World): World {
  world.run({});
  return world;
}

const LOSSY = { loss: { of: 1, in: 20 }, duplicate: { of: 1, in: 20 }, reorder: { of: 1, in: 3 } };

test("the hash of this run is the same on every machine and Node version", () => {
  expect(ended(createWorld(plan({ link: LOSSY }))).hash).toMatchInlineSnapshot(`"0xbaea9a95e6f54b00edd2044685fd7ff5"`);
});

test("a new kind of draw on one link moves nothing on another", () => {
  const delays = (more: Partial<WorldPlan>): readonly number[] => {
    const found: number[] = [];
    let now = 0;
    const world = createWorld(plan({ link: { reorder: { of: 1, in: 1 } }, ...more }), {
      eventBegins: (_step, at) => {
        now = at;
      },
      sent: (from, to, _parcel, _number, at) => {
        if (from === "v1" && to === "v3") found.push(at - now);
      },
    });
    ended(world);
    return found;
  };
  const settings = { duplicate: { of: 1, in: 2 } };
  const action = { do: "link", from: ["v1"], to: ["v2"], settings } as const;
  const [plain, changed] = [delays({}), delays({ actions: [{ at: ms(0), action }] })];
  const shared = Math.min(plain.length, changed.length);
  expect(shared).toBeGreaterThan(5);
  expect(changed.slice(0, shared)).toEqual(plain.slice(0, shared));
});
