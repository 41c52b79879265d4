/** Schedules, second services and `vote-for` in scenario files, valid and invalid. */
import { describe, expect, test } from "vitest";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";
import { GENESIS, PAYMENT, parsed, ran, refused } from "../run/support.ts";

const withSchedule = (text: string): string => `name: n\nschedule: ${text}\n${GENESIS}${PAYMENT}`;
const withClients = (text: string): string => `name: n\nclients: ${text}\n${GENESIS}${PAYMENT}`;
const withByzantine = (text: string): string =>
  `name: n\n${GENESIS}${PAYMENT}  - { at: 0, byzantine: { node: v4, ${text} } }\n`;

describe("refused", () => {
  test.each([
    [withSchedule("{}"), 'the key "method" is missing'],
    [withSchedule("{ method: dfs }"), 'got "dfs"'],
    [
      withSchedule("{ method: pct, deviations: 2 }"),
      "2:26: `deviations` does not go with pct: expected `depth`, `steps`, `window_ms`",
    ],
    [withSchedule("{ method: delay-bounded, depth: 2 }"), "`depth` does not go with delay-bounded"],
    [withSchedule("{ method: random, steps: 2 }"), "`steps` does not go with random: expected nothing beside it"],
    [withSchedule("{ method: pct, depth: 9 }"), "got 9"],
    [withSchedule("{ method: pct, window_ms: 10001 }"), "got 10001"],
    [withClients("{ alice: { twin: true, behaviour: scripted } }"), "`twin` goes with correct clients"],
    [withClients('{ "bob\'": { twin: true } }'), "bob' is the name of the second service of an account"],
    [
      `name: n\nclients: { alice: { twin: true } }\n${GENESIS.replace("alice:", '"alice\'":')}${PAYMENT}`,
      "alice' is the second service of alice: expected the account's name",
    ],
    [withByzantine("strategy: vote-for"), 'the key "of" is missing: the operation that it votes for'],
    [withByzantine("strategy: vote-for, of: q"), '"q"'],
    [withByzantine("strategy: silence, of: x"), "`of` goes with vote-for, not with silence"],
  ])("%s", (text, message) => expect(refused(text).join("\n")).toContain(message));
});

test("a schedule is in the published schema, and its guarantee in the result", () => {
  expect(JSON.stringify(publishedSchema())).toContain("delay-bounded");
  const { verdict, schedule } = ran(`${withSchedule("{ method: pct, depth: 2 }")}expect:\n  - { final: x }\n`);
  expect(verdict).toBe("pass");
  expect(schedule).toBe("pct: an order of depth 2 occurs in at least 1 of 8820 seeds (21 threads, 420 positions)");
  expect(ran(`${withSchedule("{ method: random }")}expect:\n  - { final: x }\n`).schedule).toBe("random");
});

test("two services with one key are one account that does not count as correct", () => {
  const text = `name: n
clients: { alice: { twin: true }, "alice'": { home: v3 } }
${GENESIS}steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 900, submit: { id: y, payment: { from: "alice'", to: bob, token: USD, value: "20" }, nonce: 0 } }
  - { at: 1900, submit: { id: z, payment: { from: "alice'", to: bob, token: USD, value: "30" }, nonce: 1 } }
expect:
  - { final: [x, z] }
  - { balance: { bob: { USD: "40" }, alice: { USD: "59.98" } } }
`;
  expect(parsed(text).clients).toEqual({ alice: { twin: true }, "alice'": { home: "v3" } });
  const { verdict, reason } = ran(text);
  expect(`${verdict} ${reason}`.trim()).toBe("pass");
});
