/** Problems of invalid scenario files: messages and positions. */
import { describe, expect, it, vi } from "vitest";
import { Composer } from "yaml";
import { decodeText } from "../../src/scenario/files.ts";
import { GENESIS, PAYMENT, refused } from "../run/support.ts";

/** Edit distances that were computed for suggestions. */
const work = vi.hoisted(() => ({ distances: 0 }));

vi.mock("fastest-levenshtein", async (original) => {
  const real = await original<typeof import("fastest-levenshtein")>();
  const distance: typeof real.distance = (a, b) => {
    work.distances++;
    return real.distance(a, b);
  };
  return { ...real, distance };
});

const step = (text: string): string => `name: n\n${GENESIS}steps:\n  - ${text}\n`;
const CHECKPOINTS = `${GENESIS}  checkpoints: {}\n`;
const submit = (text: string): string => step(`{ at: 0, submit: { id: x, nonce: 0, ${text} } }`);
const payment = (value: string): string => submit(`payment: { from: alice, to: bob, token: USD, value: ${value} }`);

const workload = (mix: string, more = "accounts: [ann, ben]"): string =>
  step(`{ at: 0, workload: { ${more}, count: 5, every_ms: 5, mix: [${mix}] } }`);

const accountsNamed = (count: number): string => Array.from({ length: count }, (_, at) => `a${at}`).join(", ");

