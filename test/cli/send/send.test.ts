import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { KINDS, optionOf } from "../../../src/cli/send/order.ts";
import type { Field } from "../../../src/core/ledger/operations/kind.ts";
import { KINDS as OPERATIONS } from "../../../src/core/ledger/operations/kinds.ts";
import { type MemberType, VERBS } from "../../../src/scenario/verbs.ts";
import { readyAccounts, TEST_MNEMONIC } from "../../../src/server/setup/accounts.ts";
import { type CommandOutput, runCommand } from "../support.ts";
import { CHAIN, ISSUER, NEW_TOKEN, NONCE, type Played, play, type Special, USDX } from "./network.ts";

const ACCOUNTS = readyAccounts(TEST_MNEMONIC, 10);
const addressOf = (name: string): string => ACCOUNTS.find((account) => account.name === name)?.address ?? "";
const OTHER_ACCOUNT = `0x${"ab".repeat(20)}`;

let network: Played | undefined;

afterEach(() => network?.close());

/** Runs the command against a network that is played as told. */
async function send(line: string, special?: Special, more: Partial<Io> = {}): Promise<CommandOutput> {
  network?.close();
  network = await play(special);
  return runCommand(["send", ...line.split(" "), "--url", `${network.url}/`], more);
}

const line = ({ lines }: CommandOutput): Record<string, unknown> => lines[0] ?? {};

/** Lines, with their signer, kind and members of the body, beyond the rows of the forms below. */
const TABLE: readonly (readonly [string, signer: string, kind: string, fields: Record<string, unknown>])[] = [
  [
    "payment --from alice --to bob --token USDX --value 12.5",
    "alice",
    "payment",
    { recipient: addressOf("bob"), value: "12500000", token: USDX },
  ],
  [
    `payment --from 3 --to ${OTHER_ACCOUNT} --token ${USDX} --value 0.000001`,
    "bob",
    "payment",
    { recipient: OTHER_ACCOUNT, value: "1", token: USDX },
  ],
  [
    `payment --from ${addressOf("carol")} --to alice --token USDX --value 1 --memo hello`,
    "carol",
    "payment",
    { recipient: addressOf("alice"), memo: { type: "", format: "text/plain", data: "hello" } },
  ],
  ["multisig --from alice --account 3-of-alice:2,bob", "alice", "multisig", { threshold: 3 }],
  ["burn --token USDX --value 3 --from dave", "dave", "burn", { value: "3000000", token: USDX }],
  [
    "burn --token USDX --value 3 --account erin",
    "issuer",
    "burn",
    { recipient: addressOf("erin"), value: "3000000", token: USDX },
  ],
  [
    "bridge_mint --to bob --token USDX --value 3 --chain 5 --transaction 0xAb",
    "issuer",
    "bridgeMint",
    { recipient: addressOf("bob"), value: "3000000", source_chain_id: 5, source_tx_hash: "0xAb", bridge_metadata: "" },
  ],
  [
    "bridge_burn --token USDX --value 3 --from dave --chain 5 --destination 0xcd --escrow 1",
    "dave",
    "bridgeBurn",
    {
      sender: addressOf("dave"),
      value: "3000000",
      destination_address: "0xcd",
      escrow_fee: "1000000",
      bridge_param: "0x",
    },
  ],
  [
    "batch --token USDX --from dave --leg bob=3 --leg erin=0.5 --leg bob=1 --created_at 7 --batch_id b",
    "dave",
    "batch",
    {
      token: USDX,
      operations: [
        ["bob", "3000000"],
        ["erin", "500000"],
        ["bob", "1000000"],
      ].map(([name = "", amount]) => ({ recipient: addressOf(name), amount })),
      created_at: 7,
      batch_id: "b",
    },
  ],
  [
    "issue --symbol EURX --decimals 2",
    "operator",
    "issue",
    { symbol: "EURX", name: "EURX", decimals: 2, master_authority: ISSUER, is_private: false },
  ],
  [
    "issue --symbol EURX --name Euro --decimals 0 --master bob --private",
    "operator",
    "issue",
    { symbol: "EURX", name: "Euro", decimals: 0, master_authority: addressOf("bob"), is_private: true },
  ],
  [
    "grant --to bob --token USDX --role Pause",
    "issuer",
    "authority",
    { action: "Grant", authority_type: "Pause", authority_address: addressOf("bob"), token: USDX, value: "0" },
  ],
  [
    "grant --to bob --token USDX --role MintBurnTokens --value 100 --from grace",
    "grace",
    "authority",
    { authority_type: "MintBurnTokens", value: "100000000" },
  ],
  [
    "whitelist --account bob --token USDX --remove",
    "issuer",
    "whitelist",
    { action: "Remove", address: addressOf("bob"), token: USDX },
  ],
  [
    "metadata --token USDX --name Dollar --uri u --additional a=1 --additional b==",
    "issuer",
    "metadata",
    {
      name: "Dollar",
      uri: "u",
      token: USDX,
      additional_metadata: [
        { key: "a", value: "1" },
        { key: "b", value: "=" },
      ],
    },
  ],
  [
    "faucet --to bob --token USDX --value 5",
    "issuer",
    "mint",
    { recipient: addressOf("bob"), value: "5000000", token: USDX },
  ],
];

