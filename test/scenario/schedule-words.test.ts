/** Schedules and second services in scenario files. */
import { expect, test } from "vitest";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";
import { GENESIS, PAYMENT, parsed, ran } from "../run/support.ts";

const withSchedule = (text: string): string => `name: n\nschedule: ${text}\n${GENESIS}${PAYMENT}`;

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
