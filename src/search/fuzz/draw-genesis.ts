/**
 * Generated genesis (tokens with policies of all kinds, balances, fees, checkpoints, epochs) and the proposals that
 * close epochs, invalid ones among them.
 */
import { bounds } from "../../invariants/history/quorum.ts";
import { KEYS_MAX } from "../../scenario/limits.ts";
import { nodeOf } from "../../scenario/names.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { GenesisSpec, TokenSpec } from "../../scenario/scenario.ts";
import type { CheckpointsSpec, FeeRowSpec, FeesSpec, GovernSpec } from "../../scenario/schema/epoch.ts";
import { POLICY_WORDS, type PoliciesSpec } from "../../scenario/schema/policies.ts";
import type { Decimal, KeyName, Name } from "../../scenario/schema/scalars.ts";
import { BARRED, BURNER, FUNDED, GUARD, ISSUER, MINTER, OWNER, PAYERS, type Roles, SCRIBE, WALLETS } from "./roles.ts";
import { centsText, DECIMALS, type StepBuilder, WIDE } from "./step-builder.ts";
import { stagedToken } from "./steps-combinations.ts";
import { drawMultisigs } from "./steps-multisig.ts";
import type { Swarm } from "./swarm.ts";

/** Draws the genesis. */
export function drawGenesis(
  rng: Rng,
  { swarm, validators, stage, startsPaused, hurries, returns, isLarge, joins }: Roles,
): GenesisSpec {
  // So many that a returning validator finds none of the kept ones that it could continue from.
  const isOften = swarm.checkpoints === 2 || swarm.absences > 0;
  const decided = drawPolicies(rng);
  const tokens = {
    USD: withExcluded(drawPublic(rng.split("USD"), startsPaused), excludedSigners(decided.policies)),
    RWA: drawPrivate(rng.split("RWA")),
  };
  const several = swarm.multisigs === 0 ? {} : drawMultisigs(rng.split("multisigs"));
  const rewarded = rng.split("rewards").pickSome(validators, swarm.epochs);
  return {
    tokens: stage === undefined ? tokens : { ...tokens, [stage.token]: stagedToken(tokens[stage.token], stage) },
    ...several,
    balances: { ...drawBalances(rng.split("balances")), ...several.balances },
    ...(isLarge ? { filler_accounts: { count: FILLERS, balances: { USD: "1" } } } : {}),
    fees: drawFees(rng.split("fees"), swarm.fees > 0),
    ...(swarm.lists === 0 ? {} : { list_limit: rng.split("lists").integer(1, 4) }),
    ...decided,
    checkpoints: aimsAtCheckpoints(swarm)
      ? drawCheckpoints(rng.split("checkpoints"), isOften)
      : { interval_ms: rng.split("checkpoints").integer(...IN_PASSING) },
    ...(aimsAtCheckpoints(swarm) && swarm.epochs > 0
      ? { epochs: { checkpoints: rng.split("epochs").integer(1, swarm.epochs === 2 ? 2 : 5) } }
      : {}),
    ...(hurries ? drawHurriedEpochs(rng.split("hurries")) : {}),
    ...(returns || joins
      ? { checkpoints: { interval_ms: RETURN_INTERVAL_MS, period_s: 0, ...(joins ? { empty: true } : {}) } }
      : {}),
    ...(rewarded.length === 0 ? {} : { rewards: Object.fromEntries(rewarded.map((name) => [name, "alice"])) }),
  };
}

/** Draws the choices of each policy by its own name, most of them the default. */
function drawPolicies(rng: Rng): Pick<GenesisSpec, "policies"> {
  const drawn = [...POLICY_WORDS].flatMap(([name, [, ...others]]) => {
    const ofPolicy = rng.split(name === "issued_tokens" ? "open" : name);
    return ofPolicy.chance(1, 8) ? [[name, ofPolicy.pick(others)] as const] : [];
  });
  return drawn.length === 0 ? {} : { policies: Object.fromEntries(drawn) as PoliciesSpec };
}

/** Returns one of the signers whom each policy of this kind binds: the others go on. */
function excludedSigners({ excluded_minters, excluded_burners }: PoliciesSpec = {}): readonly Name[] {
  return [...(excluded_minters === "refused" ? [MINTER] : []), ...(excluded_burners === "refused" ? [BURNER] : [])];
}

function withExcluded(token: TokenSpec, names: readonly Name[]): TokenSpec {
  return names.length === 0 ? token : { ...token, blacklist: [...(token.blacklist ?? []), ...names] };
}

/** Draws epochs that close before a slot leaves its first round: it meets the first proposer of each epoch. */
function drawHurriedEpochs(rng: Rng): Pick<GenesisSpec, "checkpoints" | "epochs"> {
  return { checkpoints: { interval_ms: rng.integer(200, 400), period_s: 0, empty: true }, epochs: { checkpoints: 1 } };
}

/** Time between checkpoints of which a validator misses more than others keep, in virtual milliseconds. */
export const RETURN_INTERVAL_MS = 100;

/** Accounts of a large state: 128 pieces of balances, seven branches deep. */
const FILLERS = 20_000;

