/** Forms of slots, values, receipts and ledger states. */
import type { Amount } from "../../core/base/amount.ts";
import type {
  CheckpointPolicy,
  EpochParameters,
  FeeEntry,
  FeeSchedule,
  Fillers,
  Genesis,
  GenesisBalance,
  GenesisToken,
  GovernanceProposal,
  Member,
  SignedProposal,
} from "../../core/base/epoch.ts";
import type { CheckpointNumber, Epoch, Millis, Round, Sequence, Version } from "../../core/base/ids.ts";
import { type OperationId, ROLES, type Role } from "../../core/base/operation.ts";
import { POLICY_CHOICES, POLICY_NAMES, type Policies } from "../../core/base/policies.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import {
  BURN_OUTCOMES,
  type CheckpointHeader,
  type LedgerSlot,
  type LedgerValue,
  type ListedDecision,
  type Slot,
  type SlotKey,
  type Value,
} from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { STATE_PARTS, type StatePart } from "../../core/ledger/roots.ts";
import type { Account, AuthorisedOperation, LedgerState } from "../../core/ledger/state.ts";
import type { Token } from "../../core/ledger/token.ts";
import {
  anyText,
  count,
  defineForm,
  type Fields,
  type Form,
  flag,
  integer,
  list,
  nullable,
  optional,
  pair,
  record,
  table,
  trie,
  trueOnly,
  union,
  variant,
  withMeaning,
  wordOf,
} from "./form.ts";
import { address, amount, hash, nonce, signature, signedOperation, signerSet } from "./operation-forms.ts";
import { refusal } from "./refusal-form.ts";

export const slotKeyText: Form<SlotKey> = anyText("slot key");
export const epoch: Form<Epoch> = count();
export const round: Form<Round> = count();
export const checkpointNumber: Form<CheckpointNumber> = count();
export const millis: Form<Millis> = count("milliseconds");
const sequence: Form<Sequence> = count();
const version: Form<Version> = count();

const ACCOUNT_SLOT = record("Next operation of an account.", { address, sequence });
const TOKEN_SLOT = record("Next list of a token.", { token: address, version });

export const slot = defineForm(
  "Slot",
  union<Slot, "kind">("kind", {
    account: ACCOUNT_SLOT,
    token: TOKEN_SLOT,
    checkpoint: record("Next checkpoint.", { number: checkpointNumber }),
    epoch: record("Closing of an epoch.", { epoch }),
  }),
);

export const ledgerSlot = defineForm(
  "LedgerSlot",
  union<LedgerSlot, "kind">("kind", { account: ACCOUNT_SLOT, token: TOKEN_SLOT }),
);

const LEDGER_VALUES = {
  operation: record("The operation takes effect, or is authorised.", { id: hash }),
  burn: record("A forced burn or clawback takes effect.", { id: hash, outcome: wordOf(...BURN_OUTCOMES) }),
  skip: record("The nonce is used up without effect.", {
    by: wordOf("cancellation", "recovery"),
    id: hash,
    displaced: withMeaning("the displaced operation, or the two of a proof", list(hash)),
    feeToken: nullable(address),
  }),
  list: record("Authorised operations take effect in their token, in this order.", { ids: list(hash) }),
};

export const ledgerValue = defineForm("LedgerValue", union<LedgerValue, "type">("type", LEDGER_VALUES));

export const header = defineForm(
  "Header",
  record<CheckpointHeader>("Header of a checkpoint or closing.", {
    number: checkpointNumber,
    parentHash: hash,
    stateRoot: hash,
    transactionsRoot: hash,
    receiptsRoot: hash,
    timestamp: count("seconds"),
    size: withMeaning("bytes of the copies of operations", count()),
    extraData: anyText(),
  }),
);

const listedDecision = defineForm(
  "Listed",
  record<ListedDecision>("Decided slot in a checkpoint.", {
    slot: ledgerSlot,
    value: ledgerValue,
    copies: withMeaning("hashes of the copies of its operations", list(hash)),
  }),
);

const member = defineForm("Member", record<Member>("Validator of an epoch.", { key: address, reward: address }));
const feeEntry = defineForm(
  "Fees",
  record<FeeEntry>("Fees of a token.", { payment: amount, cancellation: amount, recovery: amount }),
);
const checkpointPolicy = defineForm(
  "CheckpointPolicy",
  record<CheckpointPolicy>("Conditions of checkpoints (specification 10).", {
    intervalMs: count(),
    slots: count(),
    limit: count(),
    periodSeconds: count(),
    empty: flag,
  }),
);

const PARAMETERS: Fields<EpochParameters> = {
  validators: list(member),
  fees: record<FeeSchedule>("Fees of an epoch.", { default: feeEntry, tokens: table(address, feeEntry) }),
  checkpoints: nullable(checkpointPolicy),
  epochLength: nullable(count()),
};

export const parameters = defineForm("Parameters", record("Parameters of an epoch (specification 11).", PARAMETERS));

export const value = defineForm(
  "Value",
  union<Value, "type">("type", {
    ...LEDGER_VALUES,
    checkpoint: record("State after all that it and its ancestors list.", { header, listed: list(listedDecision) }),
    closing: record("Last checkpoint of an epoch, and the parameters of the next.", {
      epoch,
      header,
      listed: list(listedDecision),
      next: parameters,
      warrant: hash,
    }),
  }),
);

export const signedProposal = defineForm(
  "SignedProposal",
  record<SignedProposal>("Request of the operator to close an epoch.", {
    proposal: record<GovernanceProposal>("Proposal.", { chainId: count(), epoch, next: parameters }),
    signature,
  }),
);

