/** Workloads in scenario files: every kind of order is placed and takes effect. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isRecovery, type Operation } from "../../src/core/base/operation.ts";
import type { ObservedEvent } from "../../src/invariants/observation.ts";
import { MIX_MAX } from "../../src/scenario/limits.ts";
import { MIX_KINDS } from "../../src/scenario/schema/workload.ts";
import { verbOfOperation } from "../../src/scenario/verbs.ts";
import { GENESIS, ran, recordsOf, refused } from "../run/support.ts";

const EVERYTHING = readFileSync("scenarios/workloads/every-kind-of-operation.yaml", "utf8");

/** Operations that took effect, as a mix names them. */
function effects(records: readonly ObservedEvent[]): ReadonlyMap<string, number> {
  const kinds = new Map<string, string>();
  const done = new Map<string, number>();
  for (const record of records) {
    if (record.type === "submitted" && !isRecovery(record.submission)) {
      const { operation, sender } = record.submission;
      kinds.set(record.id, nameOf(operation, sender));
    } else if (record.type === "applied" && record.honest) {
      for (const { id, success } of record.receipts) {
        const kind = success ? kinds.get(id) : undefined;
        if (kind === undefined) continue;
        done.set(kind, (done.get(kind) ?? 0) + 1);
        kinds.delete(id);
      }
    }
  }
  return done;
}

/** The verb that makes the operation, with what its orders may differ in. */
function nameOf(operation: Operation, sender: string): string {
  const verb = verbOfOperation(operation) ?? operation.kind;
  if (operation.kind === "burn" && (operation.recipient ?? sender) !== sender) return `${verb} of another account`;
  return operation.kind === "list" && operation.action === "Remove" ? `${verb} removal` : verb;
}

describe("a workload of everything", () => {
  it("has every kind of order", () => {
    for (const kind of MIX_KINDS) expect(EVERYTHING).toContain(`${kind}: `);
  });

  it("makes each of them take effect under faults, within three seeds", () => {
    const others = ["burn of another account", "blacklist removal", "whitelist removal"];
    const seen = new Set(["1", "2", "3"].flatMap((seed) => [...effects(recordsOf(EVERYTHING, seed)).keys()]));
    expect([...seen].sort()).toEqual([...MIX_KINDS, ...others].sort());
  });

  it.each(["11", "12", "13"])("violates no invariant: seed %s", (seed) => {
    expect(ran(EVERYTHING, { seed })).toMatchObject({ verdict: "pass", reason: "" });
  });

  it("is equal under the same seed and differs under another", () => {
    expect(ran(EVERYTHING, { seed: "4" }).hash).toBe(ran(EVERYTHING, { seed: "4" }).hash);
    expect(ran(EVERYTHING, { seed: "5" }).hash).not.toBe(ran(EVERYTHING, { seed: "4" }).hash);
  });
});

describe("an order", () => {
  const workload = (mix: string): string =>
    `name: n\n${GENESIS}steps:\n  - { at: 0, workload: { accounts: [alice], recipients: [bob], count: 4, every_ms: 400, mix: [${mix}] } }\n`;

  it("draws amounts from its range, in the token's units", () => {
    const pays = ran(`${workload('{ payment: { token: USD, value: "2.5" } }')}expect:
  - { all_final: true }
  - { balance: { alice: { USD: "89.96" }, bob: { USD: "10" } } }\n`);
    expect(pays).toMatchObject({ verdict: "pass", reason: "" });
  });

  it("may have a range wider than any draw", () => {
    const wide = `${workload('{ mint: { from: issuer, token: USD, value: "1..9999999999999999" } }')}expect: [{ all_final: true }]\n`;
    expect(ran(wide)).toMatchObject({ verdict: "pass", reason: "" });
  });

  it("of an issue is signed by the operator by default, and its symbol is numbered", () => {
    const issued = ran(`${workload("{ issue: { symbol: EUR, decimals: 2, master: issuer } }")}expect:
  - { all_final: true }
  - { nonce: { operator: 4 } }\n`);
    expect(issued).toMatchObject({ verdict: "pass", reason: "" });
  });

  it(`is one of at most ${MIX_MAX} kinds`, () => {
    const kinds = (count: number): string => Array(count).fill('{ payment: { token: USD, value: "1" } }').join(", ");
    expect(refused(workload(kinds(MIX_MAX)))).toEqual([]);
    expect(refused(workload(kinds(MIX_MAX + 1))).join()).toMatch(/the kinds of orders/);
  });
});
