import { describe, expect, it } from "vitest";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import type { Setup } from "../../../src/live/recording.ts";
import { directoryOf } from "../../../src/scenario/directory.ts";
import { genesisOf } from "../../../src/scenario/parameters.ts";
import { type ReadyAccount, readyAccounts } from "../../../src/server/setup/accounts.ts";
import type { RawServeOptions } from "../../../src/server/setup/options.ts";
import { readServeOptions } from "../../../src/server/setup/read-options.ts";
import { readyLine, readyTokens, setupOf, startupText } from "../../../src/server/setup/setup-of.ts";

const URLS = { url: "http://127.0.0.1:18555", adminUrl: "http://127.0.0.1:18556" };
const OTHER = "legal winner thank year wave sausage worth useful legal winner thank yellow";

function started(raw: RawServeOptions): readonly [Setup, readonly ReadyAccount[]] {
  const read = readServeOptions(raw);
  if (!read.ok) throw new Error(read.error);
  const { mnemonic, accounts } = read.value;
  return [setupOf(read.value, 0), readyAccounts(mnemonic, accounts)];
}

it("a ready token has the address that the ledger begins with, and no holder of a role", () => {
  const [setup] = started({ token: ["USDX:6", "WETH:18:private", "KG:0:paused"] });
  const genesis = genesisOf(setup.scenario, directoryOf(setup.scenario, secp256k1, setup.keys));
  const lines = readyTokens(setup);
  expect(genesis.tokens.map(({ token, masterAuthority: master }) => ({ address: token, master }))).toEqual(
    lines.map(({ address, master }) => ({ address, master })),
  );
  expect(genesis.tokens.map(({ roles }) => roles)).toEqual(lines.map(() => []));
  expect(genesis.operator).toBe("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
});

describe("what a served network says at its start", () => {
  it("names every account with address, key and balance on one line", () => {
    const [setup, accounts] = started({ token: ["USDX:6", "EURX:2"], balance: "12.5" });
    const lines = startupText(setup, accounts, URLS, "native").split("\n");
    for (const { name, address, key } of accounts)
      expect(lines).toContainEqual(expect.stringMatching(`^ +${name} +${address} +${key} +12.5 USDX, 12.5 EURX$`));
  });

  it("names tokens, fees, validators and endpoints", () => {
    const text = startupText(
      ...started({ token: ["USDX:6:private:paused:My dollar"], validators: "7", "checkpoint-interval": "0" }),
      { ...URLS, furtherUrls: [["websocket", "ws://127.0.0.1:18555/ws"]] },
      "native",
    );
    // Both derive from account 1 of the test mnemonic, which is master of the ready tokens.
    expect(text).toMatch(/USDX +0x8ff67ce65760cd1210c9ff3726ee51e06a75c1b1 +6 +private, paused +My dollar\n/);
    expect(text).toMatch(/a payment costs 0\.01 USDX, a cancellation 0\.02, a recovery 0\.02\n/);
    expect(text).toMatch(/validators +7: v1, v2, v3, v4, v5, v6, v7; signatures of 5 make final\n/);
    expect(text).toMatch(/checkpoints +none\n *epochs +closed by governance only\n/);
    const periodic = startupText(...started({ profile: "production" }), URLS, "native");
    expect(periodic).toMatch(
      /checkpoints +2000 ms after the one before, without traffic too\n *epochs +closed after 1800 checkpoints\n/,
    );
    expect(text).toMatch(/signatures +secp256k1, native code\n/);
    expect(text).toMatch(/websocket +ws:\/\/127\.0\.0\.1:18555\/ws\n/);
    expect(text).toMatch(/admin +http:\/\/127\.0\.0\.1:18556\n/);
  });

  it("warns of what is public, and only of that", () => {
    const suites = startupText(...started({ profile: "clients" }), URLS, "native");
    expect(suites).toMatch(/Chain id 1212101 is also the public test network's/);
    const usual = startupText(...started({}), URLS, "native");
    expect(usual).toMatch(/mnemonic of these accounts is public/);
    expect(usual).not.toMatch(/public test network/);
    expect(usual).toMatch(/Never use real keys or real funds here\.\n$/);
    const own = startupText(...started({ mnemonic: OTHER, "chain-id": "5" }), URLS, "native");
    expect(own).not.toMatch(/mnemonic|public test network/);
    expect(own).toMatch(/Never use real keys or real funds here\.\n$/);
  });

  it("says that a scenario happens meanwhile", () => {
    const text = "name: a storm\nsteps:\n  - { at: 5, crash: { node: v1 } }\n";
    expect(startupText(...started({ scenario: { file: "a.yaml", text } }), URLS, "wasm")).toMatch(
      /scenario +a storm: /,
    );
  });

  it("has one JSON line for programs", () => {
    const [setup, accounts] = started({ accounts: "1" });
    const line = readyLine(setup, accounts, URLS, "native");
    expect(line).not.toMatch(/\n/);
    expect(JSON.parse(line)).toEqual({
      type: "ready",
      url: "http://127.0.0.1:18555",
      admin_url: "http://127.0.0.1:18556",
      chain_id: 31_337,
      accounts: [
        {
          name: "operator",
          address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
          key: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
        },
      ],
      tokens: [
        {
          symbol: "USDX",
          name: "USDX",
          address: "0x8ff67ce65760cd1210c9ff3726ee51e06a75c1b1",
          decimals: 6,
          master_authority: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
          is_private: false,
          is_paused: false,
        },
      ],
      validators: ["v1", "v2", "v3", "v4"],
      seed: "1",
      crypto: "native",
    });
    expect(JSON.parse(readyLine(setup, accounts, { url: "http://x", adminUrl: undefined }, "noble"))).toMatchObject({
      admin_url: null,
      crypto: "noble",
    });
  });
});
