/**
 * Roots of a chain link, computed from the reference ledger (specification 10.4). Shares no code with the roots of the judged
 * ledger, so that an entry that those omit or encode differently gives another root.
 */
import { unreachable } from "../../../core/base/assert.ts";
import { bool, encode, fromHex, hex, type Item, optional, text, uint } from "../../../core/base/encoding.ts";
import type { EpochParameters, FeeEntry, Genesis } from "../../../core/base/epoch.ts";
import { openingBalances } from "../../../core/base/fillers.ts";
import type { Address, Hash } from "../../../core/base/ids.ts";
import { MemoTable } from "../../../core/base/memo-table.ts";
import type { Mutable } from "../../../core/base/mutable.ts";
import { ROLES, type SignerSet } from "../../../core/base/operation.ts";
import { type LedgerSlot, paddedNumber, type SlotKey, slotKey, slotNumber } from "../../../core/base/slot.ts";
import { isLeaf, Trie, type TrieNode } from "../../../core/base/trie.ts";
import { keccak, taggedHash } from "../../../core/crypto/hash.ts";
import { listRoot } from "../../../core/crypto/merkle-list.ts";
import type { ModelReceipt } from "../../reference/ledger.ts";
import { debitedAccount, isForcedDebit, tokenOf } from "../../reference/operation-meaning.ts";
import type { Policy } from "../../reference/policy.ts";
import { type Counters, countersOf, type LedgerState } from "../../reference/state.ts";

interface IssuedToken {
  readonly version: number;
  readonly policy: Policy;
}

/** Operation that waits for its effect, and the slot that authorised it. */
interface PendingEffect {
  readonly id: Hash;
  readonly slot: LedgerSlot;
}

/** Entries of the parts of a state by key. Unchanged subtrees keep their hashes. */
export interface StateParts {
  readonly accounts: Trie<Counters>;
  readonly balances: Trie<bigint>;
  readonly tokens: Trie<IssuedToken>;
  /** Addresses on the list of a token: black for a public one, white for a private one. */
  readonly listed: Trie<true>;
  /** Source transactions that were minted, by token, chain and hash. */
  readonly bridged: Trie<true>;
  readonly pools: Trie<bigint>;
  readonly burned: Trie<bigint>;
  readonly authorised: Trie<PendingEffect>;
  /** Key in `authorised` by operation id. */
  readonly keys: Trie<string>;
}

/** Returns the parts of the genesis state, in which no operation waits for its effect. */
export function partsOf({ accounts, genesis, tokens }: LedgerState): StateParts {
  const issued = [...tokens].flatMap(([token, { version, policy }]) =>
    policy === undefined ? [] : [[token, { version, policy }] as const],
  );
  const listed = issued.flatMap(([token, { policy }]) =>
    listOf(policy)
      .entries()
      .map(([address]) => [`${token}/${address}`, true] as const),
  );
  return {
    accounts: Trie.of(accounts),
    balances: balancesAt(genesis),
    tokens: Trie.of(issued),
    listed: Trie.of(listed),
    bridged: Trie.empty(),
    pools: Trie.empty(),
    burned: Trie.empty(),
    authorised: Trie.empty(),
    keys: Trie.empty(),
  };
}

const openings = new WeakMap<Genesis, StateParts["balances"]>();

/** Returns the balances of a genesis, in the same trie each time; the judged ledger has a trie of its own. */
export function balancesAt(genesis: Genesis): StateParts["balances"] {
  const balances = openings.get(genesis) ?? openingBalances(genesis);
  openings.set(genesis, balances);
  return balances;
}

