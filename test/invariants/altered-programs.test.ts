/** Goal: mistakes of a program that one schedule shows are reported there, and nothing is where the program is right. */
import { expect, test } from "vitest";
import type { ValidatorProgram } from "../../src/bugs/known-bad-variant.ts";
import { type SimulateOptions, simulate } from "../../src/library/simulate.ts";

interface Mistake extends Pick<SimulateOptions, "rules" | "program"> {
  readonly invariant: string;
  readonly steps: readonly string[];
  readonly network?: string;
}

const PAUSED = "0x0000000000000000000000000000000000000000";

/** A program that takes any bytes for the signature of an operation. */
function withoutSignatures(real: ValidatorProgram): ValidatorProgram {
  return {
    ...real,
    step: (state, input) => {
      Object.defineProperty(state.environment.authenticator, "once", { value: () => "", configurable: true });
      return real.step(state, input);
    },
  };
}

/** All commit to a pause, which v1 alone applies before 6 s. */
const HIDDEN_PAUSE = [
  "{ at: 100, hold: { rule: c, kinds: [commit, finality, decisions], token: USD, to: [v2, v3, v4] } }",
  "{ at: 100, submit: { id: p, pause: { from: guard, token: USD }, nonce: 0 }, only: [v1] }",
  "{ at: 6000, release: c }",
];

const MISTAKES: Readonly<Record<string, Mistake>> = {
  "a forced burn under a pause that its voters have committed to": {
    invariant: "validity",
    steps: [
      "{ at: 0, hold: { rule: b, kinds: [commit], account: burner } }",
      '{ at: 0, submit: { id: b, burn: { from: burner, token: USD, value: "10", account: bob }, nonce: 0 }, only: [v1] }',
      "{ at: 300, release: b }",
      ...HIDDEN_PAUSE,
    ],
    rules: (real) => ({
      ...real,
      ledger: {
        ...real.ledger,
        checkBurn: (state, _barrier, account, value, rules) => real.ledger.checkBurn(state, [], account, value, rules),
      },
    }),
  },
  "a payment under a pause that its voters have committed to": {
    invariant: "validity",
    steps: [
      "{ at: 0, hold: { rule: o, kinds: [offer, vote], account: alice } }",
      '{ at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1] }',
      "{ at: 1000, release: o }",
      ...HIDDEN_PAUSE,
    ],
    rules: (real) => ({
      ...real,
      ledger: {
        ...real.ledger,
        checkVote: (state, _barrier, signed, rules) => real.ledger.checkVote(state, [], signed, rules),
      },
    }),
  },
  "a payment that is called barred by nothing": {
    invariant: "validity",
    steps: ['{ at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }'],
    program: (real) => ({
      ...real,
      step: (state, input) =>
        real.step(state, input).map((output) =>
          output.type === "reply" && output.reply.status === "pending"
            ? {
                ...output,
                reply: { status: "pending", barred: { code: "business_token_paused", token: PAUSED as never } },
              }
            : output,
        ),
    }),
  },
  "a receipt that names a token though nothing is paid": {
    invariant: "validity",
    steps: ['{ at: 0, submit: { id: m, mint: { from: issuer, to: bob, token: USD, value: "10" }, nonce: 0 } }'],
    rules: (real) => ({
      ...real,
      ledger: {
        ...real.ledger,
        apply: (...parts) => {
          const applied = real.ledger.apply(...parts);
          if (applied.outcome !== "applied") return applied;
          return {
            ...applied,
            receipts: applied.receipts.map((receipt) => ({ ...receipt, feeToken: PAUSED as never })),
          };
        },
      },
    }),
  },
  "an operation that its sender has not signed": {
    invariant: "authority",
    steps: [
      '{ at: 0, submit: { id: x, signed_by: mallory, payment: { from: alice, to: mallory, token: USD, value: "40" }, nonce: 0 } }',
      '{ at: 0, submit: { id: y, payment: { from: bob, to: alice, token: USD, value: "1" }, nonce: 0 } }',
    ],
    program: withoutSignatures,
  },
  "a proof of which its owner has signed one half": {
    invariant: "authority",
    steps: [
      "{ at: 0, hold: { rule: h, kinds: [lock, commit, offer], account: alice } }",
      '{ at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "40" }, nonce: 0 }, only: [v1] }',
      '{ at: 10, submit: { id: f, signed_by: mallory, payment: { from: alice, to: carol, token: USD, value: "40" }, nonce: 0 }, only: [v2] }',
      "{ at: 500, submit: { id: r, recovery: { account: alice, evidence: [x, f], from: mallory }, nonce: 0 } }",
      "{ at: 4000, release: h }",
    ],
    program: withoutSignatures,
  },
  "a checkpoint of more slots than its epoch allows": {
    invariant: "checkpoints",
    network: "checkpoints: { limit: 3 }",
    steps: [
      "{ at: 0, byzantine: { node: v4, strategy: false-checkpoint, mode: too-long } }",
      '{ at: 0, submit: { id: a, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 } }',
      '{ at: 1500, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 1 } }',
      '{ at: 1510, submit: { id: y, payment: { from: bob, to: alice, token: USD, value: "2" }, nonce: 0 } }',
      '{ at: 1600, submit: { id: z, payment: { from: alice, to: bob, token: USD, value: "3" }, nonce: 2 } }',
      '{ at: 1700, submit: { id: b, payment: { from: bob, to: alice, token: USD, value: "4" }, nonce: 1 } }',
    ],
    rules: (real) => ({
      ...real,
      validator: {
        ...real.validator,
        checkContent: (state, at, slot, content, round) => {
          const { parameters } = state.ledger;
          const checkpoints = parameters.checkpoints && { ...parameters.checkpoints, limit: 65_536 };
          const ledger = { ...state.ledger, parameters: { ...parameters, checkpoints } };
          return real.validator.checkContent({ ...state, ledger }, at, slot, content, round);
        },
      },
    }),
  },
};

function fileOf({ steps, network = "checkpoints: none" }: Mistake): string {
  return `name: one schedule
network: { delay_ms: 10 }
genesis:
  tokens: { USD: { decimals: 2, master: issuer, roles: { Pause: [guard], MintBurnTokens: [burner] } } }
  balances: { alice: { USD: "100" }, bob: { USD: "100" } }
  ${network}
clients: { alice: { behaviour: scripted } }
steps:
${steps.map((step) => `  - ${step}`).join("\n")}
expect:
  - { violation: none }
`;
}

test.each(Object.entries(MISTAKES))("%s is reported, and the real program is not", (_name, mistake) => {
  const text = fileOf(mistake);
  const { program, rules } = mistake;
  expect(simulate(text).violations).toEqual([]);
  const altered = simulate(text, { ...(program && { program }), ...(rules && { rules }) });
  expect(altered.violations.map(({ invariant }) => invariant)).toContain(mistake.invariant);
});