/** By the type of a member: what is typed for it, and what a body holds. */
const TYPED: Readonly<Partial<Record<MemberType, readonly [typed: string, held: unknown]>>> = {
  ...{ account: ["bob", addressOf("bob")], token: ["USDX", USDX], amount: ["3", "3000000"], count: ["2", 2] },
  ...{ name: ["Word", "Word"], text: ["0xab", "0xab"], chain: ["5", 5], role: ["MintBurnTokens", "MintBurnTokens"] },
  legs: ["bob=3", [{ recipient: addressOf("bob"), amount: "3000000" }]],
  multisig: ["3-of-alice:2,bob", expect.anything()],
};

/** Each verb with what its form needs; the network reads it with the layouts of the independent client. */
const FORMS = Object.entries(VERBS).map(([verb, { kind, form, fills }]): (typeof TABLE)[number] => {
  const needed = Object.entries(form).filter(([, { type, optional }]) => optional !== true && type in TYPED);
  const options = needed
    .filter(([member]) => member !== "from")
    .map(([member, { type }]) => ` --${optionOf(member, type)} ${TYPED[type]?.[0]}`);
  const fields: Readonly<Record<string, Field>> = OPERATIONS[kind].fields;
  const signer = { owner: "alice", authority: "issuer", operator: "operator" }[OPERATIONS[kind].signer];
  const held = Object.entries(fills).map(([field, from]) => {
    const wire = fields[field]?.wire;
    if (typeof from !== "string") return [wire, from.fixed];
    const type = needed.find(([member]) => member === from)?.[1].type;
    return [type && wire, from === "from" ? addressOf(signer) : type && TYPED[type]?.[1]];
  });
  const read = kind === "list" ? verb : kind;
  const body = Object.fromEntries(held.filter(([wire]) => wire !== undefined));
  return [`${verb}${options.join("")}${signer === "alice" ? " --from alice" : ""}`, signer, read, body];
});

