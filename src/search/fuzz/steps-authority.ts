/** Generated steps of authorities, often in parallel with payments that they affect. */
import { ROLES } from "../../core/base/operation.ts";
import type { Rng } from "../../scenario/rng.ts";
import type { Name } from "../../scenario/schema/scalars.ts";
import type { SubmitKinds } from "../../scenario/schema/submit.ts";
import type { MessageKind } from "../../simulator/plan.ts";
import {
  BARRED,
  BURNER,
  correctOf,
  drawEntryValidators,
  GUARD,
  ISSUER,
  OWNER,
  PAYERS,
  type Roles,
  UNKNOWN_ACCOUNTS,
  WALLETS,
} from "./roles.ts";
import { centsText, DECISIONS, holdUntil, type StepBuilder, WIDEST } from "./step-builder.ts";

/** Adds mints or burns of own units, one or several; sometimes beyond the maximum supply, sometimes during a pause. */
export function addSupplyChanges(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const from = rng.pick([ISSUER, BURNER]);
  const only = drawEntryValidators(rng, roles);
  const count = rng.pickWeighted([2, 1], [1, 2], [1, 3]);
  for (let index = 0; index < count; index++) {
    const value = centsText(rng.pickSkewed(1, 6_000));
    const to = rng.pick([...PAYERS, ...UNKNOWN_ACCOUNTS]);
    const kinds: SubmitKinds = rng.chance(3, 4)
      ? { mint: { from, token: "USD", to, value } }
      : { burn: { from, token: "USD", value } };
    builder.submit(from, kinds, { only, at: builder.at + index * rng.pickSkewed(0, 50) });
  }
  const more = rng.split("more");
  holdProposals(more, "USD", builder);
  if (more.chance(1, 12)) {
    for (const to of UNKNOWN_ACCOUNTS)
      builder.submit(ISSUER, { mint: { from: ISSUER, token: "USD", to, value: WIDEST } });
  } else if (!builder.hasCrowd && more.chance(1, 4)) {
    addSharedMints(more, builder);
  } else if (more.chance(1, 3)) {
    builder.submit(GUARD, { pause: { from: GUARD, token: "USD" } }, { at: builder.at + more.pickSkewed(0, 100) });
    const at = builder.at + more.integer(1_000, 3_000);
    builder.submit(GUARD, { unpause: { from: GUARD, token: "USD" } }, { at });
  }
}

/** Adds an allowance and two mints of which it covers either but not both. */
function addSharedMints(rng: Rng, builder: StepBuilder): void {
  const part = { from: ISSUER, token: "USD", role: "MintBurnTokens", to: BURNER, allowance: "10" } as const;
  builder.submit(ISSUER, { grant: part });
  const at = builder.at + rng.integer(200, 900);
  const rule = builder.newRule();
  builder.addAt(at, { hold: { rule, token: "USD", kinds: ["proposal"] } });
  for (const to of UNKNOWN_ACCOUNTS)
    builder.submit(BURNER, { mint: { from: BURNER, token: "USD", to, value: "6" } }, { at });
  builder.addAt(at + rng.integer(100, 900), { release: rule });
}

/** Holds list proposals for a while, so that operations authorised meanwhile share one list. */
function holdProposals(rng: Rng, token: Name, builder: StepBuilder): void {
  const own = rng.split("gather");
  // The order of service is judged while no fault is active.
  if (builder.hasCrowd || own.chance(1, 2)) return;
  holdUntil(builder, builder.at + own.integer(100, 900), { token, kinds: ["proposal"] });
}

/** Adds a restriction, perhaps its lifting, and a concurrent payment through another validator. */
export function addRestriction(rng: Rng, roles: Roles, builder: StepBuilder): void {
  // Several restrictions hidden at once would delay each other's finality.
  const isHidden = !builder.hides && rng.chance(3, 4);
  const payer = isHidden ? BARRED : rng.pick(PAYERS);
  const drawn = drawRestriction(rng, payer, isHidden);
  const isPrivate = isHidden && rng.split("private").chance(1, 3);
  const token = isPrivate ? "RWA" : "USD";
  const [from, barred, allowed] = isPrivate ? whitelistRemoval(payer) : drawn;
  const steady = correctOf(roles);
  const entryValidators = rng.pick(steady.length === 0 || rng.chance(1, 4) ? roles.validators : steady);
  const to = rng.pick(UNKNOWN_ACCOUNTS);
  const payment: SubmitKinds = { payment: { from: payer, to: isPrivate ? OWNER : to, token, value: "0.5" } };
  if (rng.chance(1, 4)) builder.submit(payer, payment, { only: drawEntryValidators(rng, roles) });
  builder.submit(from, barred, { only: drawEntryValidators(rng, roles), at: builder.at + rng.pickSkewed(0, 30) });
  if (isHidden) hideRestriction(rng, token, entryValidators, roles, builder);
  if (rng.chance(1, isHidden ? 2 : 4)) {
    const name = `N${builder.known.length}`;
    builder.submit(
      OWNER,
      { metadata: { from: OWNER, token: "RWA", name } },
      { at: builder.at + rng.pickSkewed(0, 150) },
    );
  }
  if (isHidden || rng.chance(2, 3)) {
    const at = builder.at + (isHidden ? rng.integer(200, 700) : rng.pickSkewed(10, 1_000));
    builder.submit(payer, payment, { only: [entryValidators], at });
  }
  if (!rng.chance(2, 3)) return;
  // A hidden restriction must be in force for a while before it is lifted.
  const at = builder.at + (isHidden ? rng.integer(900, 3_000) : rng.pickSkewed(30, 2_000));
  builder.submit(from, allowed, { at });
  if (rng.chance(1, 4)) return;
  const only = rng.chance(1, 2) ? [entryValidators] : drawEntryValidators(rng, roles);
  builder.submit(payer, payment, { at: at + rng.pickSkewed(50, 3_000), only });
}