/** Invalid texts with the expected messages, some with line and column. */
const CASES: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ["nothing at all", "", /^f\.yaml:1:1: the file is empty: expected a scenario/],
  ["comments only", "# nothing\n", /the file is empty/],
  [
    "a list",
    "- a\n",
    /^f\.yaml:1:1: expected a quorumlab scenario: a map with a name, steps and expectations; got a list/,
  ],
  ["no name", "steps: []\n", /^f\.yaml:1:1: the key "name" is missing/],
  ["a misspelt key", "name: n\nstpes: []\n", /^f\.yaml:2:1: unknown key "stpes" \(did you mean "steps"\?\)/],
  [
    "a misspelt verb",
    step("{ at: 0, sumbit: { id: x } }"),
    /^f\.yaml:7:14: unknown key "sumbit" \(did you mean "submit"\?\)/,
  ],
  [
    "a key in the wrong unit",
    `name: n\n${GENESIS}${PAYMENT}expect:\n  - { final: x, within: 5 }\n`,
    /unknown key "within" \(did you mean "within_ms"\?\)/,
  ],
  [
    "a time in seconds",
    "name: n\nnetwork: { delay_ms: 5s }\n",
    /^f\.yaml:2:22: expected .*virtual milliseconds.*; got "5s"/,
  ],
  [
    "too many filler accounts",
    `name: n\n${GENESIS}  filler_accounts: { count: 2000001, balances: { USD: "1" } }\n`,
    /expected the number of accounts: 1 to 2000000; got 2000001/,
  ],
  [
    "filler accounts with an unknown token",
    `name: n\n${GENESIS}  filler_accounts: { count: 5, balances: { EUR: "1" } }\n`,
    /no token is called "EUR"/,
  ],
  [
    "filler accounts with too many decimals",
    `name: n\n${GENESIS}  filler_accounts: { count: 5, balances: { USD: "0.1234567" } }\n`,
    /USD has \d+ decimals; got "0.1234567"/,
  ],
  [
    "payments to filler accounts that are not there",
    workload('{ payment: { token: USD, value: "1" } }', "accounts: [ann], to_fillers: true"),
    /`to_fillers` needs `filler_accounts` in the genesis/,
  ],
  [
    "a negative time",
    step("{ at: -1, heal: true }"),
    /^f\.yaml:7:11: expected the time of the step: whole virtual milliseconds.*; got -1/,
  ],
  ["a fraction of a millisecond", step("{ at: 1.5, heal: true }"), /whole virtual milliseconds.*; got 1\.5/],
  ["a huge number", step("{ at: 99999999999999999999, heal: true }"), /got 99999999999999999999, which is too large/],
  [
    "no validators",
    "name: n\nnetwork: { validators: 0 }\n",
    /^f\.yaml:2:24: expected the number of validators: 1 to 128; default 4; got 0/,
  ],
  ["an amount without quotes", payment("10"), /got 10 without quotes, which YAML reads as a number/],
  ["an amount in floating point", payment("1e18"), /decimal text in the token's units.*without quotes/],
  ["a quoted float", payment('"1e18"'), /decimal text.*got "1e18"/],
  ["a negative amount", payment('"-1"'), /decimal text.*got "-1"/],
  [
    "too many decimals",
    payment('"1.1234567"'),
    /expected at most 6 digits after the point, got 7: USD has 6 decimals; got "1\.1234567"/,
  ],
  ["an amount past 2^256", payment(`"1${"0".repeat(77)}"`), /expected at most 2\^256 - 1/],
  [
    "an unknown token",
    submit('payment: { from: alice, to: bob, token: USDX, value: "1" }'),
    /no token is called "USDX" \(did you mean "USD"\?\)/,
  ],
  [
    "an address that signs",
    submit('payment: { from: "0x00000000000000000000000000000000000000aa", to: bob, token: USD, value: "1" }'),
    /only named accounts have keys/,
  ],
  [
    "an operation nobody declared",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ final: y }]\n`,
    /^f\.yaml:8:19: no operation is called "y": the file declares x/,
  ],
  ["a validator past the last", step("{ at: 0, crash: { node: v5 } }"), /no validator is called "v5"/],
  [
    "an account nobody declared",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ nonce: { alcie: 1 } }]\n`,
    /no account is called "alcie" \(did you mean "alice"\?\)/,
  ],
  [
    "the same id twice",
    `name: n\n${GENESIS}${PAYMENT}  - { at: 1, submit: { id: x, cancellation: { from: alice }, nonce: 0 } }\n`,
    /^f\.yaml:8:28: the operation "x" is already defined in step 1/,
  ],
  [
    "a lie of a strategy that knows none",
    step("{ at: 0, byzantine: { node: v4, strategy: double-vote, mode: own } }"),
    /double-vote has no mode "own": expected none/,
  ],
  [
    "another strategy's lie",
    step("{ at: 0, byzantine: { node: v4, strategy: false-choices, mode: own } }"),
    /false-choices has no mode "own": expected one of operation, early-skip/,
  ],
  [
    "a list limit past the largest",
    `name: n\n${GENESIS}  list_limit: 65\n`,
    /operations in one slot of a token: 1 to 64; default 64; got 65/,
  ],
  ["two verbs", step("{ at: 0, heal: true, restart: v1 }"), /exactly one of .*got restart and heal together/],
  ["no verb", step("{ at: 0 }"), /expected exactly one of submit, .*got none/],
  [
    "two kinds of operation",
    submit("cancellation: { from: alice }, pause: { from: alice, token: USD }"),
    /got cancellation and pause together/,
  ],
  [
    "a memo of a recovery",
    step("{ at: 1, submit: { recovery: { account: alice, evidence: [x, x] }, memo: { data: a }, nonce: 0 } }"),
    /a recovery is not signed: expected no `memo`/,
  ],
  [
    "an epoch of a recovery",
    step("{ at: 1, submit: { recovery: { account: alice, evidence: [x, x] }, recent_epoch: 1, nonce: 0 } }"),
    /a recovery is not signed: expected no `recent_epoch`/,
  ],
  [
    "a memo of a repetition",
    step("{ at: 1, submit: { repeat: x, memo: { data: a } } }"),
    /`repeat` repeats the same bytes: expected no `memo`/,
  ],
  [
    "a repetition with an invalid signature",
    `name: n\n${GENESIS}${PAYMENT}  - { at: 1, submit: { repeat: x, signature: broken } }\n`,
    /`repeat` repeats a valid operation: expected no signature but `second`/,
  ],
  [
    "a second signature of a recovery",
    `name: n\n${GENESIS}${PAYMENT}  - { at: 1, submit: { id: r, recovery: { account: alice, evidence: [x, x] }, nonce: 0 } }
  - { at: 2, submit: { repeat: r, signature: second } }\n`,
    /^f\.yaml:9:\d+: a recovery is not signed: expected no `signature`/,
  ],
  ["neither a time nor an event", step("{ heal: true }"), /expected `at` with a time or `after` with an event/],
  [
    "a time and an event",
    step("{ at: 0, after: { coverage: restarted }, heal: true }"),
    /expected `at` or `after`, got both/,
  ],
  ["an event of an undeclared operation", step("{ after: { decided: y }, heal: true }"), /no operation is called "y"/],
  [
    "steps that wait for each other",
    `name: n\n${GENESIS}steps:
  - { after: { decided: y }, submit: { id: x, cancellation: { from: alice }, nonce: 0 } }
  - { after: { decided: x }, submit: { id: y, cancellation: { from: bob }, nonce: 0 } }\n`,
    /never happen: cyclic dependency: it waits for step 2, which waits for this step/,
  ],
  [
    "a crash that never comes",
    step("{ after: { crashed: v1 }, heal: true }"),
    /never happen: no step makes "v1" crashed/,
  ],
  [
    "a missing nonce",
    step("{ at: 0, submit: { id: x, cancellation: { from: alice } } }"),
    /the key "nonce" is missing/,
  ],
  ["a range that falls", "name: n\nnetwork: { delay_ms: 20..5 }\n", /expected an ascending range, got 20\.\.5/],
  ["a duplicate key", "name: n\nname: m\n", /^f\.yaml:2:1: duplicate key/],
  ["two documents", "name: n\n---\nname: m\n", /^f\.yaml:2:1: expected one document/],
  ["broken YAML", "name: [n\n", /^f\.yaml:\d+:\d+: /],
  ["a tag", "name: !!js/function n\n", /^f\.yaml:1:7: /],
  ["a prototype key", 'name: n\n"__proto__": { steps: [] }\n', /unknown key "__proto__"/],
  [
    "an unknown refusal code",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ refused: { x: business_nonce_gapp } }]\n`,
    /unknown word "business_nonce_gapp" \(did you mean "business_nonce_gap"\?\)/,
  ],
  ["an unknown coverage point", `name: n\nexpect: [{ coverage: skip by cancelation }]\n`, /skip by cancelation/],
  [
    "a key of format 1",
    "name: n\nexpect: [{ mark: restarted }]\n",
    /unknown key "mark" of format 1: it is "coverage" now/,
  ],
  [
    "a strategy's mode in format 1",
    step("{ at: 0, byzantine: { node: v4, strategy: false-choices, lie: operation } }"),
    /unknown key "lie" of format 1: it is "mode" now/,
  ],
  ["a verb of a later format", step("{ at: 0, checkpoint: {} }"), /unknown key "checkpoint"/],
  [
    "a cancellation as cheap as a payment",
    `name: n\n${GENESIS.replace('cancellation: "0.02"', 'cancellation: "0.01"')}`,
    /^f\.yaml:5:42: USD: cancellation: expected more than the fee of a payment, "0\.01"; got "0\.01"/,
  ],
  [
    "a role with six holders",
    "name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, roles: { Pause: [a, b, c, d, e, f] } } } }\n",
    /expected at most 5 addresses in Pause, got 6/,
  ],
  [
    "a blacklist of a private token",
    "name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, private: true, blacklist: [a] } } }\n",
    /a private token has no blacklist/,
  ],
  ["`only` without `submit`", step("{ at: 0, heal: true, only: [v1] }"), /`only` goes with `submit`/],
  ["a bug that nobody knows", "name: n\nbug: nosuch\n", /^f\.yaml:2:6: expected one of .*, got "nosuch"/],
  [
    "a scripted client with a reaction to refusals",
    `name: n\n${GENESIS}clients: { alice: { behaviour: scripted, on_refusal: reuse } }\n`,
    /^f\.yaml:6:42: `on_refusal` goes with correct clients/,
  ],
  [
    "an unknown habit of a client",
    `name: n\n${GENESIS}clients: { alice: { on_refusal: reuze } }\n`,
    /^f\.yaml:6:33: unknown word "reuze" \(did you mean "reuse"\?\)/,
  ],
  [
    "a recovery of one token as cheap as a payment of it",
    `name: n\n${GENESIS.replace('"0.02" }', '"0.02", tokens: { USD: { payment: "2", cancellation: "3", recovery: "2" } } }')}`,
    /^f\.yaml:5:\d+: USD: recovery: expected more than the fee of a payment, "2"; got "2"/,
  ],
  ["an order of no kind", workload("{ weight: 2 }"), /expected exactly one of payment, cancellation, issue.*got none/],
  [
    "an order of two kinds",
    workload("{ cancellation: true, pause: { from: issuer, token: USD } }"),
    /got cancellation and pause together/,
  ],
  [
    "an order of a kind that nobody knows",
    workload('{ pyament: { token: USD, value: "1" } }'),
    /unknown key "pyament" \(did you mean "payment"\?\)/,
  ],
  [
    "an order without weight",
    workload('{ weight: 0, payment: { token: USD, value: "1" } }'),
    /1 to 1000; default 1; got 0/,
  ],
  [
    "an order that lacks a part",
    workload("{ mint: { from: issuer, token: USD } }"),
    /^f\.yaml:7:\d+: the key "value" is missing: the amount/,
  ],
  [
    "an order of an unknown token",
    workload('{ burn: { from: issuer, token: USDX, value: "1" } }'),
    /^f\.yaml:7:\d+: no token is called "USDX" \(did you mean "USD"\?\)/,
  ],
  [
    "an amount with too many digits in an order",
    workload('{ mint: { from: issuer, token: USD, value: "1..1.1234567" } }'),
    /at most 6 digits after the point, got 7: USD has 6 decimals/,
  ],
  [
    "amounts that fall",
    workload('{ payment: { token: USD, value: "5..4.5" } }'),
    /expected an ascending range, got 5\.\.4\.5/,
  ],
  [
    "allowances that fall",
    workload('{ grant: { from: issuer, token: USD, role: MintBurnTokens, to: [ann], allowance: "5..4" } }'),
    /expected an ascending range, got 5\.\.4/,
  ],
  [
    "orders signed by an address",
    workload('{ pause: { from: "0x00000000000000000000000000000000000000aa", token: USD } }'),
    /only named accounts have keys/,
  ],
  [
    "a wallet that is an address",
    workload('{ payment: { token: USD, value: "1" } }', 'accounts: ["0x00000000000000000000000000000000000000aa"]'),
    /^f\.yaml:7:\d+: expected a name: only named accounts have keys/,
  ],
  ["a workload that only cancels", workload("{ cancellation: true }"), /expected an order that can be cancelled/],
  ["cancellation: false", workload("{ cancellation: false }"), /expected true; got false/],
  [
    "an authority that counts its own nonces in a workload and submits beside it",
    `${workload("{ pause: { from: guard, token: USD } }")}  - { at: 1, submit: { id: u, unpause: { from: guard, token: USD }, nonce: 0 } }\n`,
    /^f\.yaml:8:\d+: guard belongs to a workload, whose wallets assign their own nonces/,
  ],
  [
    "orders from a scripted client",
    `${workload('{ payment: { token: USD, value: "1" } }')}clients: { ann: { behaviour: scripted } }\n`,
    /^f\.yaml:7:\d+: ann belongs to a workload, but its client is scripted/,
  ],
  [
    "two workloads of one name",
    `${workload('{ payment: { token: USD, value: "1" } }', "id: w, accounts: [ann]")}  - { at: 9, workload: { id: w, accounts: [ben], count: 1, every_ms: 1, mix: [{ payment: { token: USD, value: "1" } }] } }\n`,
    /^f\.yaml:8:\d+: the workload "w" is already defined in step 1/,
  ],
  [
    "a disk that forgets more than any disk",
    step("{ at: 0, disk: { node: v1, loses_last: 65 } }"),
    /^f\.yaml:7:\d+: expected the number of acknowledged records that a crash loses.*: 0 to 64; got 65/,
  ],
  [
    "a delay of more than a day",
    "name: n\nnetwork: { delay_ms: 5..86400001 }\n",
    /expected at most 86400000 virtual milliseconds, got 5\.\.86400001/,
  ],
  [
    "a recovery that no client submits",
    `name: n\n${GENESIS}${PAYMENT}  - { at: 1, submit: { id: r, recovery: { account: "0x00000000000000000000000000000000000000aa", evidence: [x, x] }, nonce: 0 } }\n`,
    /^f\.yaml:8:\d+: the key "from" is missing: an account without a name has no client/,
  ],
  [
    "more accounts than a world has places",
    `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, blacklist: [${accountsNamed(4_091)}] } } }\n`,
    /expected at most 4096 validators and named accounts, got 4097/,
  ],
  [
    "a listed operation where no checkpoints are formed",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ checkpointed: x }]\n`,
    /^f\.yaml:8:12: `checkpointed` needs checkpoints, but none are formed: expected `checkpoints` in the genesis/,
  ],
  [
    "an unlisted operation where none are formed",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ unlisted: x }]\n`,
    /`unlisted` needs checkpoints, but none are formed/,
  ],
  [
    "a count of checkpoints where none are formed",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ checkpoints: 0 }]\n`,
    /`checkpoints` needs checkpoints, but none are formed/,
  ],
  [
    "a listed operation nobody declared",
    `name: n\n${CHECKPOINTS}${PAYMENT}expect: [{ checkpointed: [x, z] }]\n`,
    /^f\.yaml:9:30: no operation is called "z": the file declares x/,
  ],
  [
    "a count of checkpoints in words",
    `name: n\n${CHECKPOINTS}${PAYMENT}expect: [{ checkpoints: three }]\n`,
    /expected a whole number or a map.*got "three"\. The number of final checkpoints after the genesis/,
  ],
  [
    "a negative count of checkpoints",
    `name: n\n${CHECKPOINTS}${PAYMENT}expect: [{ checkpoints: { at_least: -1 } }]\n`,
    /expected the least number: 0 to 1000000; got -1/,
  ],
  [
    "a misspelt least count",
    `name: n\n${CHECKPOINTS}${PAYMENT}expect: [{ checkpoints: { atleast: 1 } }]\n`,
    /unknown key "atleast" \(did you mean "at_least"\?\)/,
  ],
  [
    "a time within which nothing is expected to be unlisted",
    `name: n\n${CHECKPOINTS}${PAYMENT}expect: [{ unlisted: x, within_ms: 5 }]\n`,
    /`within_ms` goes with `final` and `checkpointed`/,
  ],
  [
    "a trigger of a checkpoint where none are formed",
    step("{ after: { checkpointed: 1 }, heal: true }"),
    /^f\.yaml:7:16: `checkpointed` needs checkpoints, but none are formed/,
  ],
  [
    "a trigger of the genesis",
    `name: n\n${CHECKPOINTS}steps: [{ after: { checkpoint_voted: 0 }, heal: true }]\n`,
    /expected the number of a checkpoint that a validator voted for: 1 to 1000000; got 0/,
  ],
  [
    "a trigger of nobody's checkpoint",
    `name: n\n${CHECKPOINTS}steps: [{ after: { checkpoint_decided: 1, by: v9 }, heal: true }]\n`,
    /no validator or account is called "v9"/,
  ],
  [
    "messages about a checkpoint where none are formed",
    step("{ at: 0, hold: { checkpoint: 1 } }"),
    /`checkpoint` needs checkpoints, but none are formed/,
  ],
  [
    "messages about a checkpoint and an account",
    `name: n\n${CHECKPOINTS}steps: [{ at: 0, drop: { checkpoint: 1, account: alice } }]\n`,
    /expected at most one of `of`, `account`, `token`, `checkpoint` and `epoch`/,
  ],
  [
    "a lie about lists told about checkpoints",
    step("{ at: 0, byzantine: { node: v4, strategy: false-checkpoint, mode: long-list } }"),
    /false-checkpoint has no mode "long-list": expected one of undecided, other-value/,
  ],
  [
    "an epoch that counts checkpoints of which there are none",
    `name: n\n${GENESIS}  epochs: { checkpoints: 3 }\n`,
    /^f\.yaml:6:3: `epochs` counts checkpoints, but none are formed: expected `checkpoints` beside it/,
  ],
  [
    "a next epoch that counts checkpoints of which there are none",
    `name: n\n${CHECKPOINTS}  epochs: { checkpoints: 3 }\nsteps: [{ at: 0, govern: { checkpoints: none } }]\n`,
    /^f\.yaml:8:26: the next epoch counts checkpoints, but forms none: expected `epochs: none`/,
  ],
  [
    "an epoch of no checkpoints",
    `name: n\n${CHECKPOINTS}  epochs: { checkpoints: 0 }\n`,
    /the number of checkpoints after which it closes, its closing not counted: 1 to 1000000; got 0/,
  ],
  [
    "a reward of a validator that nobody knows",
    `name: n\n${GENESIS}  rewards: { v9: alice }\n`,
    /^f\.yaml:6:14: no validator is called "v9" \(did you mean "v1"\?\)/,
  ],
  [
    "a spare that is a validator already",
    "name: n\nnetwork: { spares: [v5, v4] }\n",
    /^f\.yaml:2:25: duplicate validator name "v4"/,
  ],
  ["a spare twice", "name: n\nnetwork: { spares: [v5, v5] }\n", /duplicate validator name "v5"/],
  ["a spare with a twin's name", `name: n\nnetwork: { spares: ["v5'"] }\n`, /v5' is the name of a twin/],
  [
    "a committee with a stranger in it",
    step("{ at: 0, govern: { validators: [v1, v2, v3, v9] } }"),
    /^f\.yaml:7:49: no validator is called "v9" \(did you mean "v1"\?\)/,
  ],
  [
    "a committee with a second key of a stranger",
    step("{ at: 0, govern: { validators: [v1, x/2] } }"),
    /no validator is called "x"/,
  ],
  [
    "a first key by its number",
    step("{ at: 0, govern: { validators: [v1/1] } }"),
    /a validator's name, or its name and the number of its key, from v1\/2 to v1\/9; got "v1\/1"/,
  ],
  [
    "a validator twice in a committee",
    step("{ at: 0, govern: { validators: [v1, v2, v1] } }"),
    /^f\.yaml:7:45: v1 is in the committee already/,
  ],
  [
    "two keys of a validator in a committee",
    step("{ at: 0, govern: { validators: [v1, v1/2] } }"),
    /v1\/2 is a key of v1, which is in the committee as v1 already/,
  ],
  [
    "an empty committee",
    step("{ at: 0, govern: { validators: [] } }"),
    /expected the next committee.*got an empty list/,
  ],
  ["a proposal to nobody known", step("{ at: 0, govern: { to: [v7] } }"), /^f\.yaml:7:29: no validator is called "v7"/],
  [
    "a misspelt member of a proposal",
    step("{ at: 0, govern: { fee: {} } }"),
    /unknown key "fee" \(did you mean "fees"\?\)/,
  ],
  [
    "a proposal of too many decimals",
    step('{ at: 0, govern: { fees: { payment: "0.0000001", cancellation: "1", recovery: "1" } } }'),
    /expected at most 6 digits after the point, got 7: USD has 6 decimals/,
  ],
  [
    "a proposal of fees for a token that nobody knows",
    step(
      '{ at: 0, govern: { fees: { payment: "1", cancellation: "2", recovery: "2", tokens: { USX: { payment: "1", cancellation: "2", recovery: "2" } } } } }',
    ),
    /no token is called "USX" \(did you mean "USD"\?\)/,
  ],
  [
    "a proposal of fees that no epoch can have",
    step('{ at: 0, govern: { fees: { payment: "2", cancellation: "1", recovery: "3" } } }'),
    /^f\.yaml:7:60: USD: cancellation: expected more than the fee of a payment, "2"; got "1"/,
  ],
  [
    "a proposal that stands there already",
    `${step("{ at: 0, govern: { id: p } }")}  - { at: 5, govern: { id: p } }\n`,
    /^f\.yaml:8:28: the proposal "p" is already defined in step 1/,
  ],
  [
    "a proposal again that nobody made",
    step("{ at: 0, govern: { repeat: p } }"),
    /no proposal is called "p"; the file declares none/,
  ],
  [
    "a proposal again with something new in it",
    `${step("{ at: 0, govern: { id: p } }")}  - { at: 5, govern: { repeat: p, epoch: 1 } }\n`,
    /^f\.yaml:8:35: `repeat` repeats the same bytes: expected no `epoch`/,
  ],
  [
    "a trigger of an epoch where none closes",
    step("{ after: { closed: 0 }, heal: true }"),
    /^f\.yaml:7:16: `closed` needs an epoch that closes, but none does: expected `epochs` in the genesis, or a step `govern`/,
  ],
  [
    "messages about an epoch where none closes",
    step("{ at: 0, hold: { epoch: 0 } }"),
    /`epoch` needs an epoch that closes, but none does/,
  ],
  [
    "a void operation where no epoch closes",
    `name: n\n${GENESIS}${PAYMENT}expect: [{ void: x }]\n`,
    /`void` needs an epoch that closes, but none does/,
  ],
  [
    "a key that no validator has",
    `name: n\n${GENESIS}expect: [{ committee: [v1, v2/3] }]\n`,
    /^f\.yaml:6:28: no key of a validator is called "v2\/3" \(did you mean "v2\/2"\?\)/,
  ],
  [
    "a negative epoch",
    `name: n\n${GENESIS}expect: [{ epoch: -1 }]\n`,
    /expected a whole number or a map.*got -1\. The epoch of the validators/,
  ],
  [
    "a balance of an account that nobody declared, beside those of validators",
    `name: n\n${GENESIS}expect: [{ balance: { v1: { USD: "1" }, v9: { USD: "1" } } }]\n`,
    /^f\.yaml:6:41: no account is called "v9"/,
  ],
  ["heal: false", step("{ at: 0, heal: false }"), /expected .*Ends all partitions/],
];