describe("quorumlab send", () => {
  it.each([...TABLE, ...FORMS])("%s", async (typed, signer, kind, fields) => {
    const result = await send(`${typed} --json`);
    expect(result.code).toBe(0);
    const [write] = network?.writes ?? [];
    const expected = addressOf(signer);
    expect(write).toMatchObject({ kind, sender: expected, body: { chain_id: CHAIN, nonce: NONCE, ...fields } });
    expect(line(result)).toMatchObject({
      type: "sent",
      kind: typed.split(" ")[0],
      hash: write?.hash,
      from: { name: signer, address: expected },
      nonce: NONCE,
      status: "final",
      success: true,
      fee: "10000",
      fee_token: USDX,
      epoch: 2,
      signers: 3,
      validators: 4,
      ...(kind === "issue" ? { token: NEW_TOKEN } : {}),
    });
  });

  it("signs any amount exactly, or refuses it and sends nothing", async () => {
    const anyText = fc.oneof(
      fc.tuple(fc.bigInt({ min: 0n, max: 1n << 240n }), fc.stringMatching(/^[0-9]{0,8}$/)).map(([a, b]) => `${a}.${b}`),
      fc.bigInt({ min: 0n, max: 1n << 260n }).map(String),
      fc.stringMatching(/^[0-9.,xe+]{1,6}$/),
    );
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { code, err } = await send(`payment --from alice --to bob --token USDX --value ${text} --no-wait`);
        const [whole = "", cents = ""] = text.split(".");
        const isGood = /^(0|[1-9][0-9]*)(\.[0-9]{1,6})?$/.test(text) && whole.length < 79;
        const units = isGood ? BigInt(whole + cents.padEnd(6, "0")) : 0n;
        if (isGood && units < 1n << 256n) expect(network?.writes[0]?.body["value"]).toBe(units.toString());
        else expect([code, err, network?.writes]).toEqual([2, expect.stringMatching(/^quorumlab: --value: /), []]);
      }),
      { numRuns: 60 },
    );
  });

  // holds: 26
  it("sends no key, in a request's address or in its body", async () => {
    for (const typed of ["payment --from alice --to bob --token USDX --value 1", "pause --token USDX --from issuer"]) {
      await send(typed);
      const { requests = [], writes = [] } = network ?? {};
      expect([requests.length > 1, writes.length]).toEqual([true, 1]);
      const sent = JSON.stringify([requests, writes]).toLowerCase();
      for (const { key } of ACCOUNTS) {
        expect(key).toMatch(/^0x[0-9a-f]{64}$/);
        expect(sent).not.toContain(key.slice(2));
      }
    }
  });

  it("tells people what was sent and what became of it", async () => {
    let time = 0;
    const now = () => (time += 130);
    const { code, out } = await send("payment --from alice --to bob --token USDX --value 12.5", undefined, { now });
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "payment 12.5 of USDX to bob, signed by alice, nonce 4",
        `  hash   ${network?.writes[0]?.hash}`,
        "  final after 130 ms, signed by 3 of 4 validators",
        "  fee    0.01 USDX",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["grant --to bob --token USDX --role Pause", "grant Pause of USDX to bob, signed by issuer, nonce 4"],
    ["blacklist --account bob --token USDX", "blacklist USDX for bob, signed by issuer, nonce 4"],
    ["issue --symbol EURX --decimals 2", "issue EURX, signed by operator, nonce 4"],
    [
      "batch --token USDX --from alice --leg bob=3 --leg carol=0.5",
      "batch of USDX with 3 to bob, 0.5 to carol, signed by alice, nonce 4",
    ],
    ["cancellation --from alice", "cancellation, signed by alice, nonce 4"],
  ])("says in a sentence what was sent: %s", async (typed, sentence) => {
    expect((await send(`${typed} --no-wait`)).out.split("\n")[0]).toBe(sentence);
  });

  it("tells the fee of a cancellation in the token that paid it, and the address of a new token", async () => {
    expect((await send("cancellation --from alice")).out).toMatch(/fee {4}0\.01 USDX\n/);
    expect((await send("issue --symbol E --decimals 2")).out).toMatch(`token  ${NEW_TOKEN}\n`);
  });

  it("takes the nonce that was typed, and asks for none", async () => {
    await send("cancellation --from alice --nonce 9 --no-wait");
    expect(network?.writes[0]?.body).toMatchObject({ nonce: 9 });
    expect(network?.requests.filter((request) => request.includes("nonce"))).toEqual([]);
  });

  it("does not wait where nobody asks for it", async () => {
    const { code, out } = await send("pause --token USDX --no-wait");
    expect([code, network?.requests.at(-1)]).toEqual([0, "POST /v1/tokens/pause"]);
    expect(out).toMatch(/admitted/);
  });

  it("takes options from the environment, and minds none that its kind has not", async () => {
    const env = { QUORUMLAB_FROM: "bob", QUORUMLAB_TOKEN: "USDX", QUORUMLAB_JSON: "1" };
    const result = await send("cancellation", undefined, { env });
    expect(line(result)).toMatchObject({ from: { name: "bob" } });
  });

  it("signs with another mnemonic's accounts", async () => {
    const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    const env = { QUORUMLAB_MNEMONIC: mnemonic };
    await send("cancellation --from account10 --accounts 11 --no-wait", undefined, { env });
    expect(network?.writes[0]?.sender).toBe(readyAccounts(mnemonic, 11)[10]?.address);
  });
});