/**
 * Discloses the restriction to some validators only, perhaps not to the payment's entry validator or to one that
 * commits to it.
 */
function hideRestriction(
  rng: Rng,
  token: Name,
  entryValidators: Name,
  { validators, byzantine }: Roles,
  builder: StepBuilder,
): void {
  builder.hides = true;
  const end = builder.at + rng.integer(1_000, 4_000);
  const holdMessages = (kinds: readonly MessageKind[], to: readonly Name[]): void =>
    holdUntil(builder, end, { token, kinds, to });
  if (rng.chance(1, 4)) {
    holdMessages(DECISIONS, validators);
    return;
  }
  holdMessages(["lock", "fetch", "decisions", "finality"], [entryValidators]);
  const others = validators.filter((name) => name !== entryValidators && !byzantine.includes(name));
  if (others.length > 0 && rng.chance(7, 8))
    holdMessages(["proposal", "fetch", "decisions", "finality"], [rng.pick(others)]);
}

function drawRestriction(
  rng: Rng,
  payer: Name,
  isOfPayment: boolean,
): readonly [from: Name, barred: SubmitKinds, allowed: SubmitKinds] {
  const from = rng.pick([ISSUER, ISSUER, GUARD]);
  const restriction = rng.pick(["pause", "pause", "list", "white"] as const);
  switch (isOfPayment && restriction === "white" ? "list" : restriction) {
    case "pause":
      return [from, { pause: { from, token: "USD" } }, { unpause: { from, token: "USD" } }];
    case "list": {
      const part = { from, token: "USD", address: payer };
      return [from, { blacklist: { ...part, action: "add" } }, { blacklist: { ...part, action: "remove" } }];
    }
    case "white":
      return whitelistRemoval(rng.pick([...PAYERS, ...WALLETS]));
  }
}

/** Takes an address off the list of the private token. */
function whitelistRemoval(address: Name): readonly [from: Name, barred: SubmitKinds, allowed: SubmitKinds] {
  const part = { from: OWNER, token: "RWA", address };
  return [OWNER, { whitelist: { ...part, action: "remove" } }, { whitelist: { ...part, action: "add" } }];
}

/** Grants and revokes roles, often of an account that acts at the same time. */
export function addRoleChanges(rng: Rng, drawnRoles: Roles, builder: StepBuilder): void {
  const full = rng.split("full");
  if (!builder.hasCrowd && full.chance(1, 4)) {
    fillRole(full, builder);
    return;
  }
  const lowered = rng.split("lowered");
  if (!builder.hides && !builder.hasCrowd && lowered.chance(1, 4)) {
    lowerAllowance(lowered, drawnRoles, builder);
    return;
  }
  const to = rng.pick([BURNER, GUARD, "alice"]);
  const role = rng.pickWeighted([3, "MintBurnTokens" as const], [2, "Pause" as const], [1, rng.pick(ROLES)]);
  // The deputy of the master grants and revokes minting only.
  const from = rng.split("signer").chance(1, 6) ? BURNER : ISSUER;
  const part = { from, token: "USD", role, to };
  const isMinting = role === "MintBurnTokens";
  const spelled = isMinting ? rng.pickWeighted([6, role], [1, "MintTokens" as const], [1, "Burn" as const]) : role;
  const hasAllowance = isMinting || rng.split("allowance").chance(1, 3);
  const allowance = hasAllowance ? { allowance: centsText(rng.pickSkewed(0, 5_000)) } : {};
  const grant: SubmitKinds = { grant: { ...part, role: spelled, ...allowance } };
  // A revocation signs an amount, too, which has no effect.
  const revoke: SubmitKinds = { revoke: { ...part, ...(rng.split("amount").chance(1, 4) ? { allowance: "1" } : {}) } };
  const order = rng.chance(1, 2) ? [revoke, grant] : [grant, revoke];
  for (const kinds of order.slice(0, rng.integer(1, 2))) {
    builder.submit(from, kinds, {
      at: builder.at + rng.pickSkewed(0, 400),
      only: drawEntryValidators(rng, drawnRoles),
    });
  }
  holdProposals(rng, "USD", builder);
  if (to === "alice" || rng.chance(1, 3)) return;
  const acts: SubmitKinds =
    to === BURNER
      ? { mint: { from: to, to: "bob", token: "USD", value: centsText(rng.pickSkewed(1, 4_000)) } }
      : { pause: { from: to, token: "USD" } };
  builder.submit(to, acts, { at: builder.at + rng.pickSkewed(0, 400), only: drawEntryValidators(rng, drawnRoles) });
}

