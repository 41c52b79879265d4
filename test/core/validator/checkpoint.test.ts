/** Checkpoints at one validator among its peers: due, checked, applied, pruned, resumed (protocol 6.1, 6.2). */
import { describe, expect, it } from "vitest";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { CheckpointNumber, Millis } from "../../../src/core/base/ids.ts";
import { type CheckpointHeader, type CheckpointSlot, slotKey } from "../../../src/core/base/slot.ts";
import { accountOf } from "../../../src/core/ledger/state.ts";
import { checkCheckpoint } from "../../../src/core/validator/check-chain.ts";
import { checkpointContent } from "../../../src/core/validator/checkpoints/checkpoint.ts";
import { type CheckpointContent, type Content, isCheckpoint } from "../../../src/core/validator/content.ts";
import { CLOCK_AHEAD_MS, WAIT_MS } from "../../../src/core/validator/limits.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { accountSlot, contentOf, NAMES, proposalOn, proposerIn } from "./support/certificates.ts";
import { decisionOn } from "./support/closings.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { addressOf, payment } from "./support/operations.ts";

/** Nothing is due before a test needs it. */
const NEVER: CheckpointPolicy = { ...RARE, slots: 400, limit: 4, periodSeconds: 1 };

function cluster(policy: Partial<CheckpointPolicy> = {}, n = 4): Cluster {
  return new Cluster(n, 5, rules, { ...NEVER, ...policy });
}
const number = (value: number): CheckpointNumber => value as CheckpointNumber;

/** Pays `count` times from alice to bob, one after the other. */
function paid(of: Cluster, count: number, from = 0, every = 100): Cluster {
  for (let nonce = from; nonce < from + count; nonce++) {
    of.submit(0, payment("alice", nonce, "bob", 1n));
    of.run(of.now + every);
  }
  return of;
}

/** A validator with five applied slots that no checkpoint lists, and the checkpoint that it would propose. */
function ready(policy: Partial<CheckpointPolicy> = {}): {
  of: Cluster;
  state: ValidatorState;
  honest: CheckpointContent;
} {
  const of = paid(cluster({ limit: 5, ...policy }), 4);
  of.submit(1, payment("bob", 0, "alice", 2n));
  of.run(of.now + 100);
  const state = of.node(0);
  const honest = checkpointContent(state, of.now as Millis);
  if (honest === undefined || !isCheckpoint(honest)) throw new Error("nothing to propose");
  return { of, state, honest };
}

function headed(content: CheckpointContent, header: Partial<CheckpointHeader>): CheckpointContent {
  return { ...content, value: { ...content.value, header: { ...content.value.header, ...header } } };
}

const SLOT: CheckpointSlot = { kind: "checkpoint", number: number(1) };

function judged(state: ValidatorState, at: number, content: Content): string {
  const verdict = checkCheckpoint(state, at as Millis, SLOT, content);
  if (verdict.answer === "accept") return "accept";
  const why = verdict.answer === "wait" ? verdict.missing : verdict.refusal;
  return `${verdict.answer}: ${"reason" in why ? why.reason : why.code}`;
}

describe("a voter", () => {
  const { of, state, honest } = ready();
  const at = of.now;

  it.each<readonly [string, Partial<CheckpointHeader>, RegExp]>([
    ["extra data past the bound", { extraData: "é".repeat(129) }, /^refuse: extra data has 258 bytes, at most 256/],
    ["extra data at the bound", { extraData: "é".repeat(128) }, /^accept/],
    ["extra data that no text can be", { extraData: "\ud800" }, /^refuse: extra data holds a lone surrogate/],
  ])("judges %s", (_what, wrong, verdict) => expect(judged(state, at, headed(honest, wrong))).toMatch(verdict));

  it("refuses every checkpoint where none are formed", () => {
    expect(judged(new Cluster(4).node(0), at, honest)).toMatch(/^refuse: this slot decides no such value/);
  });
});

/** Proposer of checkpoint 1 in round 0, and two of the voters. */
const PROPOSER = NAMES.indexOf(proposerIn(SLOT));
const [VOTER, OTHER] = [0, 1, 2, 3].filter((node) => node !== PROPOSER) as [number, number];

const votes = (of: Cluster): readonly Output[] =>
  of.outputs(VOTER).filter((output) => {
    const body = output.type === "sign" ? output.message.body : undefined;
    return body?.type === "vote" && body.slot.kind === "checkpoint";
  });

describe("a proposal that is ahead of the clock", () => {
  const timersAfter = (seconds: number): { at: number; of: Cluster } => {
    const { of, honest } = ready();
    of.cut = () => true;
    const timestamp = Math.floor(of.now / 1_000) + seconds;
    of.inject(PROPOSER, VOTER, proposalOn(proposerIn(SLOT), SLOT, headed(honest, { timestamp })));
    of.run(of.now + 1);
    return { of, at: timestamp * 1_000 - CLOCK_AHEAD_MS };
  };

  it("is voted for as soon as it is near enough", () => {
    const { of, at } = timersAfter(6);
    of.run(at - 1);
    expect(votes(of)).toEqual([]);
    of.run(at);
    expect(votes(of)).toHaveLength(1);
  });

  it.each([60, 3_600, Number.MAX_SAFE_INTEGER - 1])("by %s s sets no timer for that time", (seconds) => {
    const { of } = timersAfter(seconds);
    const timers = of.outputs(VOTER).filter((output) => output.type === "setTimer");
    const latest = Math.max(...timers.filter(({ name }) => !name.startsWith("due ")).map((timer) => timer.at));
    expect(latest).toBeLessThanOrEqual(of.now + 2 * WAIT_MS);
  });
});

describe("a false checkpoint", () => {
  it("is judged once while what it lists is missing, whatever else is decided", () => {
    const of = cluster({ limit: 5 });
    of.cut = (_from, to) => to === OTHER;
    paid(of, 4);
    const honest = checkpointContent(of.node(PROPOSER), of.now as Millis) as CheckpointContent;
    of.inject(PROPOSER, OTHER, proposalOn(proposerIn(SLOT), SLOT, honest));
    for (const name of ["bob", "carol"]) {
      const other = payment(name, 0, "alice", 1n);
      of.inject(VOTER, OTHER, decisionOn(accountSlot(name), contentOf(other)));
    }
    of.run(of.now + 10);
    expect(accountOf(of.node(OTHER).ledger, addressOf("carol")).nonce).toBe(1);
    expect(of.coverage.get("checkpoint waited")).toBe(1);
  });
});

describe("an honest proposer", () => {
  // holds: 29
  it("has its own clock as timestamp in seconds, and at least a period after the parent", () => {
    const { of, state } = ready();
    const at = (ms: number): number | undefined => {
      const content = checkpointContent(state, ms as Millis);
      return content !== undefined && isCheckpoint(content) ? content.value.header.timestamp : undefined;
    };
    expect(at(of.now)).toBe(1);
    expect(at(999)).toBe(1);
    expect(at(7_999)).toBe(7);
    expect(at(8_000)).toBe(8);
  });

  it("lists the oldest up to the limit, and nothing where nothing is", () => {
    const { state } = ready({ limit: 2 });
    const content = checkpointContent(state, 0 as Millis) as CheckpointContent;
    expect(content.value.listed.map(({ slot }) => slotKey(slot))).toEqual(
      [...state.sync.log.values()].slice(0, 2).map(slotKey),
    );
    expect(checkpointContent(cluster().node(0), 0 as Millis)).toBeUndefined();
    expect(checkpointContent(cluster({ empty: true }).node(0), 0 as Millis)?.operations).toEqual([]);
  });
});