const hasPath =
  (path: string, reply: ReturnType<Special>): Special =>
  (request) =>
    request.includes(path) ? reply : undefined;
const miss = [404, { error_code: "resource_transaction_not_found", message: "pending" }] as const;

describe("what may become of it", () => {
  const payment = "payment --from alice --to bob --token USDX --value 1";

  it("refused: exit 1 with code and message", async () => {
    const refusal = hasPath("payment", [422, { error_code: "business_nonce_gap", message: "expected 3" }]);
    const result = await send(payment, refusal);
    expect(result).toMatchObject({
      code: 1,
      out: expect.stringMatching(/refused 422 business_nonce_gap: expected 3\n/),
    });
    expect(line(await send(`${payment} --json`, refusal))).toMatchObject({
      status: "refused",
      http_status: 422,
      error_code: "business_nonce_gap",
      message: "expected 3",
    });
  });

  it("refused: amounts in units, and names of the order in place of addresses, but for JSON", async () => {
    const message = `${addressOf("bob")} had less than 12500000 of token ${USDX} and 3 of token ${OTHER_ACCOUNT}; ${addressOf("carol")}`;
    const refusal = hasPath("payment", [422, { error_code: "business_burn_unfunded", message }]);
    const unknown: Special = (request, writes) => (request.includes(OTHER_ACCOUNT) ? miss : refusal(request, writes));
    const { out } = await send(payment, unknown);
    expect(out).toContain(`bob had less than 12.5 USDX and 3 of token ${OTHER_ACCOUNT}; ${addressOf("carol")}\n`);
    expect(line(await send(`${payment} --json`, unknown))).toMatchObject({ message });
  });

  it("final after some looks, whatever they show before", async () => {
    let looks = 0;
    const early = [miss, [429, {}], [500, {}], "hang up"] as const;
    const result = await send(`${payment} --json`, (request) => {
      if (request.includes("by_hash")) looks++;
      return request.includes("finalized")
        ? early[Math.floor((looks - 1) / 2)]
        : request.includes("by_hash")
          ? miss
          : undefined;
    });
    expect(line(result)).toMatchObject({ status: "final", success: true });
    expect(looks).toBe(9);
  });

  it("final without effect: exit 1", async () => {
    const failed = { success: false, fee_used: "0", error_code: "business_burn_unfunded" };
    const result = await send(payment, hasPath("finalized", [200, failed]));
    expect(result).toMatchObject({
      code: 1,
      out: expect.stringMatching(/final without effect, business_burn_unfunded/),
    });
  });

  it.each([
    [{ status: "superseded", superseded_by: "0xcc" }, "superseded", /0xcc was decided/],
    [{ status: "void" }, "void", /closed without it/],
    [{ status: "refused", error_code: "business_blacklisted" }, "refused", /refused after/],
  ])("%j: exit 1 at once", async (body, status, message) => {
    const result = await send(`${payment} --json`, (request) => {
      if (request.includes("finalized")) return miss;
      return request.includes("transactions/by_hash") ? [200, body] : undefined;
    });
    expect(result.code).toBe(1);
    expect(line(result)).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  it("unknown where it is not final in time: exit 1, and where to look", async () => {
    const result = await send(`${payment} --timeout 20`, (request) => (request.includes("by_hash") ? miss : undefined));
    expect(result.code).toBe(1);
    expect(result.out).toMatch(/unknown: not final within 20 ms\n.*by_hash\?hash=0x/);
  });

  it.each([
    [hasPath("payment", "hang up"), /ECONNRESET|UND_ERR_SOCKET|closed/],
    [hasPath("payment", [500, { error_code: "system_queue_full", message: "full" }]), /status 500: system_queue_full/],
    [hasPath("payment", [408, {}]), /status 408/],
    [hasPath("payment", [200, { hash: "0xdd" }]), /returned the hash 0xdd/],
  ])("unknown where the answer does not say: exit 1", async (special, message) => {
    const result = await send(`${payment} --json`, special);
    expect(result.code).toBe(1);
    expect(line(result)).toMatchObject({ status: "unknown", message: expect.stringMatching(message) });
  });

  it("interrupted: exit 130", async () => {
    const interrupted = async () => true;
    const result = await send(payment, (request) => (request.includes("by_hash") ? miss : undefined), { interrupted });
    expect(result).toMatchObject({ code: 130, out: expect.stringMatching(/interrupted/) });
  });
});

describe("wrong usage of send", () => {
  it.each([
    ["teleport --from alice", /Invalid values|teleport/],
    ["payment --from alice --to bob --token USDX", /payment: expected --value as well/],
    ["cancellation --from alice --token USDX", /cancellation: has no --token; it has --from, --memo, --layout/],
    ["faucet --from alice --to bob --token USDX --value 1", /faucet: has no --from/],
    ["payment --from alcie --to bob --token USDX --value 1", /--from: .*did you mean "alice"/],
    ["payment --from alice --to bobb --token USDX --value 1", /--to: no ready account is called "bobb"/],
    ["payment --from alice --to 0x12 --token USDX --value 1", /--to: expected an address/],
    ["payment --from alice --to bob --token USDY --value 1", /--token: issuer has no token USDY; --issuer/],
    [`payment --from alice --to bob --token ${OTHER_ACCOUNT} --value 1`, /--token: there is no token 0xabab/],
    ["payment --from alice --to bob --token 0x1 --value 1", /--token: expected an address/],
    ["payment --from alice --to bob --token USDX --issuer bob --value 1", /has no token USDX/],
    ["payment --from alice --to bob --token USDX --value 0.0000001", /--value: .*USDX has 6 decimals/],
    ["issue --symbol A --decimals 19", /--decimals: expected a whole number from 0 to 18/],
    ["grant --to bob --token USDX --role Emperor", /role/],
    ["metadata --token USDX --name a --additional b", /--additional: expected key=value/],
    ["cancellation --from alice --nonce -1", /--nonce/],
    ["cancellation --from alice --nonce 9007199254740991", /--nonce/],
    ["batch --token USDX --from alice --leg bob=3 --created_at 1 --layout spec", /--layout: .*version 1 has no batch/],
    [
      "payment --from alice --to bob --token USDX --value 1 --layout spec --memo a",
      /--layout: .*memo.*spec layout has none/,
    ],
    [
      "payment --from 2-of-alice,bob --to bob --token USDX --value 1 --layout spec",
      /--layout: a multisig account signs in v2/,
    ],
    ["payment --from alice --to bob --token USDX --value 1 --layout client-raw", /layout/],
    ["cancellation --from alice --accounts 1", /--from: no ready account/],
    ["cancellation --from alice --timeout x", /--timeout/],
    ["cancellation --from alice --mnemonic junk", /--mnemonic/],
  ])("%s", async (typed, message) => {
    expect(await send(typed)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
    expect(network?.writes).toEqual([]);
  });

  it.each(["ftp://x", "18555", ""])("takes no URL such as %j", async (url) => {
    const found = await runCommand(["send", "cancellation", "--from", "alice", "--url", url]);
    expect(found).toMatchObject({ code: 2, err: expect.stringMatching(/--url/) });
  });

  it("says what may help where nobody answers", async () => {
    const { url, close } = await play();
    close();
    const found = await runCommand(["send", "cancellation", "--from", "alice", "--url", url]);
    expect(found.err).toMatch(/no response from .*ECONNREFUSED.*quorumlab serve/);
  });

  it("reports a reply that is not a network's", async () => {
    const other: Special = () => [200, { hello: "world" }];
    expect((await send("cancellation --from alice", other)).err).toMatch(/expected a served network/);
    const html: Special = () => [404, "<html>"];
    expect((await send("cancellation --from alice", html)).err).toMatch(/answers 404/);
  });
});

it("no kind both needs a field and may have it", () => {
  for (const { needs, may } of Object.values(KINDS)) expect(needs.filter((field) => may.includes(field))).toEqual([]);
});
