/** A validator of a served network that has halted gets the responses of one that is down. */
import { expect, it } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { LiveRun } from "../../src/live/live-run.ts";
import { scenarioIn } from "../run/support.ts";
import { SETUP } from "./support.ts";

it("serves no ledger once it has halted", () => {
  const scenario = scenarioIn("scenarios/regressions/nonce-decided-twice-halts.yaml");
  const setup = { ...SETUP, scenario, accounts: ["scribe", "erin"] };
  const run = new LiveRun(setup, new Set(["v2", "v3"]), keyedHash);
  run.world.run({ at: 1 as Millis, quiet: false });
  expect(run.ledgerOf("v1")).toBeDefined();
  run.world.run({ at: 5_000 as Millis, quiet: false });
  expect(run.stateOf("v1")?.halted).toBeDefined();
  expect(run.ledgerOf("v1")).toBeUndefined();
  expect(run.world.node("v1").running).toBe(true);
});
