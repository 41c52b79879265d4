import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/scenario/directory.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import { checkpointsIn } from "../../../src/scenario/schema/epoch.ts";
import { SERVED_LISTED, SERVED_SLOTS } from "../../../src/server/limits.ts";
import { readyAccounts, TEST_MNEMONIC } from "../../../src/server/setup/accounts.ts";
import type { RawServeOptions, ServeOptions } from "../../../src/server/setup/options.ts";
import { readServeOptions } from "../../../src/server/setup/read-options.ts";
import { setupOf } from "../../../src/server/setup/setup-of.ts";

/** The options of these texts. */
function options(raw: RawServeOptions): ServeOptions {
  const read = readServeOptions(raw);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

/** Returns the faults of these option texts. */
function fault(raw: RawServeOptions): string {
  const read = readServeOptions(raw);
  return read.ok ? "nothing" : read.error;
}

const genesisOf = (raw: RawServeOptions) => setupOf(options(raw), 0).scenario.genesis;

const FILE = `name: a file
network: { validators: 5, delay_ms: 3 }
genesis:
  chain_id: 77
  tokens: { OWN: { decimals: 2, master: alice } }
  balances: { alice: { OWN: "7" }, zoe: { OWN: "8" } }
  fees: { payment: "0.5", cancellation: "0.6", recovery: "0.7" }
  checkpoints: { slots: 9 }
steps:
  - { at: 100, crash: { node: v5 } }
  - { at: 200, submit: { id: x, payment: { from: zoe, to: bob, token: OWN, value: "1" }, nonce: 0 } }
expect:
  - { final: x }
`;
const file = { file: "a.yaml", text: FILE };

const anyToken = fc
  .record({
    symbol: fc.oneof(fc.stringMatching(/^[A-Z][A-Za-z0-9_.-]{0,7}$/), fc.constantFrom("constructor", "toString")),
    decimals: fc.nat(18),
    list: fc.constantFrom("", ":private", ":public"),
    state: fc.constantFrom("", ":paused", ":open"),
    name: fc.constantFrom("", ":A name", ":With: colons"),
  })
  .map((token) => ({ ...token, text: `${token.symbol}:${token.decimals}${token.list}${token.state}${token.name}` }));

const anyGood = fc.record({
  tokens: fc.uniqueArray(anyToken, { selector: ({ symbol }) => symbol, minLength: 1, maxLength: 4 }),
  profile: fc.constantFrom("local", "specification", "clients", "testnet", "production"),
  validators: fc.integer({ min: 1, max: 7 }),
  accounts: fc.nat(12),
  balance: fc.nat(1_000_000),
  interval: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 86_400_000 })),
  empty: fc.option(fc.boolean(), { nil: undefined }),
  epoch: fc.option(fc.nat(1_000_000), { nil: undefined }),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  from: fc.nat(20),
  more: fc.nat(20),
});

