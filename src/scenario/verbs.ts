/** Verbs of `submit` in the scenario language, by the kind of operation that each makes. */
import type { Amount } from "../core/base/amount.ts";
import { requireDefined } from "../core/base/assert.ts";
import type { List, OperationKind } from "../core/base/operation.ts";
import type { Field } from "../core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../core/ledger/operations/kinds.ts";
import type { FormMember, KindForms, OperationVerb, Verb } from "./verb-forms.ts";

/** Members of many verbs. */
const FROM: FormMember = { type: "account", about: "the signing account" };
const OF_TOKEN: FormMember = { type: "token", about: "the token" };
const AMOUNT: FormMember = { type: "amount", about: "the amount" };
const RECIPIENT: FormMember = { type: "account", about: "the recipient" };

const METADATA: FormMember = {
  type: "text",
  about: "a text for the bridge; default: empty",
  optional: true,
};

export const KIND_VERBS: {
  readonly [K in OperationKind]: { readonly [V in keyof KindForms[K]]: Verb<KindForms[K][V]> };
} = {
  payment: {
    payment: {
      about: 'A payment moves units of a token. Example: payment: { from: alice, to: bob, token: USD, value: "10" }',
      form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
      fills: { token: "token", recipient: "to", value: "value" },
    },
  },
  cancellation: {
    cancellation: {
      about: "A cancellation takes the nonce of a pending operation. Example: cancellation: { from: alice }",
      form: { from: FROM },
      fills: {},
    },
  },
  issue: {
    issue: {
      about:
        "Creates a token, which starts paused unless `genesis.open_tokens` is true. Example: issue: { symbol: EUR, decimals: 2, master: issuer }",
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
  },
  mint: {
    mint: {
      about: 'Creates units of a token. Example: mint: { from: minter, to: bob, token: USD, value: "5" }',
      form: { from: FROM, to: RECIPIENT, token: OF_TOKEN, value: AMOUNT },
      fills: { token: "token", recipient: "to", value: "value" },
    },
  },
  burn: {
    burn: {
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
  },
  metadata: {
    metadata: {
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
  },
  list: {
    blacklist: listVerb(
      "blacklist",
      "Adds an address to the blacklist of a public token, or removes it. Example: blacklist: { from: lister, token: USD, address: mallory, action: add }",
    ),
    whitelist: listVerb(
      "whitelist",
      "Adds an address to the whitelist of a private token, or removes it. Example: whitelist: { from: lister, token: RWA, address: bob, action: add }",
    ),
  },
  authority: {
    grant: roleVerb(
      "Grant",
      'Gives a role, or sets the allowance of a holder. Example: grant: { from: issuer, token: USD, role: MintBurnTokens, to: minter, allowance: "100" }',
    ),
    revoke: roleVerb("Revoke", "Revokes a role. Example: revoke: { from: issuer, token: USD, role: Pause, to: guard }"),
  },
  pause: {
    pause: {
      about: "Stops payments, mints and burns of a token. Example: pause: { from: guard, token: USD }",
      form: { from: FROM, token: OF_TOKEN },
      fills: { token: "token", action: { fixed: "Pause" } },
    },
    unpause: {
      about: "Ends a pause. Example: unpause: { from: guard, token: USD }",
      form: { from: FROM, token: OF_TOKEN },
      fills: { token: "token", action: { fixed: "Unpause" } },
    },
  },
  clawback: {
    clawback: {
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
  },
  bridgeMint: {
    bridge_mint: {
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
  },
  bridgeBurn: {
    bridge_burn: {
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
  },
  batch: {
    batch: {
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
  },
  multisig: {
    multisig: {
      about:
        "A creation makes a multisig account of the genesis known that is declared with `created: false`. Example: multisig: { from: alice, account: treasury }",
      form: { from: FROM, account: { type: "multisig", about: "the multisig account" } },
      fills: { signers: "account", threshold: "account" },
    },
  },
};

function listVerb(changed: List["list"], about: string): Verb<KindForms["list"]["blacklist"]> {
  return {
    about,
    form: {
      from: FROM,
      token: OF_TOKEN,
      address: { type: "account", about: "the address" },
      action: { type: "change", about: "the change" },
    },
    fills: { list: { fixed: changed }, token: "token", address: "address", action: "action" },
  };
}

function roleVerb(action: "Grant" | "Revoke", about: string): Verb<KindForms["authority"]["grant"]> {
  return {
    about,
    form: {
      from: FROM,
      token: OF_TOKEN,
      role: { type: "role", about: "the role" },
      to: { type: "account", about: "the holder of the role" },
      allowance: { type: "amount", about: "the amount that a holder of MintBurnTokens may mint", optional: true },
    },
    fills: {
      action: { fixed: action },
      token: "token",
      authorityAddress: "to",
      authorityType: "role",
      value: "allowance",
    },
  };
}

/** Verb with the kind of operation that it makes. */
export interface KindVerb extends Verb<Readonly<Record<string, unknown>>> {
  readonly kind: OperationKind;
}

/** All verbs, in the order of the kinds. */
export const VERBS: Readonly<Record<OperationVerb, KindVerb>> = Object.fromEntries(
  OPERATION_KINDS.flatMap((kind) => Object.entries(KIND_VERBS[kind]).map(([verb, form]) => [verb, { kind, ...form }])),
) as unknown as Readonly<Record<OperationVerb, KindVerb>>;

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
