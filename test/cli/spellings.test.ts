/**
 * Goal: a client accepts the numbers of answers in every spelling that the network may use (JSON number, decimal text,
 * hex text), prints the same for all of them, and never takes what it cannot read for a number.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCount, readWhole } from "../../src/core/base/spelled-number.ts";
import { type RunningNetwork, startNetwork } from "../../src/server/network/start-network.ts";
import { folder, listening, refusalOf, runCommand } from "./support.ts";

const FORMS = ["number", "decimal", "hex"] as const;
type Form = (typeof FORMS)[number];

/** Raw digits in JSON, which `rawJson` takes out of their quotes. */
const raw = (digits: string): string => `#${digits}#`;
const rawJson = (value: unknown): string => JSON.stringify(value).replace(/"#(\d+)#"/g, "$1");

function spelled(value: bigint, form: Form): string {
  if (form === "number") return raw(String(value));
  return form === "decimal" ? String(value) : `0x${value.toString(16)}`;
}

/** Members that are amounts as text. */
const AMOUNTS = new Set(["balance", "fee", "fee_used", "supply", "allowance"]);
/** Members of signatures, which have spellings of their own. */
const KEPT = new Set(["r", "s", "v"]);

/** Returns an answer with every number in a form of the caller's choice. */
function respelled(answer: unknown, form: (member: string) => Form): unknown {
  const visit = (value: unknown, member: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => visit(one, member));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, name)]));
    const isAmount = typeof value === "string" && AMOUNTS.has(member) && /^\d+$/.test(value);
    const isCount = typeof value === "number" && Number.isInteger(value) && !KEPT.has(member);
    return isAmount || isCount ? spelled(BigInt(value), form(member)) : value;
  };
  return visit(answer, "");
}

type Rewrite = (answer: unknown, path: string) => unknown;

const AS_IT_IS: Rewrite = (answer) => answer;

type Proxy = Awaited<ReturnType<typeof proxyOf>>;

/** A server that hands each request on, and its answer back as rewritten. */
async function proxyOf(target: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
    const init = { method: request.method ?? "GET", headers: headers as Record<string, string>, ...body };
    const answer = await fetch(`${target}${request.url}`, init);
    const path = (request.url ?? "").replace(/\?.*/, "");
    const text = rawJson(proxy.rewrite(await answer.json(), path));
    response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  const proxy = {
    url: await listening(server),
    rewrite: AS_IT_IS,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return proxy;
}

let network: RunningNetwork;
let served: Proxy;
let admin: Proxy;
beforeAll(async () => {
  network = await startNetwork({ requestsPerMinute: 0 });
  [served, admin] = await Promise.all([proxyOf(network.url), proxyOf(network.adminUrl ?? "")]);
});
afterAll(async () => {
  served.close();
  admin.close();
  await network.stop();
});
beforeEach(() => {
  served.rewrite = AS_IT_IS;
  admin.rewrite = AS_IT_IS;
});

/** A form for each member, by chance. */
const anyForms = fc.func(fc.constantFrom(...FORMS)).map(
  (choose) =>
    (member: string): Form =>
      choose(member),
);
const ALL_ONE = FORMS.map((form) => [form, () => form] as const);
const PAYMENT = ["send", "payment", "--from", "alice", "--to", "bob", "--token", "USDX", "--value", "1.5"];
const pay = (...more: readonly string[]) => runCommand([...PAYMENT, ...more, "--url", served.url]);

/** A load on the network; its clock is the real one. */
function bench(operations: number, connections: number, ...more: readonly string[]) {
  const sizes = ["--operations", `${operations}`, "--concurrency", `${connections}`];
  const call = ["bench", "--url", served.url, "--warm-up", "0", ...sizes, ...more];
  return runCommand(call, { now: () => performance.now() });
}

describe("the reader of numbers", () => {
  it("reads each spelling of a whole number as that number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), fc.nat(), (large, small) => {
        for (const text of [String(large), `0x${large.toString(16)}`, `0x${large.toString(16).toUpperCase()}`])
          expect(readWhole(text)).toBe(large);
        for (const value of [small, String(small), `0x${small.toString(16).padStart(16, "0")}`])
          expect([readWhole(value), readCount(value)]).toEqual([BigInt(small), small]);
        expect(readCount(String(large))).toBe(large <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(large) : undefined);
      }),
    );
  });

  it("reads nothing else", () => {
    const others = ["", " 1", "1 ", "01", "-1", "+1", "1.0", "1e3", "0x", "0xg", "1_000", "one", -1, 0.5, 2 ** 53];
    for (const other of [...others, Number.NaN, null, undefined, true, {}, [], [1]])
      expect(readWhole(other)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^(0|[1-9]\d*|0x[0-9a-f]+)$/i.test(text));
        expect(readWhole(text)).toBeUndefined();
      }),
    );
  });
});

