/** Goal: `quorumlab bench` counts each outcome once, measures latencies of all of them, and thresholds set the exit code. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { servedLoad } from "../../../src/cli/bench/load.ts";
import {
  latencyOf,
  type Measurement,
  measurementText,
  meetsThresholds,
  thresholdOf,
} from "../../../src/cli/bench/measurement.ts";
import { createApi } from "../../../src/cli/send/network.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import type { PrivateKey } from "../../../src/core/crypto/scheme.ts";
import { painter } from "../../../src/report/paint.ts";
import type { NamedAccount } from "../../../src/server/setup/accounts.ts";
import { folder, listening, runCommand } from "../support.ts";

const FOUND: Measurement = {
  network: "some network",
  clock: "real",
  seconds: 2,
  missed: 0,
  final: 96,
  failed: { business_role_full: 1 },
  refused: { business_nonce_pending: 2 },
  unanswered: 1,
  finality: { p50: 10, p90: 20, p99: 30, max: 40 },
  admission: undefined,
  isInterrupted: false,
  violations: [],
};

describe("a measurement", () => {
  it("has percentiles that are samples, which so many of a hundred do not exceed", () => {
    const samples = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(samples, (all) => {
        const { p50, p90, p99, max } = latencyOf([...all]) ?? { p50: -1, p90: -1, p99: -1, max: -1 };
        expect(max).toBe(Math.max(...all));
        for (const [part, value] of [[50, p50] as const, [90, p90] as const, [99, p99] as const]) {
          expect(all).toContain(value);
          expect(all.filter((one) => one <= value).length).toBeGreaterThanOrEqual((all.length * part) / 100);
          expect(all.filter((one) => one < value).length).toBeLessThan((all.length * part) / 100);
        }
      }),
    );
    expect(latencyOf([])).toBeUndefined();
  });

  it.each([
    ["rate>=48", true],
    ["rate > 48", false],
    ["errors<=4", true],
    ["errors<4", false],
    ["error_rate<=0.04", true],
    ["error_rate<0.04", false],
    ["p99<=30", true],
    ["max<40", false],
    ["final>=97", false],
  ])("meets %s: %s", (text, isMet) => {
    expect(meetsThresholds(FOUND, [thresholdOf(text)])).toBe(isMet);
  });

  it("misses each threshold on finality where nothing became final, and all of them where an invariant broke", () => {
    expect(meetsThresholds({ ...FOUND, final: 0, finality: undefined }, [thresholdOf("p50<=1000000")])).toBe(false);
    expect(meetsThresholds({ ...FOUND, violations: ["agreement: two values"] }, [])).toBe(false);
  });

  it("names every error with its code", () => {
    const text = measurementText(FOUND, [thresholdOf("p90<=10")], painter(false));
    expect(text).toContain(
      "1 final without effect (business_role_full), 2 refused (business_nonce_pending), 1 without an outcome",
    );
    expect(text).toContain("p90<=10  missed, at 20.0");
  });
});

/** Serves a network that admits all, and answers each read of a receipt with an end that has no receipt. */
async function withoutReceipts() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    asked.push(path);
    const isReceipt = path.endsWith("/receipt/by_hash");
    const body = isReceipt
      ? { error_code: "business_superseded", message: "" }
      : { hash: `0x${asked.length}`, nonce: 0 };
    request.resume();
    response.writeHead(isReceipt ? 422 : 200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { url: await listening(server), asked, close: () => server.close() };
}

it("counts an operation that will never be final as an error by its first answer, and asks for the nonce again", async () => {
  const server = await withoutReceipts();
  const [payer, issuer, operator] = ["alice", "issuer", "operator"].map((name, at) => ({
    name,
    address: `0x${String(at + 1).repeat(40)}` as Address,
    key: `0x${String(at + 1).repeat(64)}` as PrivateKey,
  })) as [NamedAccount, NamedAccount, NamedAccount];
  const found = await servedLoad({
    api: createApi(server.url),
    chainId: 1,
    token: { symbol: "USDX", address: `0x${"9".repeat(40)}` as Address, decimals: 6 },
    layout: undefined,
    payers: [payer],
    issuer,
    operator,
    mix: [[1, "payment"]],
    rate: undefined,
    until: { operations: 3 },
    seed: "1",
    interrupted: async () => false,
    now: () => performance.now(),
  });
  server.close();
  expect(found).toMatchObject({ final: 0, failed: {}, refused: { business_superseded: 3 }, unanswered: 0 });
  const one = ["/v1/accounts/nonce", "/v1/transactions/payment", "/v1/transactions/receipt/by_hash"];
  expect(server.asked).toEqual([...one, ...one, ...one]);
});

const CLOCK = { now: () => performance.now() };

describe("quorumlab bench", () => {
  it("measures a served network with every kind of operation, under a fault, and writes a report", async () => {
    const file = join(folder({}), "bench.json");
    const found = await runCommand(
      [
        ...["bench", "--operations", "40", "--warm-up", "0", "--concurrency", "3"],
        ...["--mix", "payment=4,mint=1,burn=1,issue=1", "--fault", '{"crash":{"node":"v4"}}'],
        ...["--threshold", "rate>=1000000", "--json", "--report", file],
      ],
      CLOCK,
    );
    expect(found).toMatchObject({ code: 1, err: "" });
    expect(found.lines[0]).toMatchObject({ clock: "real", final: 40, errors: 0, violations: [] });
    expect(found.lines[0]?.["thresholds"]).toMatchObject([{ threshold: "rate>=1000000", met: false }]);
    expect(readFileSync(file, "utf8")).toBe(found.out);
  });

  it.each(["spec", "v2"])("signs in the layout %s", async (layout) => {
    const call = ["bench", "--operations", "12", "--warm-up", "0", "--concurrency", "2", "--layout", layout, "--json"];
    const found = await runCommand([...call, "--mix", "payment=1,mint=1,burn=1,issue=1"], CLOCK);
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(found.lines[0]).toMatchObject({ final: 12, errors: 0, violations: [] });
  });

  it("starts operations at a rate, and ends early at an interrupt", async () => {
    const call = ["bench", "--warm-up", "0", "--concurrency", "2", "--rate", "50", "--duration", "1", "--json"];
    const whole = await runCommand(call, CLOCK);
    const { final, missed } = whole.lines[0] as { readonly final: number; readonly missed: number };
    expect([whole.code, final + missed]).toEqual([0, 50]);
    let asked = 0;
    const cut = await runCommand(call, { ...CLOCK, interrupted: async () => ++asked > 5 });
    expect(cut.code).toBe(130);
    expect(cut.lines[0]).toMatchObject({ isInterrupted: true });
  });
});