describe("the options of a served network", () => {
  // holds: 125
  it("need none: four validators, ten accounts, one open token and the rules as written", () => {
    expect(options({})).toMatchObject({
      validators: 4,
      accounts: 10,
      balances: { USDX: "1000000" },
      tokens: [{ symbol: "USDX", part: { decimals: 6, master: "issuer", state: "unpaused", private: false } }],
      fees: { USDX: { payment: "0.01", cancellation: "0.02", recovery: "0.02" } },
      checkpointInterval: 2_000,
      chainId: 31_337,
      delay: "0..2",
      policies: {},
      profile: "local",
      requestsPerMinute: undefined,
      mnemonic: TEST_MNEMONIC,
    });
  });

  it("as typed come back in a setup that is plain JSON and whose scenario is one of the scenario language", () => {
    const parser = createParser();
    fc.assert(
      fc.property(anyGood, (good) => {
        const { tokens, accounts } = good;
        // A length needs checkpoints.
        const epoch = good.interval > 0 ? good.epoch : undefined;
        const setup = setupOf(
          options({
            profile: good.profile,
            token: tokens.map(({ text }) => text),
            validators: String(good.validators),
            accounts: String(accounts),
            balance: String(good.balance),
            "checkpoint-interval": String(good.interval),
            "empty-checkpoints": good.interval > 0 ? good.empty : undefined,
            "epoch-checkpoints": epoch === undefined ? undefined : String(epoch),
            "chain-id": String(good.chainId),
            delay: `${good.from}..${good.from + good.more}`,
            seed: "s",
          }),
          1_234,
        );
        expect(JSON.parse(JSON.stringify(setup))).toEqual(setup);
        const parsed = parser.parse(JSON.stringify(setup.scenario));
        expect(parsed).toEqual({ ok: true, value: setup.scenario });
        const { genesis, network } = setup.scenario;
        expect(setup).toMatchObject({
          seed: "s",
          crypto: "real",
          startedAt: 1_234,
        });
        expect(network).toEqual({ validators: good.validators, delay_ms: `${good.from}..${good.from + good.more}` });
        expect(genesis?.chain_id).toBe(good.chainId);
        expect(genesis?.policies).toEqual(
          good.profile === "clients" ? { issued_tokens: "open", batch_fees: "operator" } : undefined,
        );
        expect(checkpointsIn(genesis)?.interval_ms ?? 0).toBe(good.interval);
        const [isPeriodic, epochs] = [checkpointsIn(genesis)?.empty ?? false, genesis?.epochs?.checkpoints ?? 0];
        expect(isPeriodic).toBe(good.interval > 0 && (good.empty ?? good.profile !== "local"));
        const usualLength = ["local", "clients"].includes(good.profile) || good.interval === 0 ? 0 : 1_800;
        expect(epochs).toBe(epoch ?? usualLength);
        const names = readyAccounts(TEST_MNEMONIC, accounts).map(({ name }) => name);
        expect(Object.keys(genesis?.balances ?? {})).toEqual(names);
        for (const { symbol, decimals, list, state, name } of tokens) {
          const part = genesis?.tokens?.[symbol];
          expect(part).toMatchObject({
            decimals,
            master: "issuer",
            private: list === ":private",
            state: state === ":paused" ? "paused" : "unpaused",
            name: name === "" ? symbol : name.slice(1),
          });
          expect(part?.roles).toBeUndefined();
          expect(part?.whitelist ?? []).toEqual(list === ":private" ? names : []);
          for (const account of names) expect(genesis?.balances?.[account]?.[symbol]).toBe(String(good.balance));
        }
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["local", { policies: {}, requestsPerMinute: undefined, signatureFormat: "hex" }, "0.01"],
    ["specification", { policies: {}, requestsPerMinute: undefined, signatureFormat: "decimal" }, "0.01"],
    ["testnet", { policies: {}, requestsPerMinute: 300, signatureFormat: "hex" }, "0.01"],
    ["production", { policies: {}, requestsPerMinute: undefined, signatureFormat: "hex" }, "0.01"],
    [
      "clients",
      {
        policies: { issued_tokens: "open", batch_fees: "operator" },
        requestsPerMinute: undefined,
        signatureFormat: "hex",
      },
      "0",
    ],
  ])("have the profile %s", (profile, expected, payment) => {
    const read = options({ profile });
    expect(read).toMatchObject(expected);
    expect(read.fees["USDX"]?.payment).toBe(payment);
    expect(read.issuedFees).toEqual(
      profile === "clients"
        ? { payment: "0", cancellation: "1", recovery: "1" }
        : { payment: "1", cancellation: "2", recovery: "2" },
    );
    expect(genesisOf({ profile })?.fees?.unnamed).toEqual(read.issuedFees);
    for (const raw of [{ "open-tokens": true }, { policy: ["issued_tokens=open"] }])
      expect(options({ profile, ...raw }).policies.issued_tokens).toBe("open");
    expect(options({ profile, policy: ["issued_tokens=paused"] }).policies.issued_tokens).toBe("paused");
    expect(options({ profile, fees: "3" }).fees["USDX"]?.payment).toBe("3");
  });

  it("raise the usual fee to the smallest unit of a token without cents", () => {
    expect(options({ token: ["KG:0", "D:1", "C:2", "W:18"] }).fees).toEqual({
      KG: { payment: "1", cancellation: "2", recovery: "2" },
      D: { payment: "0.1", cancellation: "0.2", recovery: "0.2" },
      C: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
      W: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
    });
  });

  it("take one fee for payments, twice as much for the others, or all three", () => {
    expect(options({ fees: "0.25" }).fees["USDX"]).toEqual({ payment: "0.25", cancellation: "0.5", recovery: "0.5" });
    expect(options({ fees: "0" }).fees["USDX"]).toEqual({
      payment: "0",
      cancellation: "0.000001",
      recovery: "0.000001",
    });
    expect(options({ fees: "recovery=3, payment=1,cancellation=2.5" }).fees["USDX"]).toEqual({
      payment: "1",
      cancellation: "2.5",
      recovery: "3",
    });
  });

  it.each([
    [{ profile: "client" }, /--profile: .*did you mean "clients"/],
    [{ validators: "0" }, /--validators: expected a whole number from 1 to 128, got "0"/],
    [{ validators: "129" }, /--validators/],
    [{ validators: "4.5" }, /--validators/],
    [{ accounts: "-1" }, /--accounts: .* 0 to 1000/],
    [{ accounts: "1001" }, /--accounts/],
    [{ balance: "1,5" }, /--balance: expected an amount such as 12\.50/],
    [{ balance: "-1" }, /--balance/],
    [{ balance: "0.1234567" }, /--balance: USDX: expected at most 6 digits/],
    [{ balance: "9".repeat(78) }, /--balance: USDX: expected at most 2\^256 - 1/],
    [{ balance: "1".repeat(72) }, /genesis: supply of 0x[0-9a-f]+ passes/],
    [{ token: ["USDX"] }, /--token: .* no decimals in "USDX"/],
    [{ token: ["1X:6"] }, /--token: expected symbol:decimals/],
    [{ token: ["__proto__:6"] }, /--token: expected symbol:decimals/],
    [{ token: [":6"] }, /--token: expected symbol:decimals/],
    [{ token: ["USDX:19"] }, /--token USDX: decimals: .* 0 to 18, got "19"/],
    [{ token: ["USDX:six"] }, /--token USDX: decimals/],
    [{ token: ["USDX:6:"] }, /--token USDX: name: expected 1 to 128 bytes, got 0/],
    [{ token: [`USDX:6:${"é".repeat(65)}`] }, /--token USDX: name: .* got 130/],
    [{ token: ["USDX:6:a\u001b[2J"] }, /--token USDX: name: expected no control characters/],
    [{ token: ["A:6", "A:7"] }, /--token: A is named twice/],
    [{ token: Array.from({ length: 101 }, (_, at) => `T${at}:1`) }, /--token: expected at most 100/],
    [{ fees: "x" }, /--fees: expected an amount/],
    [{ fees: "0.0000001" }, /--fees: USDX: .*6 decimals/],
    [{ fees: "payment=1" }, /--fees: expected payment=…,cancellation=…,recovery=…/],
    [{ fees: "payment=1,payment=2" }, /--fees: payment is named twice/],
    [{ fees: "mint=1" }, /--fees: expected payment, cancellation, recovery, got "mint"/],
    [{ fees: "payment=1,cancellation=1,recovery=2" }, /--fees: USDX: .* must cost more than a payment, 1/],
    [{ fees: "payment=1,cancellation=2,recovery=" }, /--fees: recovery/],
    [{ fees: "9".repeat(71) }, /--fees: USDX: cancellation: expected at most 2\^256 - 1/],
    [{ "checkpoint-interval": "86400001" }, /--checkpoint-interval/],
    [{ "epoch-checkpoints": "1000001" }, /--epoch-checkpoints: .* 0 to 1000000, got "1000001"/],
    [
      { "checkpoint-interval": "0", "empty-checkpoints": true },
      /--empty-checkpoints: .* a --checkpoint-interval above 0/,
    ],
    [
      { "checkpoint-interval": "0", "epoch-checkpoints": "5" },
      /--epoch-checkpoints: .* a --checkpoint-interval above 0/,
    ],
    [{ "chain-id": "0" }, /--chain-id/],
    [{ "chain-id": "9007199254740992" }, /--chain-id/],
    [{ delay: "20..5" }, /--delay: expected milliseconds/],
    [{ delay: "1..2..3" }, /--delay/],
    [{ delay: "" }, /--delay/],
    [{ delay: "86400001" }, /--delay/],
    [{ seed: "" }, /--seed: expected 1 to 128/],
    [{ mnemonic: "test junk" }, /--mnemonic: expected 12/],
    [{ "operator-key": "0x12" }, /^--operator-key: expected a private key of secp256k1: 0x and 64 hex digits$/],
    [{ "operator-key": `0x${"00".repeat(32)}` }, /--operator-key/],
    [{ "operator-key": `0x${"ff".repeat(32)}` }, /--operator-key/],
    [
      { "operator-key": "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d" },
      /--operator-key: expected a key of its own: it is that of issuer/,
    ],
    [{ policy: ["issued_token=open"] }, /--policy: expected one of issued_tokens.*, got "issued_token".*issued_tokens/],
    [{ policy: ["issued_tokens=shut"] }, /--policy issued_tokens: expected one of paused, open, got "shut"/],
    [{ genesis: file, scenario: file }, /--genesis and --scenario/],
    [{ genesis: { file: "b.yaml", text: "name: x\nnetwrok: {}" } }, /b\.yaml:2:1: unknown key "netwrok"/],
    [{ scenario: { file: "b.yaml", text: "a: [" } }, /b\.yaml:\d+:\d+: /],
    [{ genesis: file, token: ["OWN:2"] }, /--token: OWN is already defined in the file/],
    [{ scenario: file, validators: "4" }, /steps\.0\.crash\.node: .*v5/],
    [
      {
        genesis: {
          file: "b.yaml",
          text: FILE.replace("zoe: {", '"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266": {').replace(
            "from: zoe",
            "from: alice",
          ),
        },
      },
      /expected operator/,
    ],
  ] as readonly (readonly [RawServeOptions, RegExp])[])("are refused with what was expected: %j", (raw, expected) => {
    expect(fault(raw)).toMatch(expected);
  });

  it("are all refused at once, a line each", () => {
    const lines = fault({ validators: "x", accounts: "x", delay: "x", fees: "x", seed: "" }).split("\n");
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "--validators",
      "--delay",
      "--accounts",
      "--fees",
      "--seed",
    ]);
  });

  it("start a network or name an option, whatever was typed", () => {
    const word = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: "binary", maxLength: 20 }));
    const raw = fc.record(
      {
        profile: word,
        validators: word,
        accounts: word,
        mnemonic: word,
        balance: word,
        token: fc.array(
          fc.oneof(
            word,
            anyToken.map(({ text }) => text),
            word.map((name) => `A:6:${name}`),
          ),
          { maxLength: 3 },
        ),
        fees: fc.oneof(
          word,
          word.map((amount) => `payment=${amount}`),
        ),
        "checkpoint-interval": word,
        "epoch-checkpoints": word,
        "chain-id": word,
        seed: word,
        delay: word,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(raw, (typed) => {
        const read = readServeOptions(typed as RawServeOptions);
        if (read.ok) setupOf(read.value, 0);
        else for (const line of read.error.split("\n")) expect(line).toMatch(/^(--|genesis)/);
      }),
    );
  });
});

