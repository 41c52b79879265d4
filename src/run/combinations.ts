/**
 * Combinatorial coverage of operations: the kind, the signer's role, the accounts that the token's lists exclude, and the
 * state of the token, as an honest validator finds them when it judges an operation. All names come from the descriptors.
 */
import type { Address } from "../core/base/ids.ts";
import { isRecovery, type Operation, type OperationKind, type SignedOperation } from "../core/base/operation.ts";
import { checkAuthority } from "../core/ledger/check.ts";
import { exclusionRefusal } from "../core/ledger/lists.ts";
import type { Field, Kind } from "../core/ledger/operations/kind.ts";
import { effectSlotOf, KINDS, kindOf, tokenOfOperation } from "../core/ledger/operations/kinds.ts";
import { accountOf, type LedgerState, tokenOf } from "../core/ledger/state.ts";
import { mayActAs, type Token } from "../core/ledger/token.ts";
import type { ValidatorEvent } from "../core/validator/output.ts";
import { type OperationVerb, VERBS, verbOfOperation } from "../scenario/verbs.ts";
import type { WorldListener } from "../simulator/listener.ts";
import { ledgerOf } from "../simulator/nodes/program.ts";

/** A verb of the scenario language, or the burn of another account. */
export type CombinedOperation = OperationVerb | "forced burn";

/** Status of the role that the signer needs; `lapsed`: lost after the admission. */
export type SignerRole = "held" | "lacking" | "lapsed";

/** `missing`: not issued yet. */
export type TokenCondition = "public" | "public paused" | "private" | "private paused" | "missing";

export interface Combination {
  readonly operation: CombinedOperation;
  /** `undefined` for operations that need no role. */
  readonly role: SignerRole | undefined;
  /** Accounts that the operation concerns, and those of them that are excluded; `undefined` where neither counts. */
  readonly parties: { readonly all: readonly string[]; readonly excluded: readonly string[] } | undefined;
  /** `undefined` for operations that name no token. */
  readonly token: TokenCondition | undefined;
}

const ISSUED: readonly TokenCondition[] = ["public", "public paused", "private", "private paused"];
const AT_ADMISSION: readonly SignerRole[] = ["held", "lacking"];

/** Returns the name of a combination, such as `mint, lacking, recipient excluded, private paused`. */
export function combinationName({ operation, role, parties, token }: Combination): string {
  const excluded = parties?.excluded.join(" and ");
  const out = excluded === undefined ? undefined : `${excluded === "" ? "nobody" : excluded} excluded`;
  return [operation, role, out, token].filter((part) => part !== undefined).join(", ");
}

/** Accounts of an operation, in the order of its fields: its signer if its units move, and those that it names. */
function partiesOf(kind: OperationKind, isForced: boolean): readonly string[] {
  const { fields, signer, inAccount } = KINDS[kind] as Kind<Operation>;
  const named = Object.entries<Field>(fields).flatMap(([name, { type }]) => {
    if (type === "legs") return ["recipient"];
    return type === "address" && name !== "token" && name !== "sender" ? [name] : [];
  });
  if (signer === "operator") return [];
  if (signer === "owner") return inAccount === undefined ? [] : ["signer", ...named];
  return inAccount !== undefined && !isForced ? ["signer"] : named;
}

/** All combinations that traffic can bring about, in the order of the kinds. */
export const COMBINATIONS: readonly Combination[] = (Object.keys(VERBS) as OperationVerb[]).flatMap((verb) => {
  const { kind } = VERBS[verb];
  return [
    ...combinationsOf(kind, verb, verb === "clawback"),
    ...(verb === "burn" ? combinationsOf(kind, "forced burn", true) : []),
  ];
});

function combinationsOf(kind: OperationKind, operation: CombinedOperation, isForced: boolean): readonly Combination[] {
  const { fields, signer, inToken } = KINDS[kind] as Kind<Operation>;
  const base = { operation, role: undefined, parties: undefined, token: undefined };
  if (inToken === undefined && !("token" in fields)) return [base];
  if (signer === "operator")
    return (["held", "lacking"] as const).flatMap((role) =>
      (["missing", ...ISSUED] as const).map((token) => ({ ...base, role, token })),
    );
  const all = partiesOf(kind, isForced);
  const parties = all.length === 0 ? [undefined] : subsets(all).map((excluded) => ({ all, excluded }));
  const roles = signer === "owner" ? [undefined] : AT_ADMISSION;
  return [
    { ...base, token: "missing" },
    ...roles.flatMap((role) =>
      parties.flatMap((some) => ISSUED.map((token) => ({ operation, role, parties: some, token }))),
    ),
    // The role is judged before everything else, and only a list carries out what was admitted earlier.
    ...(inToken === undefined
      ? []
      : lapsingConditions(operation).map((token) => ({ ...base, role: "lapsed" as const, token }))),
  ];
}

