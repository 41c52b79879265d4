/**
 * Generated combinations of an operation, its signer's role, excluded accounts and the state of its token, which single
 * draws almost never bring together.
 */
import type { Role } from "../../core/base/operation.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { TokenSpec } from "../../scenario/scenario.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { TriggerSpec } from "../../scenario/schema/trigger.ts";
import { BURNER, correctOf, GUARD, ISSUER, OWNER, type Roles, type Stage } from "./roles.ts";
import { holdUntil, type StepBuilder } from "./step-builder.ts";

/** Accounts without a role, and holders of most roles; the token excludes the second of each pair. */
const STRANGERS: readonly Name[] = ["ann", "otto"];
const HOLDERS: readonly Name[] = ["hal", "hob"];
const FREE: readonly Name[] = ["ann", "hal"];
const EXCLUDED: readonly Name[] = ["otto", "hob"];

const UNISSUED = "0x00000000000000000000000000000000000000aa";

type OperationTemplate = (from: Name, token: Name, other: Name) => SubmitKinds;

/** Operations that need a role, by the role. */
const ACTS: Readonly<Record<Role, readonly OperationTemplate[]>> = {
  MintBurnTokens: [
    (from, token, to) => ({ mint: { from, token, to, value: "2" } }),
    (from, token) => ({ burn: { from, token, value: "1" } }),
    (from, token, account) => ({ burn: { from, token, value: "1", account } }),
  ],
  ManageList: [
    (from, token, address) => ({ blacklist: { from, token, address, action: isFree(address) ? "add" : "remove" } }),
    (from, token, address) => ({ whitelist: { from, token, address, action: isFree(address) ? "remove" : "add" } }),
  ],
  Pause: [(from, token) => ({ pause: { from, token } }), (from, token) => ({ unpause: { from, token } })],
  UpdateMetadata: [(from, token) => ({ metadata: { from, token, name: "Combined" } })],
  Clawback: [
    (from, token, account) => ({ clawback: { from, account, to: "hal", token, value: "1" } }),
    (from, token, account) => ({ clawback: { from, account, to: "otto", token, value: "1" } }),
  ],
  Bridge: [
    (from, token, to) => ({ bridge_mint: { from, to, token, value: "2", chain: 1, transaction: `0x${to}` } }),
    (from, token, to) => ({ bridge_mint: { from, to, token, value: "1", chain: 1, transaction: "0xa" } }),
  ],
  MasterMintBurn: [
    (from, token, to) => ({ grant: { from, token, role: "MintBurnTokens", to, allowance: "5" } }),
    (from, token, to) => ({ revoke: { from, token, role: "MintBurnTokens", to } }),
  ],
};

const ALL_ACTS: readonly OperationTemplate[] = Object.values(ACTS).flat();

/** Roles of the holders, as often as their operations have combinations. */
const HELD = [
  "MintBurnTokens",
  "MintBurnTokens",
  "MintBurnTokens",
  "ManageList",
  "ManageList",
  "Clawback",
  "Clawback",
  "Bridge",
] as const;
const HELD_ROLES: readonly Role[] = ["MintBurnTokens", "ManageList", "Pause", "UpdateMetadata", "Clawback", "Bridge"];

function isFree(name: Name): boolean {
  return FREE.includes(name);
}

/** Returns the token as the operations below find it: with holders and an excluded account, open or paused. */
export function stagedToken(spec: TokenSpec, { token, isPaused }: Stage): TokenSpec {
  const {
    state: _state,
    private: _private,
    blacklist = [],
    whitelist = [],
    roles = {},
    allowances = {},
    ...rest
  } = spec;
  const isPrivate = token === "RWA";
  const held = HELD_ROLES.map((role) => [role, [...(roles[role] ?? []), ...HOLDERS]] as const);
  return {
    ...rest,
    ...(isPaused ? { state: "paused" } : {}),
    ...(isPrivate ? { private: true, whitelist: [...whitelist, ...FREE] } : { blacklist: [...blacklist, ...EXCLUDED] }),
    roles: { ...roles, MasterMintBurn: [BURNER], ...Object.fromEntries(held) },
    allowances: { ...allowances, ...Object.fromEntries(HOLDERS.map((holder) => [holder, "9"])) },
  };
}

