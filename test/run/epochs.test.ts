/** Epochs in scenario files: proposals, committee changes, their records, proofs and verdicts. */
import { describe, expect, it } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Finding } from "../../src/invariants/judge.ts";
import { committeeFile } from "../../src/proofs/certificate-file.ts";
import { balanceProof, operationProof, receiptsOf } from "../../src/proofs/inclusion.ts";
import { proofRefusal, readProof } from "../../src/proofs/verify.ts";
import { verdictOf } from "../../src/run/verdict.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { LIVENESS_MS, LIVENESS_WRITES } from "../../src/scenario/limits.ts";
import { proposalsOf } from "../../src/scenario/proposals.ts";
import { only, parsed, ran, recordsOf } from "./support.ts";

const GENESIS = `network: { validators: 4, spares: [v5] }
genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  balances: { alice: { USD: "100" } }
  fees: { payment: "0.04", cancellation: "0.08", recovery: "0.08" }
  checkpoints: { interval_ms: 300 }
  rewards: { v1: dora }
`;
const PAYMENTS = `steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
`;
const CLOSING = `${PAYMENTS}  - { at: 600, govern: { id: p, validators: [v1, v2/2, v3, v5], fees: { payment: "1", cancellation: "2", recovery: "2" } } }
  - { after: { closed: 0, by: v1, plus_ms: 100 }, submit: { id: y, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 1 } }
`;
const TEXT = `name: n\n${GENESIS}${CLOSING}`;

const compiled = compile(parsed(TEXT), { seed: "1", scheme: keyedHash });
const { directory } = compiled;

describe("a proposal", () => {
  const proposals = (steps: string) =>
    proposalsOf(parsed(`name: n\n${GENESIS}steps:\n${steps}`), directory, 7).flatMap((proposal) => proposal ?? []);

  it("keeps unnamed parameters of the genesis, or of the previous proposal in the file", () => {
    const [first, second, third] = proposals(`  - { at: 0, govern: { validators: [v1, v5] } }
  - { at: 0, govern: { epoch: 1, rewards: { v5: bob }, epochs: { checkpoints: 4 } } }
  - { at: 0, govern: { epoch: 2, checkpoints: none, epochs: none } }\n`);
    const nextOf = (one: typeof first) => one?.proposal.next;
    const rewards = (one: typeof first) => nextOf(one)?.validators.map(({ reward }) => directory.nameOf(reward));
    expect(nextOf(first)).toMatchObject({ checkpoints: { intervalMs: 300 }, epochLength: undefined });
    expect(rewards(first)).toEqual(["dora", "v5"]);
    expect(nextOf(second)).toMatchObject({ checkpoints: { intervalMs: 300 }, epochLength: 4 });
    expect(rewards(second)).toEqual(["dora", "bob"]);
    expect(nextOf(third)).toMatchObject({ checkpoints: undefined, epochLength: undefined });
    expect(rewards(third)).toEqual(["dora", "bob"]);
    expect(nextOf(third)?.fees).toEqual(compiled.setting.genesis.fees);
  });

  it("names the given epoch and network, and may be submitted again unchanged", () => {
    const [first, again] = proposals(`  - { at: 0, govern: { id: p, epoch: 3, chain_id: 9 } }
  - { at: 5, govern: { repeat: p } }\n`);
    expect(first?.proposal).toMatchObject({ epoch: 3, chainId: 9 });
    expect(again).toBe(first);
  });

  it("is signed by the operator, or by the signer in the file", () => {
    const [operator, mallory] = proposals(`  - { at: 0, govern: {} }\n  - { at: 0, govern: { signer: mallory } }\n`);
    expect(operator?.proposal).toEqual(mallory?.proposal);
    expect(operator?.signature).not.toBe(mallory?.signature);
  });
});

describe("a validator of several committees", () => {
  it("has a key for each of its names in the file, and one to replace them", () => {
    const node = compiled.plan.nodes.find(({ name }) => name === "v2");
    expect(node?.otherKeys?.length).toBe(2);
    const keys = compiled.setting.nodes.find((one) => one.node === "v2")?.keys;
    expect(keys?.map(directory.nameOf)).toEqual(["v2", "v2/2", "v2/3"]);
  });

  it("runs from the start, and is in the first committee unless it is a spare", () => {
    expect(compiled.plan.nodes.map(({ name }) => name)).toEqual(["v1", "v2", "v3", "v4", "v5"]);
    const { validators } = compiled.setting.genesis;
    expect(validators.map(({ key, reward }) => [directory.nameOf(key), directory.nameOf(reward)])).toEqual([
      ["v1", "dora"],
      ["v2", "v2"],
      ["v3", "v3"],
      ["v4", "v4"],
    ]);
  });
});

