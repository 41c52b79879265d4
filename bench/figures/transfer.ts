/**
 * State transfer: a validator comes back among many accounts, most pieces of whose state have changed, while payments and
 * checkpoints go on. In virtual time, so a figure is the same on every machine.
 */
import { requireDefined } from "../../src/core/base/assert.ts";
import type { CheckpointPolicy } from "../../src/core/base/epoch.ts";
import type { Millis } from "../../src/core/base/ids.ts";
import { CHECKPOINTS_DEFAULT } from "../../src/scenario/parameters.ts";
import type { Effort } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, spreadOf } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { cpuMsOf } from "../support/cpu.ts";
import { Traffic } from "../support/traffic.ts";

const POLICY: CheckpointPolicy = CHECKPOINTS_DEFAULT;
const PAYERS = 20;
/** So many payments to accounts one after the other change each piece of up to 10^6 accounts. */
const PAID = 4_200;
const EVERY_MS = 20;
const MOST_INTERVALS = 60;
const GOAL_INTERVALS = 3;
const JOINER = "v4";
const LINKS = [
  { name: "1 to 10 ms", delayMs: { from: 1, to: 10 } },
  { name: "50 ms", delayMs: { from: 50, to: 50 } },
];

interface Joined {
  readonly intervals: number;
  readonly cpuMs: number;
}

/** `most`: the largest number of accounts. */
export function transferFigures(most: number): (effort: Effort) => Promise<Section> {
  return async ({ quick }) => {
    const sizes = [10_000, 100_000, 1_000_000].filter((size) => size <= (quick ? Math.min(most, 10_000) : most));
    const found = sizes.flatMap((accounts) =>
      LINKS.map(({ name, delayMs }) => ({ accounts, name, ...joined(accounts, delayMs) })),
    );
    return {
      title: "State transfer",
      rows: found.map(({ accounts, name, intervals }) => ({
        figure: `checkpoint intervals until a validator has joined, ${accounts.toLocaleString("en")} accounts, links of ${name}, under payments`,
        state: "any" as const,
        reference: "absolute",
        goal: { kind: "ceiling" as const, value: GOAL_INTERVALS },
        here: spreadOf([intervals]),
        absolute: `${digits(intervals * POLICY.intervalMs)} virtual ms`,
      })),
      text: [
        `Four validators, a checkpoint each ${POLICY.intervalMs} ms, a payment each ${EVERY_MS} ms. One validator was away while ${digits(PAID)} payments went to as many accounts.`,
        table(
          ["accounts", "links", "intervals", "CPU s from the return on"],
          found.map(({ accounts, name, intervals, cpuMs }) => [
            accounts.toLocaleString("en"),
            name,
            digits(intervals),
            digits(cpuMs / 1_000),
          ]),
        ),
      ],
    };
  };
}

function joined(accounts: number, delayMs: { readonly from: number; readonly to: number }): Joined {
  const clients = [1, 2, 3, 4].map((at) => ({
    name: `client of v${at}`,
    behaviour: "scripted" as const,
    home: `v${1 + (at % 3)}`,
  }));
  const actions = [{ at: 0 as Millis, action: { do: "crash" as const, node: JOINER } }];
  const plan = { link: { delayMs }, clients, actions };
  const traffic = new Traffic({
    validators: 4,
    accounts: PAYERS,
    payees: accounts - PAYERS,
    checkpoints: POLICY,
    plan,
  });
  while (traffic.payments < PAID) traffic.burst(PAYERS);
  const { world } = traffic;
  const from = world.now;
  world.act({ do: "restart", node: JOINER });
  const joiner = requireDefined(traffic.states[3], "state of the joiner");
  const hasJoined = (): boolean => joiner.checkpoints.last.header.number > 0;
  const cpuMs = cpuMsOf(() => {
    while (!hasJoined() && world.now < from + MOST_INTERVALS * POLICY.intervalMs) {
      traffic.submit();
      world.run({ at: (world.now + EVERY_MS) as Millis, quiet: false, when: hasJoined });
    }
  });
  if (!hasJoined()) throw new Error(`${JOINER} has not joined after ${MOST_INTERVALS} intervals`);
  return { intervals: (world.now - from) / POLICY.intervalMs, cpuMs };
}
