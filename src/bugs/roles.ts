/** Variants with wrong checks of roles and allowances (bugs E). */
import { AMOUNT_MAX, type Amount, add, ZERO } from "../core/base/amount.ts";
import type { Role, SignedOperation } from "../core/base/operation.ts";
import { slotKey } from "../core/base/slot.ts";
import { useNonce } from "../core/ledger/apply.ts";
import { appliedResult } from "../core/ledger/apply-result.ts";
import { ROLE_CAPS } from "../core/ledger/limits.ts";
import { grantActionOf, roleOf } from "../core/ledger/spelling.ts";
import { type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import { grantRole, holdsRole } from "../core/ledger/token.ts";
import {
  alterStateAfterApply,
  ignoreRefusal,
  paymentOf,
  replaceApply,
  replaceExecute,
  replaceJudged,
} from "./altered-rules.ts";
import type { VariantTable } from "./known-bad-variant.ts";

export const ROLES: VariantTable = {
  "added-allowance": {
    mistake: "a second grant of minting adds to the allowance in place of setting it",
    source: "bugs E5; protocol 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceExecute((state, token, { signed: { operation } }, real) => {
      const executed = real(state);
      const after = tokenOf(executed.state, token);
      if (operation.kind !== "authority" || after === undefined || !executed.receipt.success) return executed;
      const { authorityAddress: holder, action, value } = operation;
      const before = tokenOf(state, token)?.roles.MintBurnTokens.get(holder);
      if (before === undefined || grantActionOf(action) !== "grant") return executed;
      if (after.roles.MintBurnTokens.get(holder) !== (value ?? ZERO)) return executed;
      const sum: Amount = add(before ?? ZERO, value ?? ZERO) ?? AMOUNT_MAX;
      return { ...executed, state: withToken(executed.state, token, grantRole(after, holder, "MintBurnTokens", sum)) };
    }),
  },
  /** State that no rule reads. */
  "allowance-of-any-role": {
    mistake: "a grant keeps the amount that it names for roles that have no allowance, too",
    source: "specification 5.8, 10.4",
    caughtBy: ["checkpoints"],
    rules: replaceExecute((state, token, { signed: { operation } }, real) => {
      const executed = real(state);
      const after = tokenOf(executed.state, token);
      if (operation.kind !== "authority" || after === undefined || !executed.receipt.success) return executed;
      const { authorityAddress, action, authorityType, value = ZERO } = operation;
      const role = roleOf(authorityType);
      if (role === undefined || role === "MintBurnTokens" || grantActionOf(action) !== "grant") return executed;
      const roles = { ...after.roles, [role]: after.roles[role].set(authorityAddress, value) };
      return { ...executed, state: withToken(executed.state, token, { ...after, roles }) };
    }),
  },
  "effect-at-once": {
    mistake: "metadata change in the signer's slot, at authorisation: changes of two authorities have no common order",
    source: "bugs E6; protocol 4.1",
    caughtBy: ["validity", "conservation", "convergence", "checkpoints", "authority"],
    rules: alterStateAfterApply((after, _before, { slot, operation: signed }) => {
      if (slot.kind !== "account" || signed?.operation.kind !== "metadata") return after;
      const { token, name, uri, additional } = signed.operation;
      const policy = tokenOf(after, token);
      return policy === undefined ? after : withToken(after, token, { ...policy, name, uri, additional });
    }),
  },
  "judged-again": {
    mistake: "a decided payment fails at validators that have applied a pause by then, and takes effect at all others",
    source: "bugs E3; protocol 4.1",
    caughtBy: ["validity", "fees", "convergence", "checkpoints"],
    rules: replaceApply((before, decided, real) => {
      const { slot, value } = decided;
      const payment = paymentOf(decided);
      if (payment === undefined || slot.kind !== "account" || value.type !== "operation") return real();
      const { token } = payment;
      if (tokenOf(before, token)?.isPaused !== true) return real();
      const error = { code: "business_token_paused", token } as const;
      const receipt = { id: value.id, success: false, fee: ZERO, feeToken: undefined, error, slot: slotKey(slot) };
      return appliedResult(useNonce(before, slot), [receipt]);
    }),
  },
  "role-checked-once": {
    mistake: "a role is looked at when a mint is asked for, and not again in the token's order: a former holder mints",
    source: "bugs E4; protocol 4.1",
    caughtBy: ["authority", "validity"],
    rules: ignoreRefusal(
      "business_missing_role",
      (policy, { operation, sender }) =>
        operation.kind === "mint" ? grantRole(policy, sender, "MintBurnTokens", AMOUNT_MAX) : policy,
      (after, before) => ({ ...after, roles: before.roles }),
    ),
  },
  "metadata-merged": {
    mistake: "metadata without pairs keeps the pairs that stood there before",
    source: "specification 5.11",
    caughtBy: ["validity"],
    rules: replaceExecute((state, token, { signed: { operation } }, real) => {
      const executed = real(state);
      const after = tokenOf(executed.state, token);
      const kept = tokenOf(state, token)?.additional ?? [];
      if (operation.kind !== "metadata" || after === undefined || !executed.receipt.success) return executed;
      if (operation.additional.length > 0 || kept.length === 0) return executed;
      return { ...executed, state: withToken(executed.state, token, { ...after, additional: kept }) };
    }),
  },
  "role-beyond-its-cap": {
    mistake: "a role that is full gets one more holder: the cap counts those before the grant",
    source: "specification 5.8, 14.2",
    caughtBy: ["validity", "authority", "checkpoints"],
    rules: (real) =>
      replaceExecute((state, token, { signed }, execute) => {
        const executed = execute(withRoomInRole(state, signed));
        const [before, after] = [tokenOf(state, token), tokenOf(executed.state, token)];
        const role = grantedRole(signed);
        if (before === undefined || after === undefined || role === undefined) return executed;
        const [first] = before.roles[role].entries();
        if (first === undefined || after.roles[role].has(first[0])) return executed;
        const roles = { ...after.roles, [role]: after.roles[role].set(...first) };
        return { ...executed, state: withToken(executed.state, token, { ...after, roles }) };
      })(replaceJudged(withRoomInRole)(real)),
  },
  "deputy-grants-all": {
    mistake: "the master mint-burn authority grants and revokes every role, not minting and burning only",
    source: "specification 6.2; protocol 4.1",
    caughtBy: ["validity", "authority", "checkpoints"],
    rules: (real) =>
      replaceExecute((state, token, { signed }, execute) => {
        const executed = execute(withDeputyAsMaster(state, signed));
        const [before, after] = [tokenOf(state, token), tokenOf(executed.state, token)];
        if (before === undefined || after === undefined) return executed;
        const { masterAuthority } = before;
        return { ...executed, state: withToken(executed.state, token, { ...after, masterAuthority }) };
      })(replaceJudged(withDeputyAsMaster)(real)),
  },
};

