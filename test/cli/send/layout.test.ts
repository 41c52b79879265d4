/** Goal: a served network takes each kind of operation in each layout that signs it, and orders that are equal hash equally. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationVerb } from "../../../src/scenario/verbs.ts";
import { type RunningNetwork, startNetwork } from "../../../src/server/network/start-network.ts";
import { type CommandOutput, runCommand } from "../support.ts";

let network: RunningNetwork;
beforeAll(async () => {
  network = await startNetwork({ requestsPerMinute: 0, policies: { issued_tokens: "open" } });
});
afterAll(() => network.stop());

const send = (...words: readonly string[]): Promise<CommandOutput> =>
  runCommand(["send", ...words, "--url", network.url]);

const LAYOUTS = ["spec", "v2"] as const;
const USDX = ["--token", "USDX"];
const PAYMENT = [...USDX, "--from", "alice", "--to", "bob", "--value", "1.5"];

/** An operation of each kind; `layout` and `listed` keep those of two layouts apart. In this order all take effect. */
const kinds = (layout: string, listed: string): Readonly<Record<OperationVerb, readonly string[]>> => ({
  payment: PAYMENT,
  issue: ["--symbol", `NEW${layout}`, "--name", "New", "--decimals", "2", "--private"],
  whitelist: ["--token", `NEW${layout}`, "--account", listed],
  mint: [...USDX, "--to", "bob", "--value", "9"],
  // Version 2 has no burn from another account.
  burn: [...USDX, ...(layout === "v2" ? [] : ["--account", "bob"]), "--value", "1"],
  metadata: [...USDX, "--name", "Dollar", "--uri", "u", "--additional", "a=1"],
  blacklist: [...USDX, "--account", listed],
  grant: [...USDX, "--to", "carol", "--role", "MintBurnTokens", "--value", "100"],
  revoke: [...USDX, "--to", "carol", "--role", "MintBurnTokens"],
  pause: USDX,
  unpause: USDX,
  clawback: [...USDX, "--from", "issuer", "--account", "bob", "--to", "dave", "--value", "1"],
  bridge_mint: [
    ...USDX,
    "--to",
    "bob",
    "--value",
    "1",
    "--chain",
    "5",
    "--transaction",
    layout === "v2" ? "0xac" : "0xab",
  ],
  bridge_burn: [...USDX, "--from", "bob", "--value", "1", "--chain", "5", "--destination", "0xcd", "--escrow", "0.5"],
  cancellation: ["--from", "erin", "--nonce", "0"],
  batch: [...USDX, "--from", "dave", "--leg", "bob=1", "--leg", "carol=2", "--created_at", "1"],
  multisig: ["--from", "dave", "--account", layout === "v2" ? "2-of-alice,bob" : "2-of-alice,carol"],
});

/** Kinds that version 1 lacks. */
const ONLY_V2: ReadonlySet<string> = new Set(["batch", "multisig"]);
/** Kinds whose fields stand in one order in the specification and in published clients (wire 3.9). */
const SAME: ReadonlySet<string> = new Set(["payment", "cancellation", "clawback", "bridge_mint", "bridge_burn"]);

describe.each(LAYOUTS)("the layout %s", (layout) => {
  const rows = Object.entries(kinds(layout, layout === "v2" ? "heidi" : "grace"));
  // holds: 108
  it.each(rows.filter(([verb]) => verb !== "cancellation"))("of a %s", async (verb, words) => {
    const found = await send(verb, ...words, "--layout", layout, "--json", "--timeout", "9000");
    if (layout === "spec" && ONLY_V2.has(verb)) {
      expect(found).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringMatching(/--layout: .*(version 1|the spec layout) has no/),
      });
      return;
    }
    // Anybody can post the burn from another account as a payment: the network takes it in version 2 only, which lacks it.
    if (layout === "spec" && verb === "burn") {
      expect(found.code).toBe(1);
      expect(found.lines[0]).toMatchObject({ message: expect.stringContaining("post it to /v2/tokens/burn") });
      return;
    }
    expect(found).toMatchObject({ code: 0, err: "" });
    expect(found.lines[0]).toMatchObject({ status: "final", success: true });
  });

  it("of a cancellation, while no quorum can decide what it cancels", async () => {
    const nonce = layout === "v2" ? "1" : "0";
    network.step({ partition: [["v1"], ["v2"], ["v3"], ["v4"]] });
    const payment = await send("payment", ...PAYMENT.with(3, "erin"), "--nonce", nonce, "--no-wait");
    expect(payment.code).toBe(0);
    const found = await send("cancellation", "--from", "erin", "--nonce", nonce, "--layout", layout, "--no-wait");
    expect(found).toMatchObject({ code: 0, out: expect.stringContaining("admitted") });
    network.step({ heal: true });
    await expect.poll(async () => (await nonceOf("erin")) > Number(nonce)).toBe(true);
  });
});

async function nonceOf(name: string): Promise<number> {
  const answer = await fetch(`${network.url}/v1/accounts/nonce?address=${network.account(name).address}`);
  return ((await answer.json()) as { readonly nonce: number }).nonce;
}

it.each(Object.entries(kinds("spec", "grace")).filter(([verb]) => !ONLY_V2.has(verb)))(
  "a %s is the same write in the order of the specification exactly where both orders are equal",
  async (verb, words) => {
    const at = words.includes("--nonce") ? [] : ["--nonce", "0"];
    const [client, spec] = [
      await send(verb, ...words, ...at, "--print", "--layout", "client"),
      await send(verb, ...words, ...at, "--print", "--layout", "spec"),
    ];
    expect([client.code, spec.code]).toEqual([0, 0]);
    expect(client.out === spec.out).toBe(SAME.has(verb));
    const [a, b] = [client.lines[0], spec.lines[0]] as [Write, Write];
    expect({ ...a.body, signature: "" }).toEqual({ ...b.body, signature: "" });
    expect(a.path).toBe(b.path);
  },
);

type Write = Readonly<{ path: string; body: Readonly<Record<string, unknown>> }>;
