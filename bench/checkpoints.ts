/** Cost of a run of a thousand checkpoints, and the share of the checkpoints in it. */
import { everySlots } from "./support/genesis.ts";
import { title } from "./support/measure.ts";
import { Traffic } from "./support/traffic.ts";

const CHECKPOINTS = 1_000;
/** Payments at once, and slots after which a checkpoint is due. */
const PAYMENTS = 4;

/** CPU seconds of both runs: a shared machine has waits that are none of ours. */
function secondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function traffic(slots: number | undefined): Traffic {
  const checkpoints = slots === undefined ? undefined : everySlots(slots, 60_000);
  return new Traffic({ validators: 4, accounts: 16, checkpoints });
}

const listing = traffic(PAYMENTS);
const cost = secondsOf(() => {
  while (listing.checkpoints < CHECKPOINTS) listing.burst(PAYMENTS);
});
const bare = traffic(undefined);
const bareCost = secondsOf(() => {
  while (bare.payments < listing.payments) bare.burst(PAYMENTS);
});

title(`${CHECKPOINTS} checkpoints of 4 validators, beside ${listing.payments} payments`);
const each = (1_000 * (cost - bareCost)) / CHECKPOINTS;
console.log(
  `  with checkpoints: ${cost.toFixed(2)} s, ${(cost / bareCost).toFixed(2)} x the ${bareCost.toFixed(2)} s without`,
);
console.log(`  a checkpoint: ${each.toFixed(2)} ms, with its payments ${((1_000 * cost) / CHECKPOINTS).toFixed(2)} ms`);
