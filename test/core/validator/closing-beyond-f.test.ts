/**
 * Closings whose closes show what nobody can apply, and decisions that more than f Byzantine validators certify: refused
 * for the reason expected, and a validator that holds such a decision halts (protocol 6.1, 6.3).
 */
import { describe, expect, it } from "vitest";
import type { Hash, Millis } from "../../../src/core/base/ids.ts";
import { type ListedDecision, slotKey } from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import type { ApplyResult } from "../../../src/core/ledger/apply-result.ts";
import { baseOf } from "../../../src/core/validator/check-chain.ts";
import { checkContent } from "../../../src/core/validator/check-content.ts";
import type { CheckpointContent, ClosingContent, Content } from "../../../src/core/validator/content.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { contentFault } from "../../../src/core/validator/slots/content-check.ts";
import { accountSlot, contentOf } from "./support/certificates.ts";
import {
  A0,
  B0,
  baseAfter,
  CLOSING,
  checkpointOf,
  checkpointSlot,
  claimOf,
  claimsOf,
  closingOf,
  decisionOn,
  type Part,
} from "./support/closings.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { payment } from "./support/operations.ts";

const STATE = new Cluster(4, 5, rules, RARE).node(0);
const GENESIS = STATE.checkpoints.last;
const NOWHERE = `0x${"1".repeat(64)}` as Hash;

const OTHER: Part = [accountSlot("bob"), payment("bob", 0, "alice", 20n)];
/** A final checkpoint, which lists alice's payment. */
const FIRST = checkpointOf(STATE, GENESIS, [A0]);
const BASE = baseAfter(STATE, GENESIS, FIRST);

const lockOf = (number: number, content: Content): AnyCertificate => claimOf("lock", checkpointSlot(number), content);

function answerTo(content: Content): string | undefined {
  const verdict = checkContent(STATE, 0 as Millis, CLOSING, content, 0 as never);
  if (verdict.answer === "accept") return undefined;
  const refusal = verdict.answer === "refuse" ? verdict.refusal : verdict.missing;
  return "reason" in refusal ? `${verdict.answer}: ${refusal.reason}` : refusal.code;
}

describe("the base of a closing above a checkpoint that closes show locked", () => {
  const bad = (changed: Parameters<typeof checkpointOf>[3]): CheckpointContent =>
    checkpointOf(STATE, GENESIS, [A0], changed);
  const found = (content: CheckpointContent) => baseOf(STATE, [lockOf(1, content)], [content]);

  it("is that checkpoint, if it follows from the last final one", () => {
    expect(found(FIRST)).toMatchObject({ kind: "base", base: { hash: BASE.hash }, above: [{ content: FIRST }] });
  });

  it.each<[string, CheckpointContent, string, string]>([
    ["with another parent", bad({ parentHash: NOWHERE }), "conflict", "chain link 1 does not follow chain link 0"],
    ["with another number", bad({ number: 2 as never }), "conflict", "chain link 2 does not follow chain link 0"],
    ["with another state", bad({ stateRoot: NOWHERE }), "fault", `checkpoint 1: stateRoot ${NOWHERE}, expected `],
  ])("is none for one %s", (_, content, outcome, reason) => {
    expect(found(content)).toEqual({ kind: outcome, reason: expect.stringContaining(reason) });
  });

  it("does not depend on checkpoints below the last final one, shown by who is behind", () => {
    const ahead = { ...STATE, checkpoints: { ...STATE.checkpoints, last: { ...GENESIS, ...BASE } } };
    const above = checkpointOf(STATE, BASE, [B0]);
    const claims = [lockOf(0, { value: contentOf(A0[1]).value, operations: [], certificates: [] }), lockOf(1, FIRST)];
    expect(baseOf(ahead, [...claims, lockOf(2, above)], [above])).toMatchObject({
      kind: "base",
      base: { header: { number: 2 } },
      above: [{ content: above }],
    });
  });
});

describe("a closing", () => {
  const claims = claimsOf("lock", [B0]);

  it("is voted for, if it lists what its closes show", () => {
    const content = closingOf(STATE, GENESIS, [B0], { claims });
    expect(contentFault(STATE, content)).toBeUndefined();
    expect(answerTo(content)).toBeUndefined();
  });

  it.each<[string, Content, string]>([
    ["with another value than its closes show", closingOf(STATE, GENESIS, [OTHER], { claims }), "listed for another"],
    ["that is a checkpoint", FIRST, "refuse: this slot decides no such value"],
  ])("is refused %s", (_, content, reason) => {
    expect(answerTo(content)).toContain(reason);
  });

  it("proves nothing with a locked checkpoint that does not prove itself", () => {
    const locked = { ...FIRST, operations: [OTHER[1]] };
    const content = closingOf(STATE, BASE, [B0], { claims: [...claims, lockOf(1, FIRST)], locked: [locked] });
    expect(contentFault(STATE, content)).toBe(`${slotKey(A0[0])} has another copy`);
  });
});