/** Returns the parts after the ledger's last decision. `slot` is `undefined` at the end of an epoch. */
export function partsAfter(before: StateParts, ledger: LedgerState, slot: LedgerSlot | undefined): StateParts {
  const parts: Mutable<StateParts> = { ...before };
  for (const move of ledger.moves)
    switch (move.of) {
      case "balance":
        parts.balances = withAmount(parts.balances, `${move.address}/${move.token}`, move.after);
        break;
      case "account":
        parts.accounts = parts.accounts.set(move.address, countersOf(ledger, move.address));
        break;
      case "token": {
        const { version, policy } = move.state;
        if (policy === undefined) break;
        const earlierPolicy = parts.tokens.get(move.token)?.policy;
        parts.tokens = parts.tokens.set(move.token, { version, policy });
        for (const { key, after } of (earlierPolicy ? listOf(earlierPolicy) : NOBODY).differences(listOf(policy))) {
          const entry = `${move.token}/${key}`;
          parts.listed = after === undefined ? parts.listed.delete(entry) : parts.listed.set(entry, true);
        }
        for (const { key } of (earlierPolicy?.minted ?? NOBODY).differences(policy.minted))
          parts.bridged = parts.bridged.set(`${move.token}/${sourceOf(key)}`, true);
        break;
      }
      case "pool":
        parts.pools = withAmount(parts.pools, move.token, move.after);
        break;
      case "burned":
        parts.burned = withAmount(parts.burned, move.token, move.after);
        break;
      case "authorised": {
        const { id } = move;
        const earlierKey = parts.keys.get(id);
        if (earlierKey !== undefined) parts.authorised = parts.authorised.delete(earlierKey);
        parts.keys = parts.keys.delete(id);
        const signed = ledger.due.get(id);
        if (!move.present || signed === undefined || slot === undefined) break;
        const { operation, sender } = signed;
        const place = isForcedDebit(signed)
          ? `account/${debitedAccount(operation, sender)}`
          : `token/${tokenOf(operation) ?? ""}`;
        const key = `${place}/${sender}/${paddedNumber(slotNumber(slot))}`;
        parts.authorised = parts.authorised.set(key, { id, slot });
        parts.keys = parts.keys.set(id, key);
        break;
      }
      default:
        unreachable(move);
    }
  return parts;
}

/** Amounts of zero have no entry. */
function withAmount(amounts: Trie<bigint>, key: string, amount: bigint): Trie<bigint> {
  return amount === 0n ? amounts.delete(key) : amounts.set(key, amount);
}

const NOBODY: Trie<true> = Trie.empty();

function listOf({ isPrivate, whitelist, blacklist }: Policy): Trie<true> {
  return isPrivate ? whitelist : blacklist;
}

/** Returns chain and hash of a source transaction. */
function sourceOf(minted: string): string {
  const [chain = "", transaction = ""] = minted.split(" ");
  return `${chain}/${keccak(new TextEncoder().encode(decodeURIComponent(transaction)))}`;
}

/** Choices that the root does not cover (specification 12.1). */
const DEFAULTS: Omit<Genesis["policies"], "issuedTokens"> = {
  excludedMinters: "allowed",
  excludedBurners: "allowed",
  clawbacks: "any",
  allowances: "set",
  batchFees: "pool",
  deposits: "text",
};

/** Returns the state root. O(entries that changed since the last root). */
export function stateRootOf(parts: StateParts, { epoch, genesis }: LedgerState): Hash {
  const { chainId, operator, listLimit, policies } = genesis;
  const { issuedTokens, ...rootPolicies } = policies;
  const changedPolicies = Object.entries(rootPolicies).filter(
    ([name, choice]) => choice !== DEFAULTS[name as keyof typeof rootPolicies],
  );
  const fixed = [
    ...[uint(chainId), hex(operator), uint(listLimit), bool(issuedTokens === "open")],
    ...(changedPolicies.length === 0 ? [] : [changedPolicies.map((words) => words.map(text))]),
  ];
  const header = taggedHash(
    "header",
    ...fixed,
    uint(epoch.number),
    uint(epoch.opened),
    parametersItem(epoch.parameters),
  );
  return taggedHash(
    "state",
    hex(header),
    partRootsOf(parts).map(([name, root]) => [text(name), hex(root)]),
  );
}

type PartRoots = readonly (readonly [name: string, root: Hash])[];

/** Returns the name and the root of each part that the state root covers, in its order. */
export function partRootsOf({ accounts, balances, tokens, listed, bridged, ...parts }: StateParts): PartRoots {
  return [
    ["accounts", rootOf(accounts, accountItem)],
    ["balances", rootOf(balances, (balance) => (balance < 0n ? [uint(-balance)] : uint(balance)))],
    ["tokens", rootOf(tokens, tokenItem)],
    ["listed", rootOf(listed, bool)],
    ["bridged", rootOf(bridged, bool)],
    ["pools", rootOf(parts.pools, uint)],
    ["burned", rootOf(parts.burned, uint)],
    ["authorised", rootOf(parts.authorised, ({ id, slot }) => [hex(id), text(slotKey(slot)), uint(slotNumber(slot))])],
  ];
}

