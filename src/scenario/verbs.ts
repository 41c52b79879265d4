/** Verbs of `submit` in the scenario language: the members of each, and the operation that it makes. */
import type { Amount } from "../core/base/amount.ts";
import { requireDefined } from "../core/base/assert.ts";
import type { Operation, OperationKind } from "../core/base/operation.ts";
import type { Field } from "../core/ledger/operations/kind.ts";
import { KINDS } from "../core/ledger/operations/kinds.ts";
import type { RoleSpelling } from "../core/ledger/spelling.ts";

/** Value of a member of a submission in a scenario file, by its type: names, and amounts in the token's units. */
interface MemberValues {
  readonly account: string;
  readonly token: string;
  readonly amount: string;
  readonly name: string;
  readonly text: string;
  readonly chain: number;
  readonly count: number;
  readonly flag: boolean;
  readonly legs: readonly { readonly to: string; readonly value: string }[];
  readonly pairs: Readonly<Record<string, string>>;
  readonly multisig: string;
  readonly role: RoleSpelling;
  readonly time: number;
  readonly change: "add" | "remove";
}

export type MemberType = keyof MemberValues;

/** Member of a submission in a scenario file. */
export interface FormMember {
  readonly type: MemberType;
  /** Noun phrase that describes the member. */
  readonly about: string;
  /** True if a file may leave the member out: its field has the value `otherwise`, or none. */
  readonly optional?: true;
  /** Value of the field, or the member from which it is taken. */
  readonly otherwise?: { readonly value: unknown } | { readonly from: string };
  /** True for a flag that a file leaves out for true. */
  readonly isTrueWhenAbsent?: true;
}

/** Verb of `submit` in the scenario language: a kind of operation, or one of its actions. */
export interface Verb {
  readonly kind: OperationKind;
  /** Sentences, and an example as YAML after `Example: `. */
  readonly about: string;
  readonly form: Readonly<Record<string, FormMember>>;
  /** Fields of the operation in the order in which they are made: the member that each is read from, or a fixed text. */
  readonly fills: Readonly<Record<string, string | { readonly fixed: string }>>;
}

/** Members of many verbs. */
const FROM = { type: "account", about: "the signing account" } as const;
const OF_TOKEN = { type: "token", about: "the token" } as const;
const AMOUNT = { type: "amount", about: "the amount" } as const;
const RECIPIENT = { type: "account", about: "the recipient" } as const;
const METADATA = { type: "text", about: "a text for the bridge; default: empty", optional: true } as const;

const LIST_FORM = {
  from: FROM,
  token: OF_TOKEN,
  address: { type: "account", about: "the address" },
  action: { type: "change", about: "the change" },
} as const;

const ROLE_FORM = {
  from: FROM,
  token: OF_TOKEN,
  role: { type: "role", about: "the role" },
  to: { type: "account", about: "the holder of the role" },
  allowance: { type: "amount", about: "the amount that a holder of MintBurnTokens may mint", optional: true },
} as const;

const ROLE_FILLS = { token: "token", authorityAddress: "to", authorityType: "role", value: "allowance" } as const;