it("a checkpoint past the end of its epoch is refused", () => {
  const { parameters } = STATE.ledger;
  const answer = (epochLength: number) => {
    const ending = {
      ...STATE,
      ledger: { ...STATE.ledger, parameters: { ...parameters, epochLength } },
      checkpoints: { ...STATE.checkpoints, last: { ...GENESIS, ...BASE } },
    };
    return checkContent(ending, 0 as Millis, checkpointSlot(2), checkpointOf(STATE, BASE, [B0]), 0 as never);
  };
  expect(answer(1)).toMatchObject({ answer: "refuse", refusal: { reason: "the epoch ends before checkpoint 2" } });
  expect(answer(2).answer).toBe("wait");
});

/** The halts of a validator that takes these decisions, one after the other; and what it does after the halt. */
function haltsAt(messages: Parameters<Cluster["inject"]>[2][], state = STATE): readonly string[] {
  const cluster = new Cluster(4, 5, rules, RARE);
  cluster.cut = () => true;
  cluster.nodes[0] = { ...cluster.node(0), environment: { ...cluster.node(0).environment, ...state.environment } };
  for (const message of messages) cluster.inject(1, 0, message);
  cluster.run(10);
  const outputs = cluster.outputs(0);
  const at = outputs.findIndex((output) => output.type === "event" && output.event.type === "halted");
  if (at >= 0) expect(outputs.slice(at + 1)).toEqual([]);
  return cluster.halts;
}

const withLock = (): ClosingContent =>
  closingOf(STATE, BASE, [B0], { claims: [...claimsOf("lock", [B0]), lockOf(1, FIRST)], locked: [FIRST] });

describe("a decided closing", () => {
  it("is applied with the locked checkpoint that it builds on", () => {
    expect(haltsAt([decisionOn(CLOSING, withLock())])).toEqual([]);
  });

  it("halts where it leaves out a slot that is applied here", () => {
    const content = closingOf(STATE, GENESIS, [B0], { claims: claimsOf("lock", [B0]) });
    const applied = decisionOn(A0[0], contentOf(A0[1]));
    expect(haltsAt([applied, decisionOn(CLOSING, content)])).toEqual([
      `${slotKey(A0[0])} is applied here and not listed`,
    ]);
  });
});

it("a decided checkpoint halts where its list cannot be replayed on its base", () => {
  const [one] = FIRST.value.listed as [ListedDecision];
  const later = { ...one, slot: accountSlot("alice", 1) };
  const content: Content = { ...FIRST, value: { ...FIRST.value, listed: [later] } };
  expect(haltsAt([decisionOn(checkpointSlot(1), content)])).toEqual([
    `${slotKey(later.slot)} is not the next of its sequence`,
  ]);
});

describe("a chain link that replays on its base, and by a faulty rule not on this ledger", () => {
  const refusing = (part: Part, answer: ApplyResult): typeof STATE => {
    const apply: typeof rules.ledger.apply = (ledger, slot, ...rest) =>
      slotKey(slot) === slotKey(part[0]) ? answer : rules.ledger.apply(ledger, slot, ...rest);
    const faulty = { ...rules, ledger: { ...rules.ledger, apply } };
    return { ...STATE, environment: { ...STATE.environment, rules: faulty } };
  };
  const lacking: ApplyResult = {
    outcome: "waiting",
    missing: { code: "business_nothing_to_cancel", nonce: 0 as never },
  };
  const impossible: ApplyResult = { outcome: "impossible", reason: "it cannot be" };

  it.each<[string, Part, ApplyResult, Parameters<typeof decisionOn>, string]>([
    [
      "checkpoint",
      A0,
      lacking,
      [checkpointSlot(1), FIRST],
      "its checkpoint lists it before business_nothing_to_cancel",
    ],
    ["checkpoint for good", A0, impossible, [checkpointSlot(1), FIRST], "it cannot be"],
    ["locked checkpoint of a closing", A0, impossible, [CLOSING, withLock()], "it cannot be"],
    ["closing", B0, impossible, [CLOSING, withLock()], "it cannot be"],
  ])("halts and does nothing more: a %s", (_, part, answer, decision, reason) => {
    expect(haltsAt([decisionOn(...decision)], refusing(part, answer))).toEqual([reason]);
  });
});