describe("a change of committee", () => {
  const result = ran(
    `${TEXT}expect:
  - { final: [x, y] }
  - { epoch: 1 }
  - { committee: [v1, v2/2, v3, v5] }
  - { checkpoints: 3 }
  - { balance: { dora: { USD: "0.01" }, v2: { USD: "0.01" }, v5: { USD: "0" } } }
  - { pool: { USD: "1" } }
`,
    { transcript: true },
  );

  it("meets the expectations of the file", () => {
    expect({ verdict: result.verdict, reason: result.reason }).toEqual({ verdict: "pass", reason: "" });
  });

  it("is in the transcript: the proposal, the closes, and the next epoch's parameters", () => {
    const committee = ["v1", "v2/2", "v3", "v5"];
    const next = {
      committee,
      fees: expect.arrayContaining([expect.objectContaining({ token: "USD", payment: "1000000" })]),
    };
    const proposed = result.transcript.find(({ kind }) => kind === "proposalDelivered");
    expect(proposed).toMatchObject({ party: "v1", epoch: 0, next, authentic: true });
    const close = result.transcript.find((event) => event.kind === "signed" && event.statement === "close");
    expect(close).toMatchObject({ epoch: 0, decided: 1, locked: 0 });
    const closings = result.transcript.filter(({ kind }) => kind === "epochClosed");
    expect(closings.length).toBeGreaterThan(2);
    for (const event of closings) expect(event).toMatchObject({ epoch: 0, number: 2, next });
  });

  const archive = result.checkpoints;
  const closing = archive.find(({ content }) => content.value.type === "closing");
  const members = (epoch: number): readonly string[] =>
    epoch === 0 ? ["v1", "v2", "v3", "v4"] : ["v1", "v2/2", "v3", "v5"];
  const committee = (epoch: number) =>
    committeeFile(1_212_101, epoch as Epoch, members(epoch).map(directory.validator), keyedHash);
  const refusal = (file: object, epoch: number): string | undefined => {
    const read = readProof(JSON.stringify(file));
    return read.ok ? proofRefusal(read.value, committee(epoch)) : "malformed";
  };

  it("is proved by the outgoing committee, with the fee shares", () => {
    expect(closing).toBeDefined();
    if (closing === undefined) return;
    const usd = directory.token("USD").address;
    const proof = balanceProof(closing, directory.account("dora"), usd);
    expect(proof.balance?.amount).toBe("10000");
    expect(refusal(proof, 0)).toBeUndefined();
    expect(refusal(proof, 1)).toMatch(/^wrong epoch: the certificate is of 0, the committee of 1/);
  });

  it("is no proof once a parameter of the next epoch is changed", () => {
    if (closing === undefined) throw new Error("no closing");
    const proof = balanceProof(closing, directory.account("dora"), directory.token("USD").address);
    const rows = proof.closing as unknown as Record<string, unknown> & {
      readonly validators: object[];
      readonly fees: object;
    };
    const others = [
      { ...rows, warrant: `0x${"1".repeat(64)}` },
      { ...rows, epoch_length: 5 },
      { ...rows, validators: [...rows.validators].reverse() },
      { ...rows, validators: rows.validators.slice(1) },
      { ...rows, fees: { ...rows.fees, payment: "2" } },
      { ...rows, token_fees: [] },
      { ...rows, checkpoints: undefined },
    ];
    for (const other of others)
      expect(refusal({ ...proof, closing: other }, 0)).toBe("the certificate decides another checkpoint");
    expect(refusal({ ...proof, closing: { ...rows, epoch: 1 } }, 0)).toBe("the certificate decides another slot");
    expect(refusal({ ...proof, closing: undefined }, 0)).toBe("the certificate decides another slot");
  });

  it("leaves operations of both epochs provable by their own committees", () => {
    const epochs = result.finals.map(({ id }) =>
      archive.flatMap((link) =>
        receiptsOf(link).flatMap((receipt, index) => {
          if (receipt.id !== id) return [];
          return [[0, 1].map((epoch) => refusal(operationProof(link, index), epoch) === undefined)];
        }),
      ),
    );
    expect(epochs).toEqual([[[true, false]], [[false, true]]]);
  });
});