/** Least and most milliseconds between checkpoints at which nothing aims. */
const IN_PASSING = [2_000, 20_000] as const;

/** Returns true if checkpoints are so frequent that faults and strategies aim at them. */
export function aimsAtCheckpoints({ checkpoints, absences }: Swarm): boolean {
  return checkpoints > 0 || absences > 0;
}

/** Draws the default fees, or others for each token; skips cost more than payments. */
function drawFees(rng: Rng, isOdd: boolean): FeesSpec {
  const other = rng.split("unnamed");
  const unnamed = other.chance(1, isOdd ? 2 : 6) ? { unnamed: other.pick(UNNAMED_FEES) } : {};
  if (!isOdd) return { payment: "0.01", cancellation: "0.02", recovery: "0.02", ...unnamed };
  return {
    ...drawRow(rng, 40),
    ...(rng.chance(1, 2) ? { tokens: { RWA: drawRow(rng, 200) } } : {}),
    ...unnamed,
  };
}

/** Fees of tokens that are issued later, in their smallest units: far below and far above those of others. */
const UNNAMED_FEES: readonly FeeRowSpec[] = [
  { payment: "3", cancellation: "5", recovery: "7" },
  { payment: "900000", cancellation: "900001", recovery: "900002" },
];

function drawRow(rng: Rng, most: number): FeeRowSpec {
  const payment = rng.pickSkewed(1, most);
  return {
    payment: centsText(payment),
    cancellation: centsText(payment + rng.pickSkewed(1, most)),
    recovery: centsText(payment + rng.pickSkewed(1, most)),
  };
}

/**
 * Draws intervals from one checkpoint for each slot to rare ones; those without slots leave time for a slot in between.
 */
function drawCheckpoints(rng: Rng, isOften: boolean): CheckpointsSpec {
  const isEmpty = rng.chance(1, 6);
  const interval = isOften ? rng.integer(20, 400) : rng.integer(100, 3_000);
  return {
    interval_ms: isEmpty ? 2_000 + interval : interval,
    slots: isOften ? rng.integer(1, 8) : rng.integer(1, 60),
    limit: rng.integer(isOften ? 4 : 20, 60),
    period_s: rng.pick([0, 0, 0, 1]),
    ...(isEmpty ? { empty: true } : {}),
  };
}

function drawPublic(rng: Rng, startsPaused: boolean): TokenSpec {
  return {
    decimals: DECIMALS,
    master: ISSUER,
    roles: {
      MasterMintBurn: [BURNER],
      MintBurnTokens: [BURNER, MINTER, FUNDED],
      Pause: [GUARD, SCRIBE],
      ManageList: [GUARD],
      UpdateMetadata: [SCRIBE],
      Clawback: [BURNER, MINTER],
      Bridge: [BURNER, MINTER],
    },
    allowances: {
      [BURNER]: centsText(rng.pickSkewed(1, 10_000)),
      [MINTER]: centsText(rng.pickSkewed(1, 3_000)),
      [FUNDED]: "9",
    },
    ...(startsPaused ? { state: "paused" } : {}),
    ...(rng.split("clawback").chance(1, 16) ? { clawback: false } : {}),
    ...(rng.chance(1, 8) ? { blacklist: rng.pickSome([...PAYERS, ...WALLETS], 1) } : {}),
  };
}

function drawPrivate(rng: Rng): TokenSpec {
  const whitelist = rng.pickSome([...PAYERS, ...WALLETS], rng.integer(1, 6));
  return {
    decimals: DECIMALS,
    master: OWNER,
    ...(rng.chance(3, 4) ? { private: true, whitelist: [...whitelist, OWNER, BARRED, FUNDED] } : {}),
    roles: { ManageList: [GUARD], Pause: [GUARD] },
  };
}

/** Draws balances: large, just enough for a fee, none, or beyond a 64-bit amount. */
function drawBalances(rng: Rng): NonNullable<GenesisSpec["balances"]> {
  const wide = rng.split("wide");
  const drawBalance = (): Decimal => {
    const usual = centsText(rng.pickWeighted([12, 10_000], [1, rng.integer(0, 5)], [2, rng.pickSkewed(1, 2_000)]));
    return wide.chance(1, 24) ? WIDE : usual;
  };
  const usd = [...PAYERS, ...WALLETS, ISSUER, BURNER, MINTER].map((name): readonly [Name, Record<Name, Decimal>] => [
    name,
    { USD: drawBalance() },
  ]);
  const rwa = new Set(rng.pickSome([...PAYERS, ...WALLETS], 4));
  const full = [BARRED, FUNDED].map((name) => [name, { USD: centsText(10_000), RWA: centsText(10_000) }] as const);
  return Object.fromEntries(
    [...usd, ...full].map(([name, held]) => [name, rwa.has(name) ? { ...held, RWA: drawBalance() } : held] as const),
  );
}