export const receipt = defineForm(
  "Receipt",
  record<Receipt>("Result of an operation.", {
    id: hash as Form<OperationId>,
    success: flag,
    fee: amount,
    feeToken: nullable(address),
    error: nullable(refusal),
    slot: slotKeyText,
    bridgeNonce: optional(count()),
  }),
);

const account = defineForm(
  "Account",
  record<Account>("Account.", {
    nonce,
    sequence,
    bridgeNonce: optional(count()),
    multisig: optional(signerSet),
  }),
);

const roleHolders = trie(address, {
  ...nullable(amount),
  write: (left: Amount | null) => (left === null ? null : amount.write(left)),
  read: (json): Amount | null => (json === null ? null : amount.read(json)),
});

const token = defineForm(
  "Token",
  record<Token>("Token.", {
    version,
    symbol: anyText(),
    name: anyText(),
    uri: anyText(),
    additional: list(pair(anyText(), anyText())),
    decimals: count(),
    masterAuthority: address,
    isPrivate: flag,
    isPaused: flag,
    clawbackEnabled: flag,
    minted: amount,
    roles: record<Token["roles"]>(
      "Holders of each role with their allowances.",
      Object.fromEntries(ROLES.map((role) => [role, roleHolders])) as Record<Role, typeof roleHolders>,
    ),
  }),
);

const authorised = defineForm(
  "Authorised",
  record<AuthorisedOperation>("Operation that is due.", {
    id: hash,
    signed: signedOperation,
    authorisedBy: slotKeyText,
    sequence,
  }),
);

const key = anyText<string>("key");

/** Forms of the values of each part of a state. */
const PART_VALUES = {
  accounts: account,
  balances: integer("balance, below 0 for a fee that is owed"),
  tokens: token,
  listed: trueOnly,
  bridged: trueOnly,
  pools: amount,
  burned: amount,
  authorised,
};

/** Value of an entry of any part. */
export const stateEntry = defineForm(
  "StateEntry",
  variant<Account | bigint | Token | AuthorisedOperation | true>(
    [PART_VALUES.balances, trueOnly, authorised, token, account],
    (entry) => {
      if (typeof entry !== "object" || entry === null) return typeof entry === "boolean" ? 1 : 0;
      if ("signed" in entry) return 2;
      return "roles" in entry ? 3 : 4;
    },
  ),
);

export const statePart: Form<StatePart> = wordOf(...STATE_PARTS);

const policies = defineForm(
  "Policies",
  record<Policies>(
    "Policies of a network (specification 12).",
    Object.fromEntries(POLICY_NAMES.map((name) => [name, wordOf(...POLICY_CHOICES[name])])) as never,
  ),
);

type StateRecord = Omit<LedgerState, "authorisedKeys">;

const stateRecord = record<StateRecord>("State of a ledger: its parts are lists of [key, value].", {
  chainId: count(),
  operator: address,
  listLimit: count(),
  policies,
  epoch,
  opened: checkpointNumber,
  parameters,
  accounts: trie(key, PART_VALUES.accounts),
  balances: trie(key, PART_VALUES.balances),
  tokens: trie(key, PART_VALUES.tokens),
  listed: trie(key, PART_VALUES.listed),
  bridged: trie(key, PART_VALUES.bridged),
  pools: trie(key, PART_VALUES.pools),
  burned: trie(key, PART_VALUES.burned),
  authorised: trie(key, PART_VALUES.authorised),
});

export const ledgerState = defineForm("LedgerState", {
  ...stateRecord,
  write: ({ authorisedKeys: _derived, ...state }: LedgerState) => stateRecord.write(state),
  read: (json): LedgerState => withAuthorisedKeys(stateRecord.read(json)),
});

/** Returns the state with the keys of what is due by operation, which follow from the rest. */
function withAuthorisedKeys(state: StateRecord): LedgerState {
  return { ...state, authorisedKeys: Trie.of(state.authorised.entries().map(([at, { id }]) => [id, at] as const)) };
}

/** Change of one entry of a state: part, key, and the value or none. */
export type EntryChange = Readonly<{ part: StatePart; key: string; value: unknown }>;

/** A change of an entry of a state; `value` is null for an entry that goes. */
export const entryChange = defineForm("EntryChange", {
  schema: record("Change of an entry of a state; its value is null where it goes.", {
    part: statePart,
    key,
    value: nullable(stateEntry),
  }).schema,
  write: ({ part, key: at, value: entry }: EntryChange) => ({
    part,
    key: at,
    value: nullable(PART_VALUES[part] as Form<unknown>).write(entry),
  }),
  read: (json): EntryChange => {
    const { part, key: at, value: entry } = json as EntryChange;
    const form: Form<unknown> = PART_VALUES[statePart.read(part)];
    return { part, key: key.read(at), value: nullable(form).read(entry) };
  },
});

const genesisToken = defineForm(
  "GenesisToken",
  record<GenesisToken>("Token at the start.", {
    token: address,
    symbol: anyText(),
    name: anyText(),
    decimals: count(),
    masterAuthority: address,
    isPrivate: flag,
    isPaused: flag,
    clawbackEnabled: flag,
    roles: list(record("Holder of a role.", { role: wordOf(...ROLES), address, allowance: amount })),
    blacklist: list(address),
    whitelist: list(address),
  }),
);

export const genesis = defineForm(
  "Genesis",
  record<Genesis>("State before the first operation.", {
    chainId: count(),
    operator: address,
    listLimit: count(),
    policies,
    tokens: list(genesisToken),
    balances: list(record<GenesisBalance>("Balance at the start.", { address, token: address, amount })),
    fillers: optional(
      record<Fillers>("Accounts by number, each with the same balances.", {
        count: count(),
        balances: list(record("Balance of each.", { token: address, amount })),
      }),
    ),
    multisigs: optional(list(signerSet)),
    ...PARAMETERS,
  }),
);
