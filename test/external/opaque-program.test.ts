/** Validators with a protocol of their own are judged by what they apply and reply. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { runScenario } from "../../src/run/run.ts";
import { parsed } from "../run/support.ts";
import { FAULTS, PAYMENTS, runWith, TRUSTING, trustingCommand } from "./nodes.ts";

afterEach(() => vi.unstubAllEnvs());

const JUDGED = [
  "agreement",
  "irreversibility",
  "conservation",
  "accounts",
  "convergence",
  "liveness",
  "fees",
  "answers",
];

describe("a node that keeps the rules", () => {
  test("passes, and the oracles that can judge it do", () => {
    const { verdict, reason, finals, judged } = runWith(TRUSTING);
    expect([verdict, reason]).toEqual(["pass", ""]);
    expect(finals.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(judged).toEqual(expect.arrayContaining(JUDGED));
    expect(judged).not.toContain("validity");
  });

  test.each(["1", "2", "3"])("passes under crashes, loss and a partition with seed %s", (seed) => {
    const { verdict, reason } = runWith(TRUSTING, FAULTS, seed);
    expect([verdict, reason]).toEqual(["pass", ""]);
  });

  test("runs alike as a module and as a process, again and again", () => {
    const hashes = [TRUSTING, trustingCommand(), TRUSTING, trustingCommand()].map(
      (command) => runWith(command, FAULTS).hash,
    );
    expect(new Set(hashes).size).toBe(1);
    expect(hashes[0]).not.toBe(runScenario(FAULTS, { seed: "1" }).hash);
  });

  test("is shown a signature that is not the sender's, and refuses it", () => {
    const forged = parsed(`name: forged
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "9" } } }
steps: [{ at: 0, submit: { id: a, nonce: 0, signature: broken, payment: { from: alice, to: bob, token: USD, value: "1" } } }]
expect: [{ refused: { a: validation_signature } }]
`);
    expect(runWith(TRUSTING, forged).verdict).toBe("pass");
  });
});

describe("a mistake is found", () => {
  test.each([
    [
      "mints",
      "conservation: at v1 after slot 0 of account alice the USD balance of bob changed by 1001, but the receipts explain 1000",
    ],
    ["no fee", "fees: at v1 a paid 0 USD in slot 0 of account alice, where a payment costs 1 USD"],
  ])("%s", (mistake, words) => {
    vi.stubEnv("MISTAKE", mistake);
    const { verdict, reason } = runWith(TRUSTING);
    expect(verdict).toBe("violation");
    expect(reason).toContain(words);
  });

  test("an answer that contradicts an output", () => {
    vi.stubEnv("MISTAKE", "false state");
    const { verdict, reason } = runWith(TRUSTING);
    expect(verdict).toBe("error");
    expect(reason).toMatch(
      /^v1 threw NodeFault at 0 ms on a submission: said in `applied` that the next nonce of 0x\w+ is 1, and in `state` 2/,
    );
  });

  test("two validators that apply different payments of one nonce", () => {
    const twice = parsed(`name: two payments for one nonce
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "9" } } }
steps:
  - { at: 0, submit: { id: a, nonce: 0, payment: { from: alice, to: bob, token: USD, value: "1" } }, only: [v1] }
  - { at: 0, submit: { id: b, nonce: 0, payment: { from: alice, to: carol, token: USD, value: "1" } }, only: [v2] }
`);
    const { verdict, reason } = runWith(TRUSTING, twice);
    expect(verdict).toBe("violation");
    expect(reason).toMatch(
      /^agreement: v\d applied operation [ab] in slot 0 of account alice, where v\d had applied operation [ab]/m,
    );
  });
});

test("operations of other kinds are refused in the name of the node", () => {
  const pause = { ...PAYMENTS, steps: [], expect: [] };
  const scenario = {
    ...pause,
    steps: [{ at: 0, submit: { id: "p", nonce: 0, pause: { from: "issuer", token: "USD" } } }],
  };
  const refused = { ...scenario, expect: [{ refused: { p: "validation_layout" as const } }] };
  expect(runWith(TRUSTING, refused as never).verdict).toBe("pass");
});