function grantedRole({ operation }: SignedOperation): Role | undefined {
  const isGrant = operation.kind === "authority" && grantActionOf(operation.action) === "grant";
  return isGrant ? roleOf(operation.authorityType) : undefined;
}

/** A state in which the first holder of a full role leaves room for another one. */
function withRoomInRole(state: LedgerState, signed: SignedOperation): LedgerState {
  const { operation } = signed;
  const role = grantedRole(signed);
  const token = operation.kind === "authority" ? tokenOf(state, operation.token) : undefined;
  if (operation.kind !== "authority" || role === undefined || token?.roles[role].size !== ROLE_CAPS[role]) return state;
  const [first] = token.roles[role].entries();
  if (first === undefined || token.roles[role].has(operation.authorityAddress)) return state;
  const roles = { ...token.roles, [role]: token.roles[role].delete(first[0]) };
  return withToken(state, operation.token, { ...token, roles });
}

/** A state in which a deputy that grants or revokes is the master. */
function withDeputyAsMaster(state: LedgerState, { operation, sender }: SignedOperation): LedgerState {
  const token = operation.kind === "authority" ? tokenOf(state, operation.token) : undefined;
  if (operation.kind !== "authority" || token === undefined || !holdsRole(token, sender, "MasterMintBurn"))
    return state;
  return withToken(state, operation.token, { ...token, masterAuthority: sender });
}