/** A list that the token does not use is not changed by anything that was admitted. */
function lapsingConditions(operation: CombinedOperation): readonly TokenCondition[] {
  if (operation === "blacklist") return ISSUED.slice(0, 2);
  return operation === "whitelist" ? ISSUED.slice(2) : ISSUED;
}

/** The one or two parties alone and together, and none of them. */
function subsets(names: readonly string[]): readonly (readonly string[])[] {
  const alone = names.map((name) => [name]);
  return [[], ...alone, ...(names.length > 1 ? [names] : [])];
}

/** Returns the name of the combination of an operation that a validator with this ledger judges before its admission. */
export function combinationAt(ledger: LedgerState, signed: SignedOperation): string | undefined {
  const { operation, sender } = signed;
  const { nonce } = accountOf(ledger, sender);
  // Of another nonce or chain nothing more is judged.
  if (operation.nonce !== nonce || operation.chainId !== ledger.chainId) return undefined;
  const { signer } = kindOf(operation);
  const address = tokenOfOperation(operation);
  const policy = address === undefined ? undefined : tokenOf(ledger, address);
  const token = address === undefined ? undefined : conditionOf(policy);
  const name = verbOf(signed);
  if (name === undefined) return undefined;
  const base = { operation: name, role: undefined, parties: undefined, token };
  if (signer === "operator") return combinationName({ ...base, role: sender === ledger.operator ? "held" : "lacking" });
  if (address === undefined || policy === undefined) return combinationName(base);
  const role = signer === "owner" ? undefined : roleOf(ledger, address, policy, signed);
  return combinationName({ ...base, role, parties: exclusionsIn(ledger, address, policy, signed) });
}

function conditionOf(policy: Token | undefined): TokenCondition {
  if (policy === undefined) return "missing";
  return `${policy.isPrivate ? "private" : "public"}${policy.isPaused ? " paused" : ""}`;
}

function roleOf(ledger: LedgerState, address: Address, policy: Token, signed: SignedOperation): SignerRole {
  const { operation, sender } = signed;
  const role = kindOf(operation).inAccount?.role;
  const lacks =
    role === undefined
      ? checkAuthority(ledger, address, signed)?.code === "business_missing_role"
      : !mayActAs(policy, sender, role);
  return lacks ? "lacking" : "held";
}

function exclusionsIn(
  ledger: LedgerState,
  address: Address,
  policy: Token,
  signed: SignedOperation,
): Combination["parties"] {
  const { operation, sender } = signed;
  const all = partiesOf(operation.kind, isForcedDebit(signed));
  if (all.length === 0) return undefined;
  const named: Readonly<Record<string, unknown>> = { ...operation, signer: sender };
  const accountsOf = (party: string): readonly Address[] =>
    operation.kind === "batch" && party === "recipient"
      ? operation.legs.map(({ recipient }) => recipient)
      : [named[party] as Address];
  const isOut = (party: Address): boolean => exclusionRefusal(ledger, party, address, policy) !== undefined;
  return { all, excluded: all.filter((party) => accountsOf(party).some(isOut)) };
}

function isForcedDebit(signed: SignedOperation): boolean {
  return effectSlotOf(signed).kind === "account";
}

/** Returns the verb whose fixed fields an operation has; `undefined` for an action that no verb spells. */
function verbOf(signed: SignedOperation): CombinedOperation | undefined {
  const { operation } = signed;
  if (operation.kind === "burn" && isForcedDebit(signed)) return "forced burn";
  return verbOfOperation(operation);
}

type AppliedEvent = Extract<ValidatorEvent, { readonly type: "applied" }>;

/** Returns the names for the operations of a list whose signers had lost their role; `after`: the ledger after it. */
function lapsedCombinations({ slot, content, receipts }: AppliedEvent, after: LedgerState): readonly string[] {
  if (slot.kind !== "token") return [];
  return receipts.flatMap(({ error }, index) => {
    const signed = content.operations[index];
    if (error?.code !== "business_missing_role" || signed === undefined) return [];
    const operation = verbOf(signed);
    const token = conditionOf(tokenOf(after, slot.token));
    return operation === undefined ? [] : [combinationName({ operation, role: "lapsed", parties: undefined, token })];
  });
}

/** A listener that calls `seen` with the name of each combination that an honest validator judges. */
export function combinationCoverage(seen: (name: string) => void): WorldListener {
  return {
    stepped: ({ honest, state }, input, outputs) => {
      if (!honest || state === undefined) return;
      if (input.type === "submit" && !isRecovery(input.submission)) {
        const name = combinationAt(ledgerOf(state), input.submission);
        if (name !== undefined) seen(name);
      }
      for (const output of outputs)
        if (output.type === "event" && output.event.type === "applied")
          for (const name of lapsedCombinations(output.event, ledgerOf(state))) seen(name);
    },
  };
}