/** Where the operations of a combination begin. */
interface CombinationContext {
  readonly token: Name;
  readonly isPaused: boolean;
  readonly master: Name;
  /** A validator that judges all of them. */
  readonly entry: Name;
  readonly builder: StepBuilder;
}

/** Adds operations of one status of their signers on the token of the stage. */
export function addCombination(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const entry = correctOf(roles)[0];
  if (entry === undefined || roles.stage === undefined) return;
  const { token, isPaused } = roles.stage;
  const setting = { token, isPaused, master: token === "USD" ? ISSUER : OWNER, entry, builder };
  for (const name of [...STRANGERS, ...HOLDERS]) builder.scripted.add(name);
  const draws = [
    [5, submitAfterRevocation],
    [5, submitAsHolder],
    [8, submitDuringRevocation],
  ] as const;
  const others = [
    [3, submitWithoutRole],
    [2, submitRoleChanges],
    [1, submitOnUnissuedToken],
    [2, submitSecondIssue],
  ] as const;
  if (roles.swarm.combinations === 2) {
    // They have other signers, so that none changes what another one finds; a grant alone gives strangers a role.
    rng.pickWeighted(...others)(rng.split("other"), setting);
    rng.pickWeighted(...draws)(rng, setting);
  } else rng.pickWeighted(...draws, ...others)(rng, setting);
}

type StepTime = { readonly at: number } | { readonly after: TriggerSpec };

function submitAt(
  { builder, entry }: CombinationContext,
  from: Name,
  kinds: SubmitKinds,
  when: StepTime,
  nonce = 0,
): void {
  builder.submit(from, kinds, { ...when, nonce, only: [entry] });
}

function paymentSpec(from: Name, token: Name, to: Name): SubmitKinds {
  return { payment: { from, token, to, value: "1" } };
}

function bridgeBurnSpec(from: Name, token: Name): SubmitKinds {
  return { bridge_burn: { from, token, value: "1", chain: 1, destination: "0xd" } };
}

/** Its second payment, and the last, is to the account that may be excluded. */
function batchSpec(from: Name, token: Name, to: Name): SubmitKinds {
  return {
    batch: {
      from,
      token,
      legs: [
        { to: from, value: "1" },
        { to, value: "1" },
      ],
    },
  };
}

/** Accounts that never held a role: all their operations are refused, so that all have one nonce. */
function submitWithoutRole(rng: Rng, setting: CombinationContext): void {
  for (const from of STRANGERS)
    submitRefused(rng.split(from), setting, from, ALL_ACTS, (at) => ({ at: setting.builder.at + at }));
}

/** Accounts that have lost a role, in the same way. */
function submitAfterRevocation(rng: Rng, setting: CombinationContext): void {
  const { builder, master, token, entry } = setting;
  const lost = HOLDERS.map((to) => [to, rng.pick([...HELD, "Pause", "Pause", "UpdateMetadata"] as const)] as const);
  for (const [to, role] of lost)
    builder.submit(master, { revoke: { from: master, token, role, to } }, { only: [entry] });
  const last = builder.known.at(-1)?.id ?? "";
  // The second application is that of the token's list.
  for (const [from, role] of lost)
    submitRefused(rng.split(from), setting, from, [...ACTS[role], ...ACTS.MasterMintBurn], (plus) => ({
      after: { applied: last, by: entry, times: 2, plus_ms: plus },
    }));
}

/** Submits some of the operations, naming a free or an excluded account, a payment and a burn to another chain. */
function submitRefused(
  rng: Rng,
  setting: CombinationContext,
  from: Name,
  acts: readonly OperationTemplate[],
  when: (plus: number) => StepTime,
): void {
  const others = STRANGERS.includes(from) ? HOLDERS : STRANGERS;
  const all = acts.flatMap((template) => others.map((other) => template(from, setting.token, other)));
  const own = [paymentSpec(from, setting.token, rng.pick([...others, from])), bridgeBurnSpec(from, setting.token)];
  const batched = batchSpec(from, setting.token, rng.pick([...others, from]));
  const chosen = [...rng.pickSome(rng.shuffle(all), 10), ...own, batched];
  for (const [index, kinds] of chosen.entries()) submitAt(setting, from, kinds, when(10 + index * 20));
}