/** In the order of the kinds of operations. */
const TABLE = {
  payment: {
    kind: "payment",
    about: 'A payment moves units of a token. Example: payment: { from: alice, to: bob, token: USD, value: "10" }',
    form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
    fills: { token: "token", recipient: "to", value: "value" },
  },
  cancellation: {
    kind: "cancellation",
    about: "A cancellation takes the nonce of a pending operation. Example: cancellation: { from: alice }",
    form: { from: FROM },
    fills: {},
  },
  issue: {
    kind: "issue",
    about:
      "Creates a token, which starts paused unless `genesis.policies` has `issued_tokens: open`. Example: issue: { symbol: EUR, decimals: 2, master: issuer }",
    form: {
      from: { type: "account", about: "the signing account; default: the operator", optional: true },
      symbol: { type: "name", about: "the symbol" },
      name: {
        type: "text",
        about: "the full name of the token; default: its symbol",
        optional: true,
        otherwise: { from: "symbol" },
      },
      decimals: { type: "count", about: "the number of decimals, of which validators refuse more than 18: 0 to 255" },
      master: { type: "account", about: "the master authority" },
      private: {
        type: "flag",
        about: "true: only whitelisted addresses may use the token",
        optional: true,
        otherwise: { value: false },
      },
      clawback: {
        type: "flag",
        about: "true: its authorities may claw it back",
        optional: true,
        isTrueWhenAbsent: true,
      },
    },
    fills: {
      symbol: "symbol",
      name: "name",
      decimals: "decimals",
      masterAuthority: "master",
      isPrivate: "private",
      clawbackEnabled: "clawback",
    },
  },
  mint: {
    kind: "mint",
    about: 'Creates units of a token. Example: mint: { from: minter, to: bob, token: USD, value: "5" }',
    form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
    fills: { token: "token", recipient: "to", value: "value" },
  },
  burn: {
    kind: "burn",
    about:
      'Destroys units of the signer, or of `account` in a forced burn. Example: burn: { from: minter, token: USD, value: "5", account: bob }',
    form: {
      from: FROM,
      token: OF_TOKEN,
      value: AMOUNT,
      account: { type: "account", about: "the account of a forced burn; default: the signer", optional: true },
    },
    fills: { token: "token", value: "value", recipient: "account" },
  },
  metadata: {
    kind: "metadata",
    about:
      "Replaces the name, the uri and further pairs of a token. Example: metadata: { from: issuer, token: USD, name: Dollar }",
    form: {
      from: FROM,
      token: OF_TOKEN,
      name: { type: "text", about: "the new name" },
      uri: { type: "text", about: "the new uri; default: empty", optional: true, otherwise: { value: "" } },
      additional: {
        type: "pairs",
        about: "the key and value pairs; default: none",
        optional: true,
        otherwise: { value: [] },
      },
    },
    fills: { token: "token", name: "name", uri: "uri", additional: "additional" },
  },
  blacklist: {
    kind: "list",
    about:
      "Adds an address to the blacklist of a public token, or removes it. Example: blacklist: { from: lister, token: USD, address: mallory, action: add }",
    form: LIST_FORM,
    fills: { list: { fixed: "blacklist" }, token: "token", address: "address", action: "action" },
  },
  whitelist: {
    kind: "list",
    about:
      "Adds an address to the whitelist of a private token, or removes it. Example: whitelist: { from: lister, token: RWA, address: bob, action: add }",
    form: LIST_FORM,
    fills: { list: { fixed: "whitelist" }, token: "token", address: "address", action: "action" },
  },
  grant: {
    kind: "authority",
    about:
      'Gives a role, or sets the allowance of a holder. Example: grant: { from: issuer, token: USD, role: MintBurnTokens, to: minter, allowance: "100" }',
    form: ROLE_FORM,
    fills: { action: { fixed: "Grant" }, ...ROLE_FILLS },
  },
  revoke: {
    kind: "authority",
    about: "Revokes a role. Example: revoke: { from: issuer, token: USD, role: Pause, to: guard }",
    form: ROLE_FORM,
    fills: { action: { fixed: "Revoke" }, ...ROLE_FILLS },
  },
  pause: {
    kind: "pause",
    about: "Stops payments, mints and burns of a token. Example: pause: { from: guard, token: USD }",
    form: { from: FROM, token: OF_TOKEN },
    fills: { token: "token", action: { fixed: "Pause" } },
  },
  unpause: {
    kind: "pause",
    about: "Ends a pause. Example: unpause: { from: guard, token: USD }",
    form: { from: FROM, token: OF_TOKEN },
    fills: { token: "token", action: { fixed: "Unpause" } },
  },
  clawback: {
    kind: "clawback",
    about:
      'Moves units of `account` to a recipient, without its owner. Example: clawback: { from: issuer, account: mallory, to: bob, token: USD, value: "5" }',
    form: {
      from: FROM,
      account: { type: "account", about: "the account debited" },
      to: RECIPIENT,
      token: OF_TOKEN,
      value: AMOUNT,
    },
    fills: { token: "token", from: "account", recipient: "to", value: "value" },
  },
  bridge_mint: {
    kind: "bridgeMint",
    about:
      'Creates units for a transaction of another chain. Example: bridge_mint: { from: bridge, to: bob, token: USD, value: "5", chain: 1, transaction: "0xab" }',
    form: {
      from: FROM,
      to: RECIPIENT,
      token: OF_TOKEN,
      value: AMOUNT,
      chain: { type: "chain", about: "the id of the other chain" },
      transaction: { type: "text", about: "the transaction there" },
      bridge_metadata: METADATA,
    },
    fills: {
      recipient: "to",
      value: "value",
      token: "token",
      sourceChainId: "chain",
      sourceTxHash: "transaction",
      bridgeMetadata: "bridge_metadata",
    },
  },
  bridge_burn: {
    kind: "bridgeBurn",
    about:
      'Destroys units of the signer for another chain. Example: bridge_burn: { from: bob, token: USD, value: "5", chain: 1, destination: "0xab", escrow: "0.1" }',
    form: {
      from: FROM,
      token: OF_TOKEN,
      value: AMOUNT,
      chain: { type: "chain", about: "the id of the other chain" },
      destination: { type: "text", about: "the address there" },
      escrow: {
        type: "amount",
        about: "the fee of the bridge; default: none",
        optional: true,
        otherwise: { value: 0n as Amount },
      },
      bridge_metadata: METADATA,
      bridge_param: {
        type: "text",
        about: "bytes for the bridge, as 0x and hex digits; default: none",
        optional: true,
      },
    },
    fills: {
      sender: "from",
      value: "value",
      token: "token",
      destinationChainId: "chain",
      destinationAddress: "destination",
      escrowFee: "escrow",
      bridgeMetadata: "bridge_metadata",
      bridgeParam: "bridge_param",
    },
  },
  batch: {
    kind: "batch",
    about:
      'Moves units of a token to several recipients, all or none. Example: batch: { from: alice, token: USD, legs: [{ to: bob, value: "10" }, { to: carol, value: "5" }] }',
    form: {
      from: FROM,
      token: OF_TOKEN,
      legs: { type: "legs", about: "the payments" },
      created_at: {
        type: "time",
        about: "the time in seconds that the batch names; default: 0",
        optional: true,
        otherwise: { value: 0n },
      },
      operations_hash: { type: "text", about: "the hash of the payments; default: none", optional: true },
      batch_id: { type: "text", about: "the name of the batch that is signed; default: none", optional: true },
    },
    fills: {
      token: "token",
      legs: "legs",
      createdAt: "created_at",
      operationsHash: "operations_hash",
      batchId: "batch_id",
    },
  },
  multisig: {
    kind: "multisig",
    about:
      "A creation makes a multisig account of the genesis known that is declared with `created: false`. Example: multisig: { from: alice, account: treasury }",
    form: { from: FROM, account: { type: "multisig", about: "the multisig account" } },
    fills: { signers: "account", threshold: "account" },
  },
} as const satisfies Readonly<Record<string, Verb>>;

