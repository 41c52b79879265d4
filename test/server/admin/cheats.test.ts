import fc from "fast-check";
import { expect, test } from "vitest";
import { err } from "../../../src/core/base/result.ts";
import { SIGNED_WAITING } from "../../../src/server/limits.ts";
import { sharedAdministered } from "./support.ts";

const OTHER_ACCOUNT = `0x${"ab".repeat(20)}`;
const GENESIS = `name: tokens of others
genesis:
  tokens:
    USD: { decimals: 2, master: issuer }
    OLD: { decimals: 0, master: "${OTHER_ACCOUNT}" }
    SHUT: { decimals: 0, master: issuer, state: paused }
  balances: { alice: { USD: "10", OLD: "10", SHUT: "10" } }
`;

const network = sharedAdministered({ genesis: { file: "tokens.yaml", text: GENESIS }, balance: "10" });

const set = (account: string, token: string, value: string) =>
  network.call("/admin/balance", { account, token, value });

test("a balance is just what it was set to, up or down", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(1_000_000), fc.constantFrom("alice", "bob", OTHER_ACCOUNT), async (cents, account) => {
      const held = await network.balance(account);
      const { status, body } = await set(account, "USD", (cents / 100).toFixed(2));
      expect(status).toBe(200);
      if (held === BigInt(cents)) expect(body["result"]).toBe(null);
      else expect(await network.receipt((body["result"] as { hash: string }).hash)).toBe(200);
      expect(await network.balance(account)).toBe(BigInt(cents));
    }),
    { numRuns: 12, examples: [[0, "dave"]] },
  );
});

test("so many operations of the server itself wait for their turn, and no more", async () => {
  const { signer, names } = network.served;
  const held = names.holding("frank", network.token(), "5");
  if (!held.ok) throw new Error(held.error);
  const calls = Array.from({ length: SIGNED_WAITING + 1 }, () => signer.setBalance(held.value));
  const results = await Promise.all(calls);
  expect(results.slice(0, -1).every(({ ok }) => ok)).toBe(true);
  expect(results.at(-1)).toEqual(err(`${SIGNED_WAITING} operations of this server are under way, the limit`));
});

test("a balance that is there already is left alone", async () => {
  await set("carol", "USD", "3.5");
  expect((await set("carol", network.token(), "3.50")).body["result"]).toBe(null);
});

const REFUSED: readonly (readonly [account: string, token: string, value: string, why: RegExp])[] = [
  ["zoe", "USD", "1", /account: expected an address or one of .*alice.*; got "zoe"/],
  ["alice", "EUR", "1", /token: expected the address or symbol of a token; got "EUR"/],
  ["alice", OTHER_ACCOUNT, "1", /token: expected the address or symbol of a token/],
  ["alice", "USD", "1e3", /value: expected decimal text/],
  ["alice", "USD", "-1", /value: expected decimal text/],
  ["alice", "USD", "0.001", /value: /],
  ["alice", "USD", "9".repeat(78), /value: /],
  ["alice", "OLD", "1", /the key of 0xabab\w+, the token's master, is not held by this server/],
  ["alice", "SHUT", "11", /paused/i],
];

test.each(REFUSED)("a balance of %s in %s is not set to %s", async (account, token, value, why) => {
  const { status, body } = await set(account, token, value);
  expect([status, body["error_code"]]).toEqual([422, "admin_refused"]);
  expect(body["message"]).toMatch(why);
});

const role = (account: string, token: string, action: string, more: object = {}) =>
  network.call("/admin/role", { account, token, role: "MintBurnTokens", action, ...more });

test("a role is granted with its allowance, and taken back", async () => {
  const holders = async () => (await network.client.tokenMetadata(network.token()))["mint_burn_authorities"];
  const before = JSON.stringify(await holders());
  expect((await role("bob", "USD", "Grant", { allowance: "12.5" })).status).toBe(200);
  expect(JSON.stringify(await holders())).toContain(network.address("bob"));
  expect(JSON.stringify(await holders())).toContain('"1250"');
  expect((await role("bob", "USD", "Revoke")).status).toBe(200);
  expect(JSON.stringify(await holders())).toBe(before);
});

test("roles of tokens whose master's key is held elsewhere are nobody's to give here", async () => {
  const refused = await role("bob", "OLD", "Grant");
  expect(refused.body["message"]).toBe(`the key of ${OTHER_ACCOUNT}, the token's master, is not held by this server`);
  expect((await role("zoe", "USD", "Grant")).status).toBe(422);
  expect((await role("bob", "EUR", "Grant")).status).toBe(422);
  expect((await role("bob", "USD", "Grant", { allowance: "1.005" })).status).toBe(422);
});

test("calls at the same time take their turns", async () => {
  const answers = await Promise.all(["1", "2", "3", "4"].map((value) => set("erin", "USD", value)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([100n, 200n, 300n, 400n]).toContain(await network.balance("erin"));
});

test("nothing can be set where nobody runs or no quorum does, and that is said", async () => {
  for (const node of ["v2", "v3"]) await network.done("/admin/step", { crash: { node } });
  const open = await set("grace", "USD", "77");
  expect(open.status).toBe(408);
  expect(open.body["message"]).toMatch(/it is not final after \d+ ms: operation 0x\w{64} may still become final/);
  for (const node of ["v1", "v4"]) await network.done("/admin/step", { crash: { node } });
  expect((await set("grace", "USD", "77")).body["message"]).toBe("no validator runs");
  expect((await role("bob", "USD", "Grant")).body["message"]).toBe("no validator runs");
});