/** Adds all proposals, numbered from 0; an early or late one has no effect. */
export function drawGovernance(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const { govern } = roles.swarm;
  if (govern === 0) return;
  const count = rng.integer(1, govern === 1 ? 2 : 4);
  let at = rng.pickSkewed(50, roles.profile.span);
  for (let epoch = 0; epoch < count; epoch++) {
    const part = drawProposal(rng.split(`${epoch}`), epoch, roles);
    builder.addAt(at, { govern: part });
    if (rng.chance(1, 6))
      builder.addAt(at + rng.pickSkewed(0, 300), {
        govern: { to: [rng.pick(roles.validators)], repeat: part.id ?? "" },
      });
    at += rng.pickSkewed(200, 4_000);
  }
}

/** Adds a proposal that gives each validator with a lost disk a new key. */
export function drawRenewal(rng: Rng, at: number, roles: Roles, builder: StepBuilder): void {
  const validators = roles.validators.map((name) => renewedKey(name, roles));
  builder.addAt(at, { govern: { to: [rng.pick(roles.validators)], epoch: 0, validators } });
}

/** Returns a key that no other step names, if the validator loses its disk. */
function renewedKey(name: KeyName, { wiped }: Roles): KeyName {
  return wiped.includes(nodeOf(name)) ? `${nodeOf(name)}/${KEYS_MAX}` : name;
}

function drawProposal(rng: Rng, epoch: number, roles: Roles): GovernSpec {
  const { swarm, validators } = roles;
  const hasIntervals = aimsAtCheckpoints(swarm);
  return {
    id: `g${epoch}`,
    to: rng.pickSome(validators, rng.pickWeighted([4, 1], [1, 2], [1, validators.length])),
    epoch,
    ...(rng.chance(1, 12) ? { signer: rng.pick(["alice", "issuer"]) } : {}),
    ...(rng.chance(1, 16) ? { chain_id: 7 } : {}),
    ...(rng.chance(3, 4) ? { validators: drawCommittee(rng.split("committee"), roles) } : {}),
    ...(rng.chance(1, 4) ? { fees: drawFees(rng.split("fees"), true) } : {}),
    ...(hasIntervals && rng.chance(1, 6) ? { checkpoints: drawCheckpoints(rng.split("checkpoints"), false) } : {}),
    ...(rng.chance(1, 6) ? { rewards: { [rng.pick(validators)]: "bob" } } : {}),
  };
}

/**
 * Draws a committee with at most as many Byzantine or wiped members as its size tolerates. In half of the scenarios with
 * lost disks it names new keys of those that lose them.
 */
function drawCommittee(rng: Rng, roles: Roles): readonly KeyName[] {
  const members = drawMembers(rng, roles);
  return roles.wiped.length > 0 && rng.split("renewed").chance(1, 2)
    ? members.map((key) => renewedKey(key, roles))
    : members;
}

function drawMembers(rng: Rng, roles: Roles): readonly KeyName[] {
  const { validators, spares } = roles;
  switch (rng.pickWeighted([3, "keys"], [3, "grow"], [5, "others"])) {
    case "keys":
      return validators.map((name) => drawKey(rng, name, roles));
    case "grow":
      return withFixedLast(roles, [...validators, ...spares]);
    default: {
      const members = withFixedLast(roles, drawNewCommittee(rng, roles));
      return rng.chance(1, 4) ? members.map((name) => drawKey(rng, name, roles)) : members;
    }
  }
}

/** Draws a committee from all validators, of the same size or another. */
function drawNewCommittee(rng: Rng, roles: Roles): readonly Name[] {
  const { validators, spares, byzantine, wiped, isBeyond, keepsLast } = roles;
  const nodes = [...validators, ...spares];
  const least = Math.min(validators.length, keepsLast ? 4 : 3);
  const size = rng.chance(2, 3) ? validators.length : rng.integer(least, nodes.length);
  const last = keepsLast ? validators.slice(-1) : [];
  const weak = nodes.filter((name) => (byzantine.includes(name) || wiped.includes(name)) && !last.includes(name));
  const most = isBeyond ? weak.length : Math.min(weak.length, bounds(size).faults - last.length);
  const chosen = new Set([...last, ...rng.pickSome(weak, rng.integer(0, most))]);
  const sound = rng.shuffle(nodes.filter((name) => !byzantine.includes(name) && !wiped.includes(name)));
  for (const name of sound) if (chosen.size < size) chosen.add(name);
  const members = nodes.filter((name) => chosen.has(name));
  // Too few are left for that size, so the committee stays.
  return members.length < size ? validators : members;
}

/** Moves the last validator of the first committee behind all others if its position is fixed. */
function withFixedLast({ validators, keepsLast }: Roles, members: readonly Name[]): readonly Name[] {
  const last = validators.at(-1);
  if (!keepsLast || last === undefined) return members;
  return [...members.filter((name) => name !== last), last];
}

/** Draws a key; twins share one key and a variant's own node keeps its first, so these are fixed. */
function drawKey(rng: Rng, name: Name, { twins, keepsLast, validators }: Roles): KeyName {
  const isFixed = twins.includes(name) || (keepsLast && name === validators.at(-1));
  return isFixed || rng.chance(1, 2) ? name : `${name}/${rng.integer(2, 4)}`;
}