describe("an invalid scenario file is rejected with position and expected value", () => {
  for (const [title, text, message] of CASES) {
    it(title, () => {
      const problems = refused(text);
      expect(problems.length, "it was accepted").toBeGreaterThan(0);
      expect(problems.join("\n")).toMatch(message);
    });
  }

  it("shows the source line with a caret under the position", () => {
    expect(refused("name: n\nstpes: []\n")[0]).toBe(
      'f.yaml:2:1: unknown key "stpes" (did you mean "steps"?)\n  stpes: []\n  ^',
    );
  });

  it("reports every problem of a file, in the order of its lines", () => {
    const problems = refused("name: n\nnetwork: { validators: 0, delay_ms: 5s }\nxyz: 1\n");
    expect(problems.map((problem) => problem.split(":").slice(1, 3).join(":"))).toEqual(["2:24", "2:37", "3:1"]);
  });
});

describe("a scenario within the limits passes", () => {
  it.each([
    ["a committee of other keys and spares", step("{ at: 0, govern: { validators: [v1/2, v2/9, v3] } }")],
    [
      "a proposal of somebody else's, for another chain and a later epoch",
      step("{ at: 0, govern: { signer: mallory, chain_id: 5, epoch: 7 } }"),
    ],
    [
      "an epoch without checkpoints after one with them",
      `name: n\n${CHECKPOINTS}  epochs: { checkpoints: 3 }\nsteps: [{ at: 0, govern: { checkpoints: none, epochs: none } }]\n`,
    ],
    [
      "what a validator's own account has",
      `name: n\n${GENESIS}expect: [{ balance: { v1: { USD: "0" } } }, { epoch: 0 }]\n`,
    ],
    ["a disk that forgets as much as one can", step("{ at: 0, disk: { node: v1, loses_last: 64 } }")],
    ["a delay of a day", "name: n\nnetwork: { delay_ms: 5..86400000 }\n"],
    [
      "an account for each place",
      `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m, blacklist: [${accountsNamed(4_090)}] } } }\n`,
    ],
  ])("%s", (_what, text) => expect(refused(text)).toEqual([]));
});

