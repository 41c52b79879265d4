/** Goal: inputs in the form of public bug reports have the right value: each was misread, passed, or refused with other words. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, runCommand } from "./support.ts";

const genesis = (more: string, balances = 'alice: { USD: "100" }'): string =>
  `name: n\ngenesis: { tokens: { USD: { decimals: 2, master: issuer${more} } }, balances: { ${balances} } }\n`;
const GENESIS = genesis("");
const pay = (id: string, more = "", from = "alice", to = "bob", at = "at: 0"): string =>
  `  - { ${at}, submit: { id: ${id}, payment: { from: ${from}, to: ${to}, token: USD, value: "10" }, nonce: 0 }${more} }\n`;
const LONG = "a".repeat(65);
const NAME = /is no name: expected at most 64 letters, digits, "_", "-" and "\.", with a letter or "_" first/;

/** Input, exit code, and what is said or is not said of it. */
const TABLE: readonly (readonly [what: string, text: string, code: number, words: RegExp])[] = [
  [
    "steps whose event never comes",
    `${GENESIS}steps:\n${pay("x")}  - { after: { committed: x, times: 1000 }, crash: { node: v1 } }\nexpect: [{ final: x }]\n`,
    ...([1, /step 2 has no effect: the event that it waits for never came/] as const),
  ],
  [
    "rules that match nothing",
    `${GENESIS}steps:\n  - { at: 0, drop: { rule: d, kinds: [commit], of: x, round: 9 } }\n  - { at: 0, hold: { rule: h, token: USD } }\n${pay("x")}  - { at: 50, release: h }\nexpect: [{ final: x }]\n`,
    ...([1, /rule d dropped no message[\s\S]*rule h held no message/] as const),
  ],
  [
    "a workload without an expectation",
    `${GENESIS}steps: [{ at: 0, workload: { accounts: [alice], recipients: [bob], count: 5, every_ms: 10, mix: [{ payment: { token: USD, value: "1" } }] } }]\n`,
    ...([1, /5 final[\s\S]*\n +the file states no expectation\.\n(?![\s\S]*no operation is final)/] as const),
  ],
  [
    "a trigger on the list of a token",
    `${genesis(", roles: { ManageList: [lister] }")}network: { delay_ms: 50 }\nsteps:\n  - { at: 0, submit: { id: l, blacklist: { from: lister, token: USD, address: alice, action: add }, nonce: 0 }, only: [v1] }\n${pay("p", ", only: [v4]", "alice", "bob", "after: { committed: l, by: v4, times: 2 }")}expect: [{ final: l }]\n`,
    ...([0, /^pass/] as const),
  ],
  [
    "an allowance that is lowered while a mint waits",
    `${genesis(', roles: { MasterMintBurn: [chief], MintBurnTokens: [minter] }, allowances: { minter: "100" }')}steps:\n  - { at: 0, hold: { rule: quiet, token: USD, kinds: [proposal] } }\n  - { at: 0, submit: { id: m, mint: { from: minter, to: bob, token: USD, value: "80" }, nonce: 0 } }\n  - { at: 0, submit: { id: g, grant: { from: chief, token: USD, role: MintBurnTokens, to: minter, allowance: "50" }, nonce: 0 } }\n  - { at: 500, release: quiet }\n  - { at: 3000, submit: { id: n, mint: { from: minter, to: bob, token: USD, value: "50" }, nonce: 1 } }\nexpect: [{ final: [m, g, n] }, { balance: { bob: { USD: "130" } } }]\n`,
    ...([0, /^pass/] as const),
  ],
  [
    "a payment of the reward account",
    `${GENESIS}steps:\n${pay("x")}${pay("q", "", "v1")}expect: [{ final: x }]\n`,
    ...([2, /:5:\d+: "v1" names a validator and an account.*`rewards`/] as const),
  ],
  [
    "a deposit on another chain that is spelled in four ways: only letter case does not count (specification 5.15)",
    `${genesis(", roles: { Bridge: [one, two] }")}steps:\n  - { at: 0, hold: { rule: quiet, token: USD, kinds: [proposal] } }\n${[
      ["a", "one", "0xAb01", 0],
      ["b", "two", "0xab01", 0],
      ["c", "two", "ab01", 1],
      ["d", "one", " 0xab01", 1],
    ]
      .map(
        ([id, from, transaction, nonce]) =>
          `  - { at: 0, submit: { id: ${id}, bridge_mint: { from: ${from}, to: bob, token: USD, value: "5", chain: 1, transaction: "${transaction}" }, nonce: ${nonce} } }\n`,
      )
      .join("")}  - { at: 500, release: quiet }\nexpect: [{ final: [c, d] }, { balance: { bob: { USD: "15" } } }]\n`,
    ...([0, /^pass/] as const),
  ],
  ["a name of digits", genesis("", '"123": { USD: "100" }'), 2, NAME],
  [
    "a signer of digits",
    `${GENESIS}steps:\n${pay("x", "", '"123"')}`,
    2,
    /got "123", which does not begin with a letter or "_"\n/,
  ],
  ["a name that is too long", genesis("", `${LONG}: { USD: "100" }`), 2, NAME],
  ["a list", "- a\n", 2, /expected a quorumlab scenario: a map with a name, steps and expectations; got a list\n/],
];

test.each(TABLE)("%s", async (_what, text, code, words) => {
  const { out, err, code: got } = await runCommand(["run", join(folder({ "a.yaml": text }), "a.yaml")]);
  expect([got, out + err]).toEqual([code, expect.stringMatching(words)]);
});

test("names with escapes of a terminal are printed escaped, by run and explain", () => {
  const text = `${genesis(', name: "\\e[31mDollar"').replace("name: n", 'name: "\\e]0;title\\a\\e[2J n"')}steps:\n${pay("x")}expect: [{ token: { USD: { name: "\\e[5mother" } } }]\n`;
  const file = join(folder({ "a.yaml": text }), "a.yaml");
  for (const [command, shown] of [
    ["run", "expected \\u001b[5mother, got \\u001b[31mDollar"],
    ["explain", "\\u001b]0;title\\u0007\\u001b[2J n"],
  ] as const) {
    const { stdout } = spawnSync(process.execPath, ["dist/cli/main.js", command, file], { encoding: "utf8" });
    expect(stdout).toContain(shown);
    expect([..."\u001b\u0007"].filter((control) => stdout.includes(control))).toEqual([]);
  }
});