type VerbTable = typeof TABLE;

/** Verbs of `submit` in the scenario language that make an operation. */
export type OperationVerb = keyof VerbTable;

type OptionalMember<F> = { [M in keyof F]: F[M] extends { readonly optional: true } ? M : never }[keyof F];

type FormValue<F extends Verb["form"], O extends keyof F = OptionalMember<F>> = {
  readonly [M in Exclude<keyof F, O>]: MemberValues[F[M]["type"]];
} & { readonly [M in O]?: MemberValues[F[M]["type"]] };

/** Submissions by verb. */
export type OperationForms = { readonly [V in OperationVerb]: FormValue<VerbTable[V]["form"]> };

/** All verbs, in the order of the kinds. It does not compile where a kind of operation has none. */
export const VERBS: OperationKind extends VerbTable[OperationVerb]["kind"]
  ? Readonly<Record<OperationVerb, Verb>>
  : never = TABLE;

/**
 * Returns the fields of an operation that a verb makes, without its head. `read` returns what a member says, `undefined`
 * where it is absent; `field` describes the field that it fills.
 */
export function fieldsOfVerb(
  verb: OperationVerb,
  read: (member: string, form: FormMember, field: Field | undefined) => unknown,
): Readonly<Record<string, unknown>> {
  const { kind, form, fills } = VERBS[verb];
  const described: Readonly<Record<string, Field>> = KINDS[kind].fields;
  const filled = Object.entries(fills).map(([field, from]) => {
    if (typeof from !== "string") return [field, from.fixed];
    const valueFrom = (member: string): unknown => read(member, requireDefined(form[member], member), described[field]);
    const value = valueFrom(from);
    const { otherwise } = requireDefined(form[from], from);
    if (value !== undefined || otherwise === undefined) return [field, value];
    return [field, "from" in otherwise ? valueFrom(otherwise.from) : otherwise.value];
  });
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** Returns the verb whose fixed fields an operation has; `undefined` for an action that no verb spells. */
export function verbOfOperation(operation: Operation): OperationVerb | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...operation };
  return (Object.keys(VERBS) as OperationVerb[]).find((verb) => {
    const { kind, fills } = VERBS[verb];
    if (kind !== operation.kind) return false;
    return Object.entries(fills).every(([field, from]) => typeof from === "string" || from.fixed === fields[field]);
  });
}