describe("the translator", () => {
  it("reports a closing after its listed slots, with the changes of the fee shares", () => {
    const records = recordsOf(TEXT);
    const closed = only(records, "closed");
    expect([...new Set(closed.map(({ node }) => node))].sort()).toEqual(["v1", "v2", "v3", "v4", "v5"]);
    const [first] = closed;
    const shares = first?.changes.map((change) => [
      change.of,
      "address" in change ? directory.nameOf(change.address) : "",
    ]);
    expect(shares?.map(String).sort()).toEqual(["balance,dora", "balance,v2", "balance,v3", "balance,v4", "pool,"]);
    expect(first?.changes.find(({ of }) => of === "pool")).toMatchObject({ before: 40_000n, after: 0n });
    expect(new Set(closed.map(({ root }) => root)).size).toBe(1);
  });

  it("reports closes with their claims", () => {
    const closes = only(recordsOf(TEXT), "signed").flatMap(({ node, statement }) =>
      statement.kind === "close" ? [{ node, claims: statement.claims }] : [],
    );
    expect(new Set(closes.map(({ node }) => node))).toEqual(new Set(["v1", "v2", "v3", "v4"]));
    expect(closes[0]?.claims.map(({ slot, final }) => [slot.split("/")[0], final])).toEqual([["checkpoint", true]]);
  });

  it("reports each signature with the key of its epoch", () => {
    const keys = only(recordsOf(TEXT), "signed").flatMap(({ node, key, statement }) =>
      node === "v2" && statement.kind === "vote" ? [`${statement.epoch} ${directory.nameOf(key)}`] : [],
    );
    expect(new Set(keys)).toEqual(new Set(["0 v2", "1 v2/2"]));
  });

  it("reports all earlier applications and the closing for a node that restarts in a later epoch", () => {
    const records = recordsOf(
      `${TEXT}  - { after: { closed: 0, by: v3, plus_ms: 1500 }, crash: { node: v3, restart_after_ms: 50 } }\n`,
    );
    const v3 = records.filter((record) => "node" in record && record.node === "v3");
    const again = v3.slice(v3.findIndex(({ type }) => type === "restarted"));
    const types = again.flatMap(({ type }) => (["applied", "checkpointed", "closed"].includes(type) ? [type] : []));
    expect(types).toEqual(["applied", "checkpointed", "closed", "applied", "checkpointed"]);
    const [before] = only(v3, "closed");
    const [after] = only(again, "closed");
    expect(after).toMatchObject({ hash: before?.hash, root: before?.root, changes: before?.changes });
  });
});

describe("an epoch stays open", () => {
  it("while a rule holds its closing back", () => {
    const result = ran(`${TEXT}  - { at: 0, hold: { rule: r, epoch: 0, kinds: [proposal] } }
  - { at: 900, release: r }
expect: [{ at: 850, epoch: 0 }, { epoch: 1 }]\n`);
    expect({ verdict: result.verdict, reason: result.reason }).toEqual({ verdict: "pass", reason: "" });
  });
});

it("the liveness bound grows with the slowest disk, and by as much for each earlier slot", () => {
  const boundsOf = (steps: string): readonly number[] => {
    const { setting } = compile(parsed(`name: n\n${GENESIS}steps: [${steps}]\n`), { seed: "1", scheme: keyedHash });
    return [setting.livenessMs, setting.slotMs];
  };
  expect(boundsOf("")).toEqual([LIVENESS_MS, 0]);
  const slow = "{ at: 0, disk: { node: v1, write_ms: 10..250 } }, { at: 5, disk: { node: v2, write_ms: 40 } }";
  expect(boundsOf(slow)).toEqual([LIVENESS_MS + 250 * LIVENESS_WRITES, 250 * LIVENESS_WRITES]);
});

describe("more than f Byzantine members of one committee", () => {
  const finding = (invariant: Finding["invariant"]): Finding => ({
    invariant,
    step: 1,
    at: 0 as never,
    detail: "broken",
    faulty: [],
    beyondF: false,
  });
  const outcome = (invariant: Finding["invariant"], last: readonly string[]) => {
    const text = `name: n\n${GENESIS}${CLOSING}  - { at: 0, byzantine: { node: v5, strategy: silence } }\nexpect: [{ final: x }]\n`;
    const scenario = parsed(text);
    const { setting } = compile(scenario, { seed: "1", scheme: keyedHash });
    const committees = [["v1", "v2", "v3", "v4"], last].map((names) => names.map(directory.validator));
    const rest = { operations: new Map(), unmet: [], idle: [], finals: 1, cutShort: undefined };
    const findings = { findings: [finding(invariant)], isBeyond: last.length < 4 };
    return verdictOf({ scenario, directory, setting, ...findings, committees, ...rest });
  };

  it("excuse violations of invariants that hold up to f, in every epoch of theirs", () => {
    expect(outcome("agreement", ["v1", "v2/2", "v5"]).verdict).toBe("pass");
    expect(outcome("agreement", ["v1", "v2/2", "v3", "v5"]).verdict).toBe("violation");
  });

  it("excuse no violation of invariants that hold for each honest node", () => {
    expect(outcome("conservation", ["v1", "v2/2", "v5"]).verdict).toBe("violation");
  });

  it("are named in the reason if no quorum is left", () => {
    const { verdict, reason } = outcome("liveness", ["v1", "v5"]);
    expect(verdict === "pass" || reason.includes("Only 1 of 2 validators are correct")).toBe(true);
  });
});