describe("a file that a served network starts from", () => {
  it("wins over what is usual", () => {
    expect(options({ genesis: file })).toMatchObject({
      validators: 5,
      delay: 3,
      chainId: 77,
      tokens: [],
      balances: {},
      fees: { OWN: { payment: "0.5", cancellation: "0.6", recovery: "0.7" } },
      checkpointInterval: 1_000,
    });
    expect(genesisOf({ genesis: file })).toMatchObject({
      balances: { alice: { OWN: "7" }, zoe: { OWN: "8" } },
      checkpoints: { slots: 9, interval_ms: 1_000 },
    });
  });

  it("loses to what was typed, but for what it gives somebody", () => {
    const raw: RawServeOptions = {
      genesis: file,
      validators: "3",
      delay: "1..2",
      "chain-id": "5",
      token: ["NEW:0"],
      balance: "9",
      fees: "1",
      "checkpoint-interval": "50",
      accounts: "4",
    };
    expect(setupOf(options(raw), 0).scenario.network).toEqual({ validators: 3, delay_ms: "1..2" });
    const genesis = genesisOf(raw);
    expect(genesis).toMatchObject({ chain_id: 5, checkpoints: { slots: 9, interval_ms: 50 } });
    expect(Object.keys(genesis?.tokens ?? {})).toEqual(["OWN", "NEW"]);
    expect(genesis?.balances).toEqual({
      alice: { OWN: "7", NEW: "9" },
      zoe: { OWN: "8" },
      operator: { OWN: "9", NEW: "9" },
      issuer: { OWN: "9", NEW: "9" },
      bob: { OWN: "9", NEW: "9" },
    });
    expect(genesis?.fees?.tokens).toEqual({
      OWN: { payment: "1", cancellation: "2", recovery: "2" },
      NEW: { payment: "1", cancellation: "2", recovery: "2" },
    });
  });

  it("lends its network and genesis; as a scenario its steps too, and no liveness is demanded", () => {
    expect(setupOf(options({ genesis: file }), 0).scenario.steps).toBeUndefined();
    const { scenario } = setupOf(options({ scenario: file }), 0);
    expect(scenario).toMatchObject({ name: "a file", healing: { none: true }, steps: [{ at: 100 }, { at: 200 }] });
    expect(scenario.expect).toBeUndefined();
  });

  it("says what becomes of tokens that are issued later, unless something else was typed", () => {
    const text = FILE.replace("chain_id: 77", "policies: { issued_tokens: open }").replace(
      'recovery: "0.7" }',
      'recovery: "0.7", unnamed: { payment: "5", cancellation: "6", recovery: "7" } }',
    );
    const genesis: RawServeOptions["genesis"] = { file: "a.yaml", text };
    expect(options({ genesis })).toMatchObject({
      policies: { issued_tokens: "open" },
      issuedFees: { payment: "5", cancellation: "6", recovery: "7" },
      fees: { OWN: { payment: "0.5", cancellation: "0.6", recovery: "0.7" } },
    });
    expect(genesisOf({ genesis, policy: ["issued_tokens=paused"] })?.policies).toEqual({ issued_tokens: "paused" });
  });

  it("gives checkpoints without traffic and the length of an epoch, unless something else was typed", () => {
    const text = FILE.replace("{ slots: 9 }", "{ empty: true }\n  epochs: { checkpoints: 3 }");
    const genesis: RawServeOptions["genesis"] = { file: "a.yaml", text };
    expect(genesisOf({ genesis })).toMatchObject({ checkpoints: { empty: true }, epochs: { checkpoints: 3 } });
    expect(genesisOf({ genesis: file, profile: "production" })).toMatchObject({
      checkpoints: { empty: true },
      epochs: { checkpoints: 1_800 },
    });
    const typed = genesisOf({ genesis, "empty-checkpoints": false, "epoch-checkpoints": "0" });
    expect([checkpointsIn(typed)?.empty, typed?.epochs]).toEqual([false, undefined]);
    expect(fault({ genesis, "checkpoint-interval": "0" })).toMatch(/--epoch-checkpoints: no checkpoints are formed/);
  });

  it("says how much a checkpoint lists, which is else more than a server decides in a second", () => {
    const text = FILE.replace("{ slots: 9 }", "{ limit: 7 }");
    const limits = [{}, { genesis: { file: "a.yaml", text } }].map((raw) => checkpointsIn(genesisOf(raw))?.limit);
    expect(limits).toEqual([SERVED_LISTED, 7]);
  });

  it("forms a checkpoint of few slots under load, unless checkpoints count for the end of an epoch", () => {
    const slots = [{}, { "epoch-checkpoints": "9" }].map((raw) => checkpointsIn(genesisOf(raw))?.slots);
    expect(slots).toEqual([SERVED_SLOTS, undefined]);
  });

  it("has no checkpoints where 0 was typed", () => {
    expect(genesisOf({ genesis: file, "checkpoint-interval": "0" })?.checkpoints).toBeUndefined();
  });
});

describe("the keys of a setup", () => {
  it("are the mnemonic's, for all fixed names even where fewer accounts stand ready", () => {
    const known = Object.fromEntries(readyAccounts(TEST_MNEMONIC, 10).map((account) => [account.name, account.key]));
    expect(setupOf(options({ accounts: "1" }), 0).keys).toEqual(known);
    expect(Object.keys(setupOf(options({ accounts: "12" }), 0).keys)).toHaveLength(12);
    for (const master of ["zoe", "constructor"]) {
      const text = FILE.replace("master: alice", `master: ${master}`);
      const { keys } = setupOf(options({ genesis: { file: "a.yaml", text } }), 0);
      expect(keys).toEqual({ ...known, [master]: keyOf("account", master) });
    }
    expect(setupOf(options({ genesis: file }), 0).keys).toEqual(known);
  });
});