/** Holders of a role: two operations of each with one nonce, since the token's state refuses many. */
function submitAsHolder(rng: Rng, setting: CombinationContext): void {
  const { token, builder } = setting;
  for (const from of HOLDERS) {
    const role = rng.pick([...HELD, "Pause", "Pause", "UpdateMetadata"] as const);
    for (const [index, one] of rng.pickSome(rng.shuffle(ACTS[role]), 2).entries())
      submitAt(setting, from, one(from, token, rng.pick(STRANGERS)), { at: builder.at + index * rng.integer(5, 400) });
  }
}

/** The master and another authority grant and revoke roles of excluded and other accounts. */
function submitRoleChanges(rng: Rng, { token, master, builder, entry }: CombinationContext): void {
  const from = rng.pick([master, BURNER]);
  const role = "MintBurnTokens";
  const all: readonly SubmitKinds[] = [
    ...STRANGERS.map((to) => ({ grant: { from, token, role, to, allowance: "5" } }) as const),
    ...HOLDERS.map((to) => ({ revoke: { from, token, role, to } }) as const),
  ];
  for (const kinds of rng.pickSome(rng.shuffle(all), 3)) builder.submit(from, kinds, { only: [entry] });
}

/** Holders whose operations wait for a list that revokes their roles first; another authority may change the pause. */
function submitDuringRevocation(rng: Rng, setting: CombinationContext): void {
  const { token, isPaused, builder, entry } = setting;
  holdUntil(builder, builder.at + rng.integer(500, 1_200), { token, kinds: ["proposal"] });
  const part = { from: GUARD, token };
  if (rng.chance(1, 2)) builder.submit(GUARD, isPaused ? { unpause: part } : { pause: part }, { only: [entry] });
  for (const from of HOLDERS) {
    const own = rng.split(from);
    revokeBeforeUse(own, setting, from, own.pick([...HELD, "Pause", "Pause", "Pause", "UpdateMetadata"] as const), 0);
  }
  if (rng.chance(1, 2)) revokeBeforeUse(rng, setting, BURNER, "MasterMintBurn", builder.nonceOf(BURNER));
}

/**
 * Revokes a role, and submits an operation that needs it once that waits for its list: the older of two restrictions comes
 * first there, and no validator votes for the operation after its commit to the revocation.
 */
function revokeBeforeUse(rng: Rng, setting: CombinationContext, from: Name, role: Role, nonce: number): void {
  const { token, master, builder, entry } = setting;
  const { id } = builder.submit(master, { revoke: { from: master, token, role, to: from } }, { only: [entry] });
  const other = role === "MasterMintBurn" ? "hal" : "ann";
  const after = { applied: id, by: entry, plus_ms: rng.pickSkewed(0, 4) };
  submitAt(setting, from, lapsingOperation(rng, role, setting)(from, token, other), { after }, nonce);
}

/** Returns an operation of a role that the stage admits. */
function lapsingOperation(rng: Rng, role: Role, { token, isPaused }: CombinationContext): OperationTemplate {
  const acts = ACTS[role];
  const [first, second] = acts as readonly [OperationTemplate, OperationTemplate];
  if (role === "ManageList") return token === "USD" ? first : second;
  if (role === "Pause") return isPaused ? second : first;
  return role === "MintBurnTokens" ? first : rng.pick(acts);
}

/** Operations on a token that nobody issued. */
function submitOnUnissuedToken(rng: Rng, setting: CombinationContext): void {
  for (const template of [...ALL_ACTS, paymentSpec, bridgeBurnSpec, batchSpec])
    submitAt(setting, "ann", template("ann", UNISSUED, rng.pick(HOLDERS)), { at: setting.builder.at });
}

/** An issue of a token that exists, or by another than the operator. */
function submitSecondIssue(rng: Rng, { builder }: CombinationContext): void {
  const isPrivate = rng.chance(1, 2);
  const issued = { symbol: "TWICE", decimals: 2, master: OWNER, ...(isPrivate ? { private: true } : {}) };
  const another = { issue: { ...issued, from: "mallory" } };
  builder.scripted.add("mallory");
  builder.submit("mallory", another);
  const first = builder.submit("operator", { issue: issued });
  const last = rng.chance(1, 2)
    ? builder.submit(OWNER, { unpause: { from: OWNER, token: "TWICE" } }, { at: builder.at + 900 })
    : first;
  const after = { applied: last.id, times: 2, plus_ms: rng.integer(50, 900) };
  builder.submit("operator", { issue: issued }, { after });
  builder.submit("mallory", another, { after, nonce: 0 });
}