/**
 * Takes an allowance away, in a list that is decided and reaches no other validator for a while, and asks some of them for
 * mints that it covered: those that have committed to the list admit none (protocol 4.2, Barrier).
 */
function lowerAllowance(rng: Rng, { validators }: Roles, builder: StepBuilder): void {
  builder.hides = true;
  holdUntil(builder, builder.at + rng.integer(1_500, 4_000), { token: "USD", kinds: DECISIONS, to: validators });
  const part = { from: ISSUER, token: "USD", role: "MintBurnTokens", to: BURNER } as const;
  builder.submit(ISSUER, { grant: { ...part, allowance: "0" } });
  const mint = { from: BURNER, token: "USD", to: "zoe", value: "0.01" };
  for (const only of rng.pickSome(validators, 3))
    builder.submit(BURNER, { mint }, { only: [only], at: builder.at + rng.integer(150, 900) });
}

/** Grants one role to so many accounts that some find no room (specification 14.2). */
function fillRole(rng: Rng, builder: StepBuilder): void {
  const role = rng.pick(ROLES.filter((one) => one !== "MintBurnTokens"));
  const count = role === "MasterMintBurn" ? 1 : rng.integer(3, 6);
  const accounts = rng.shuffle([...PAYERS, ...WALLETS, ...UNKNOWN_ACCOUNTS]).slice(0, count);
  for (const to of accounts)
    builder.submit(
      ISSUER,
      { grant: { from: ISSUER, token: "USD", role, to } },
      { at: builder.at + rng.pickSkewed(0, 60) },
    );
}

/** Adds a few changes of a token's name in a row, each waiting for the list before it. */
export function addMetadataChanges(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const [from, token] = rng.pick([
    [ISSUER, "USD"],
    [OWNER, "RWA"],
  ] as const);
  const only = drawEntryValidators(rng, roles);
  const count = rng.integer(1, 4);
  const wide = rng.pickSkewed(0, 300);
  holdProposals(rng, token, builder);
  for (let index = 0; index < count; index++) {
    const name = `N${builder.known.length}`;
    const more = rng.split(`${index}`).chance(1, 5)
      ? { additional: { a: "b" } }
      : drawTexts(rng.split(`texts ${index}`));
    builder.submit(from, { metadata: { from, token, name, ...more } }, { only, at: builder.at + rng.integer(0, wide) });
  }
}

/** Draws a uri, and two pairs whose keys do not ascend; often neither. */
function drawTexts(rng: Rng): Partial<Pick<NonNullable<SubmitKinds["metadata"]>, "uri" | "additional">> {
  return {
    ...(rng.chance(1, 2) ? { uri: `https://example.org/${rng.integer(1, 9)}` } : {}),
    ...(rng.chance(1, 4) ? { additional: { b: "1", a: centsText(rng.integer(1, 99)) } } : {}),
  };
}

/** Issues a token unknown so far, and its first units. */
export function addIssue(rng: Rng, roles: Roles, builder: StepBuilder): void {
  const symbol = `T${builder.known.length}`;
  const isPrivate = rng.chance(1, 4);
  const form = rng.split("form");
  const issued = {
    symbol,
    decimals: form.pick([2, 2, 3, 18]),
    master: OWNER,
    ...(isPrivate ? { private: true } : {}),
    ...(form.chance(1, 2) ? { name: "Other" } : {}),
    ...(form.chance(1, 4) ? { clawback: false } : {}),
  };
  builder.submit("operator", { issue: issued }, { only: drawEntryValidators(rng, roles) });
  const at = builder.at + rng.pickSkewed(20, 1_500);
  if (rng.chance(1, 2)) builder.submit(OWNER, { unpause: { from: OWNER, token: symbol } }, { at });
  if (rng.chance(1, 2))
    builder.submit(OWNER, { mint: { from: OWNER, to: "alice", token: symbol, value: "7" } }, { at: at + 1 });
}