/** Without what differs between two sends: hashes, nonces, and how many validators were quickest. */
const masked = (text: string): string =>
  text
    .replace(/0x[0-9a-f]{64}/g, "hash")
    .replace(/nonce("?:?) ?\d+/g, "nonce$1")
    .replace(/signed by \d of/, "signed by some of");

describe("send", () => {
  it.each([
    PAYMENT,
    ["send", "burn", "--token", "USDX", "--value", "0.25"],
    ["send", "cancellation", "--from", "alice", "--nonce", "9"],
    ["send", "faucet", "--to", "bob", "--token", "USDX", "--value", "3"],
  ])("signs the same whatever the spelling: %s %s", async (...words) => {
    const call = [...words, "--print", "--url", served.url];
    const usual = await runCommand(call);
    expect(usual).toMatchObject({ code: 0, err: "" });
    await fc.assert(
      fc.asyncProperty(anyForms, async (form) => {
        served.rewrite = (answer) => respelled(answer, form);
        expect(await runCommand(call)).toEqual(usual);
      }),
      { numRuns: 8 },
    );
  });

  // holds: 33
  it.each(ALL_ONE)("tells the same of what became of it: all numbers as %s", async (_name, form) => {
    const usual = await pay();
    served.rewrite = (answer) => respelled(answer, form);
    const found = await pay();
    expect(found.code).toBe(0);
    expect(found.out).toMatch(/of 4 validators\n {2}fee {4}0\.01 USDX\n/);
    expect(masked(found.out)).toBe(masked(usual.out));
    const json = await pay("--json");
    expect(json.lines[0]).toMatchObject({ status: "final", fee: "10000", epoch: 0, validators: 4 });
  });

  it("keeps every digit of a fee that is a JSON number", async () => {
    const fee = "123456789012345678901234567890";
    served.rewrite = (answer, path) =>
      path.includes("finalized") && (answer as object | null) !== null && "fee_used" in (answer as object)
        ? { ...(answer as object), fee_used: raw(fee) }
        : answer;
    expect((await pay("--json")).lines[0]).toMatchObject({ fee });
  });

  it("says of a fee, an epoch or an effect that it cannot read that it is unknown", async () => {
    const without = (name: string, value: unknown): Rewrite => {
      return (answer) => (name in (answer as object) ? { ...(answer as object), [name]: value } : answer);
    };
    for (const value of [null, "", "free", -1, 1.5, {}]) {
      served.rewrite = without("fee_used", value);
      const [text, json] = [await pay(), await pay("--json")];
      expect([text.code, json.code, json.lines[0]?.["fee"]]).toEqual([0, 0, null]);
      expect(text.out).toContain("fee    unknown");
    }
    served.rewrite = without("epoch", "soon");
    expect((await pay("--json")).lines[0]).toMatchObject({
      epoch: null,
      validators: null,
    });
    served.rewrite = without("success", "perhaps");
    const found = await pay("--json");
    expect([found.code, found.lines[0]?.["status"]]).toEqual([1, "unknown"]);
  });
});

const NEEDED = [
  ["chain_id", "/v1/chains/chain_id"],
  ["nonce", "/v1/accounts/nonce"],
  ["decimals", "/v1/tokens/token_metadata"],
] as const;

describe("a number that is needed and cannot be read", () => {
  const unreadable = [null, "", "x", "-1", "1.5", -1, 0.5, true, {}, [], "0x", "9007199254740993"];
  it.each(NEEDED)("%s: send and bench say where, what was expected and what came", async (member, path) => {
    for (const value of unreadable) {
      served.rewrite = (answer, asked) => (asked === path ? { ...(answer as object), [member]: value } : answer);
      const found = await pay();
      expect(found).toMatchObject({ code: 2, out: "" });
      expect(found.err).toContain(`${path} answers 200, ${member}: expected a whole number from 0`);
      expect(found.err).toContain(`got ${JSON.stringify(value)}`);
    }
    expect((await bench(1, 1)).err).toContain(`${path} answers 200, ${member}: expected a whole number from 0`);
  });

  it("is a balance: bench says so, and that there is none where it is 0 in any spelling", async () => {
    for (const [value, message] of [
      ["much", /balance: expected a whole number/],
      ["0x0", /has no USDX/],
      [0, /has no USDX/],
    ] as const) {
      served.rewrite = (answer, path) =>
        path.endsWith("token_account") ? { ...(answer as object), balance: value } : answer;
      expect(await bench(1, 1)).toEqual(refusalOf(message));
    }
  });
});

describe("bench", () => {
  // holds: 33
  it.each(ALL_ONE)("counts the same: all numbers as %s", async (_name, form) => {
    served.rewrite = (answer) => respelled(answer, form);
    const found = await bench(4, 2, "--json", "--mix", "payment=1,mint=1");
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(found.lines[0]).toMatchObject({ final: 4, failed: {}, refused: {}, unanswered: 0, errors: 0 });
  });
});

describe("admin", () => {
  const call = (...words: readonly string[]) => runCommand(["admin", ...words, "--url", admin.url]);

  it("prints the same whatever the spelling", async () => {
    await call("rate", "0");
    for (const words of [["status"], ["status", "--json"], ["advance", "0"], ["advance", "0", "--json"]]) {
      admin.rewrite = AS_IT_IS;
      const usual = await call(...words);
      expect(usual.code).toBe(0);
      await fc.assert(
        fc.asyncProperty(anyForms, async (form) => {
          admin.rewrite = (answer) => respelled(answer, form);
          expect(await call(...words)).toEqual(usual);
        }),
        { numRuns: 8 },
      );
    }
    await call("rate", "1");
  });

  it("reads a fraction as text, and says of what it cannot read that it is unknown", async () => {
    admin.rewrite = (answer) => ({ ...(answer as object), rate: "0.5", steps: "many" });
    expect((await call("status")).out).toMatch(/^\d+ ms virtual, rate 0\.5, unknown events/);
    expect((await call("status", "--json")).lines[0]).toMatchObject({ rate: 0.5, steps: null });
  });
});

it("verify takes the answers of a network in any spelling", async () => {
  const sent = await pay("--json");
  const at = async (path: string): Promise<unknown> => (await fetch(`${network.url}${path}`)).json();
  const finalized = await at(`/v1/transactions/finalized/by_hash?hash=${sent.lines[0]?.["hash"]}`);
  const epoch = await at("/v1/governances/epoch");
  await fc.assert(
    fc.asyncProperty(anyForms, async (form) => {
      const files = {
        "proof.json": rawJson(respelled(finalized, form)),
        "epoch.json": rawJson(respelled(epoch, form)),
      };
      const path = folder(files);
      const call = ["verify", join(path, "proof.json"), "--committee", join(path, "epoch.json")];
      expect(await runCommand(call)).toMatchObject({ code: 0, out: expect.stringMatching(/^valid\n/), err: "" });
    }),
    { numRuns: 12 },
  );
});