const lines = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("\n");
const payments = (at: number): string =>
  `${at === 0 ? "" : "  - "}{ at: 0, submit: { id: o${at}, nonce: ${at}, payment: { from: alice, to: bob, token: USD, value: "1" } } }`;

describe("malicious files", () => {
  it("stops a YAML bomb", () => {
    const layers = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(9).fill(`*l${at}`).join(", ")}]`,
    );
    expect(refused(`l0: &l0 x\n${layers.join("\n")}\n`)[0]).toMatch(/aliases expand to too much/);
  });

  it("stops at the node after the last that aliases expand to, however few they are", () => {
    const nodes = (rest: number): string =>
      `name: n\nx-a: &a [${"1,".repeat(3_000)}]\nx-l: [${"*a,".repeat(98)}${"1,".repeat(rest)}]\n`;
    // The map, its three keys, the name, both lists and what they hold.
    const rest = 300_000 - (1 + 3 + 1 + 3_001 + 1 + 98 * 3_001);
    expect(refused(nodes(rest))).toEqual([]);
    expect(refused(nodes(rest + 1))).toEqual([
      expect.stringMatching(/aliases expand to too much: expected at most 300000 nodes/),
    ]);
    // Each copy of the merged map took 25 ms.
    const merged = `x-a: &a {${lines(20_000, (at) => ` k${at},`)} }\nl:\n${"- <<: *a\n".repeat(99)}`;
    expect(refused(merged)[0]).toMatch(/aliases expand to too much/);
  });

  it("composes no document after the second", () => {
    const next = vi.spyOn(Composer.prototype, "next");
    expect(refused("---\n".repeat(10_000))).toEqual([expect.stringMatching(/^f\.yaml:2:1: expected one document/)]);
    expect(next.mock.calls.length).toBeLessThan(20);
    next.mockRestore();
  });

  it("names an alias that names nothing", () => {
    expect(refused("name: n\nx-a: *b\n")).toEqual([
      expect.stringMatching(/^f\.yaml:2:6: \*b names nothing: expected &b before it/),
    ]);
  });

  it.each([
    ["name: &a [*a]", "1:11"],
    ["name: x\ngenesis: &g\n  tokens: { USD: *g }\n", "3:18"],
    ["name: x\nsteps: &s\n  - { at: 0 }\n  - *s\n", "4:5"],
  ])("names an alias inside of what it names: %j", (text, place) => {
    expect(refused(text)).toEqual([
      expect.stringMatching(new RegExp(`${place}: \\*[ags] stands inside of what it names`)),
    ]);
  });

  it("stops at a thousand brackets", () => {
    expect(refused(`name: ${"[".repeat(1000)}`)[0]).toMatch(/^f\.yaml:1:\d+: expected at most 32 levels/);
  });

  it("stops at deep blocks", () => {
    const deep = Array.from({ length: 200 }, (_, at) => `${" ".repeat(at)}a:`).join("\n");
    expect(refused(`${deep} 1\n`)[0]).toMatch(/at most 32 levels/);
  });

  it("stops at deep lists in blocks, which the library would read recursively", () => {
    for (const deep of [`${"- ".repeat(100_000)}x`, `${"? ".repeat(100_000)}x`, `a:\n${"  - ".repeat(40)}x`])
      expect(refused(deep)).toEqual([expect.stringMatching(/^f\.yaml:\d+:\d+: expected at most 32 levels/)]);
  });

  it("stops at the hundred and first alias, and at the token after the last", () => {
    expect(refused(`a: &a 1\nb: [${"*a, ".repeat(70_000)}]`)).toEqual([
      expect.stringMatching(/^f\.yaml:2:4\d\d: expected at most 100 aliases/),
    ]);
    expect(refused(`a: [${"1,".repeat(500_000)}]`)).toEqual([
      expect.stringMatching(/: expected at most 300000 YAML tokens/),
    ]);
  });

  // Each compared every key, error or problem with all before it, for minutes.
  it.each<readonly [string, string, RegExp]>([
    ["a flat map", lines(40_000, (at) => `k${at}: ${at}`), /the key "name" is missing/],
    ["unknown keys", `name: x\n${lines(40_000, (at) => `k${at}: ${at}`)}`, /unknown key "k/],
    ["wrong steps", `name: x\nsteps:\n${lines(10_000, (at) => `  - {at: ${at}, crush: 1}`)}`, /expected a list|crush/],
    ["errors", "[]".repeat(60_000), /Unexpected flow-seq-start/],
    ["braces", "}".repeat(290_000), /Unexpected flow-map-end/],
    ["lists as keys", lines(30_000, (at) => `[${at}]: 1`), /1:1: expected a text as the key, got a list or a map/],
    ["names", `${step(lines(200, payments))}\nexpect: [{ final: [${"zz, ".repeat(20_000)}zz] }]\n`, /is called "zz"/],
  ])("tells at most twenty problems of %s of many entries, and makes suggestions for no others", (_, text, first) => {
    work.distances = 0;
    const problems = refused(text);
    expect(problems[0]).toMatch(first);
    expect(problems.length).toBeLessThanOrEqual(20);
    // Of each problem that is told, to each of the 200 words that it may mean.
    expect(work.distances).toBeLessThanOrEqual(20 * 200);
  });

  it.each(["%YAML 1.1", "%YAML 2.0"])("refuses %s, by which numbers are others", (directive) => {
    expect(refused(`${directive}\n---\nname: n\nsteps:\n  - { at: 1011, heal: true }\n`)).toEqual([
      expect.stringMatching(/^f\.yaml:1:1: expected YAML 1\.2: other versions read numbers differently/),
    ]);
  });

  it("takes the directive of the version that it reads", () => {
    expect(refused("%YAML 1.2\n---\nname: n\n")).toEqual([]);
  });

  it("refuses a mixed-case address with a wrong checksum, and shows the right one", () => {
    const right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const to = (address: string): readonly string[] => refused(payment('"1"').replace("to: bob", `to: "${address}"`));
    expect(to(right.replace("5aA", "5AA"))).toEqual([expect.stringMatching(new RegExp(`is wrong: expected ${right}`))]);
    for (const taken of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])
      expect(to(taken)).toEqual([]);
    const keys = `name: n\ngenesis: { tokens: { T: { decimals: 0, master: m } }, balances: { "${right.replace("5aA", "5AA")}": { T: "1" } } }\n`;
    expect(refused(keys)[0]).toMatch(/the checksum of 0x5AAeb/);
  });

  it("stops at a file that is too large", () => {
    expect(refused(`name: ${"n".repeat(1_048_577)}\n`)[0]).toMatch(/at most 1048576 characters/);
  });

  it("rejects a text that is not UTF-8, with the position", () => {
    const bad = decodeText(Buffer.from([0x6e, 0x3a, 0x20, 0x78, 0x0a, 0x61, 0x62, 0xff, 0x63]));
    expect(bad).toMatchObject({ ok: false, error: { line: 2, column: 3 } });
  });

  it("accepts multi-byte characters", () => {
    expect(decodeText(Buffer.from("name: für €\n"))).toEqual({ ok: true, value: "name: für €\n" });
  });

  it("reads an address without quotes as text", () => {
    const text = payment('"1"').replace("to: bob", "to: 0x00000000000000000000000000000000000000aa");
    expect(refused(text)).toEqual([]);
  });

  it("reads an octal-looking number as text, not as a number", () => {
    expect(refused(step("{ at: 012, heal: true }"))[0]).toMatch(/whole virtual milliseconds/);
  });
});