/**
 * Returns the names of the parts whose roots at a node differ from these; `header` if all parts agree, since the state root
 * covers nothing else.
 */
export function differingParts(parts: StateParts, nodeRoots: readonly Hash[]): readonly string[] {
  const differing = partRootsOf(parts).flatMap(([name, root], at) => (nodeRoots[at] === root ? [] : [name]));
  return differing.length === 0 ? ["header"] : differing;
}

function rootOf<V>({ root }: Trie<V>, item: (value: V) => Item): Hash {
  return root === undefined ? taggedHash("empty") : nodeHash(root, item);
}

function nodeHash<V>(node: TrieNode<V>, item: (value: V) => Item): Hash {
  node.memo ??= isLeaf(node)
    ? taggedHash("leaf", text(node.key), encode(item(node.value)))
    : taggedHash("node", uint(node.bit), fromHex(nodeHash(node.left, item)), fromHex(nodeHash(node.right, item)));
  return node.memo as Hash;
}

function accountItem({ nonce, sequence, bridgeNonce = 0, multisig }: Counters): Item {
  const optionalItems = [
    ...(bridgeNonce === 0 ? [] : [uint(bridgeNonce)]),
    ...(multisig === undefined ? [] : [signerSetItem(multisig)]),
  ];
  return [uint(nonce), uint(sequence), ...optionalItems];
}

function signerSetItem({ signers, threshold }: SignerSet): Item {
  const ascending = [...signers].sort((a, b) => (a.key < b.key ? -1 : 1));
  return [uint(threshold), ...ascending.map(({ key, weight }) => [hex(key), uint(weight)])];
}

function tokenItem({ version, policy }: IssuedToken): Item {
  return [
    uint(version),
    ...[policy.symbol, policy.name, policy.uri].map(text),
    policy.additional.map(([key, value]) => [text(key), text(value)]),
    uint(policy.decimals),
    hex(policy.master),
    ...[policy.isPrivate, policy.isPaused, policy.hasClawback].map(bool),
    uint(policy.everMinted),
    ROLES.map((role) =>
      policy.roles.entriesWithPrefix(`${role}/`).map(([key, allowance]) => {
        const left = role === "MintBurnTokens" ? allowance : 0n;
        return [hex(key.slice(role.length + 1)), ...(left === null ? [] : [uint(left)])];
      }),
    ),
  ];
}

const parametersItems = new MemoTable<EpochParameters, Item>(32);

function parametersItem(parameters: EpochParameters): Item {
  return parametersItems.getOrCompute(parameters, ({ validators, fees, checkpoints, epochLength }) => [
    validators.map(({ key, reward }) => [hex(key), hex(reward)]),
    [
      feeItem(fees.default),
      [...fees.tokens].sort(([a], [b]) => (a < b ? -1 : 1)).map(([token, entry]) => [hex(token), feeItem(entry)]),
    ],
    optional(checkpoints, ({ intervalMs, slots, limit, periodSeconds, empty }) => [
      ...[intervalMs, slots, limit, periodSeconds].map(uint),
      bool(empty),
    ]),
    optional(epochLength, uint),
  ]);
}

function feeItem({ payment, cancellation, recovery }: FeeEntry): Item {
  return [payment, cancellation, recovery].map(uint);
}

/** Receipt that the reference ledger expects, and its error code. */
export type CodedReceipt = Pick<ModelReceipt, "id" | "success" | "fee" | "feeToken"> & {
  readonly code: string | undefined;
  readonly slot: SlotKey;
};

/** Returns the root of the receipts of a link, in the order of its effects. */
export function receiptsRootOf(receipts: readonly CodedReceipt[]): Hash {
  const items = receipts.map(({ id, success, fee, feeToken, code, slot }) => [
    ...[hex(id), bool(success), uint(fee), optional(feeToken, (token: Address) => hex(token))],
    ...[optional(code, text), text(slot)],
  ]);
  return listRoot(items.map(encode));
}
