// The state of a ledger: eight parts as persistent tries, and its root (specification 10.4, 12).
import { H, raw } from "./bytes.mjs";
import { multisigAddress } from "./operations.mjs";
import { entries, fromEntries, get, hashOf, remove, set, withPrefix } from "./tries.mjs";
import { parametersItem } from "./values.mjs";

export const PARTS = ["accounts", "balances", "tokens", "listed", "bridged", "pools", "burned", "authorised"];
export const ROLES = [
  "MasterMintBurn",
  "MintBurnTokens",
  "Pause",
  "ManageList",
  "UpdateMetadata",
  "Clawback",
  "Bridge",
];

const POLICY_DEFAULTS = [
  ["excludedMinters", "allowed"],
  ["excludedBurners", "allowed"],
  ["clawbacks", "any"],
  ["allowances", "set"],
  ["batchFees", "pool"],
  ["deposits", "text"],
];

function smaller(a, b) {
  if (a < b) return a;
  return b;
}

const NEW_ACCOUNT = { nonce: 0, sequence: 0 };

function accountItem(account) {
  const item = [account.nonce, account.sequence];
  if (account.bridgeNonce) item.push(account.bridgeNonce);
  if (account.multisig) {
    const signers = account.multisig.signers.map((s) => [raw(s.key), s.weight]);
    item.push([account.multisig.threshold, ...signers]);
  }
  return item;
}

function holderItem([address, allowance]) {
  return allowance === null ? [raw(address)] : [raw(address), BigInt(allowance)];
}

/** Holders of a role stand by address. */
export function sortHolders(holders) {
  return [...holders].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

function tokenItem(t) {
  return [
    t.version,
    t.symbol,
    t.name,
    t.uri,
    t.additional.map(([key, value]) => [key, value]),
    t.decimals,
    raw(t.masterAuthority),
    t.isPrivate,
    t.isPaused,
    t.clawbackEnabled,
    BigInt(t.minted),
    ROLES.map((role) => t.roles[role].map(holderItem)),
  ];
}

/** A balance below 0 is a debt. */
function balanceItem(text) {
  return text.startsWith("-") ? [BigInt(text.slice(1))] : BigInt(text);
}

const ITEMS = {
  accounts: accountItem,
  balances: balanceItem,
  tokens: tokenItem,
  listed: (value) => value,
  bridged: (value) => value,
  pools: (text) => BigInt(text),
  burned: (text) => BigInt(text),
  authorised: (a) => [raw(a.id), a.authorisedBy, a.sequence],
};

export function itemOf(part) {
  return ITEMS[part];
}

export class State {
  constructor(fields, parts) {
    Object.assign(this, fields);
    this.parts = parts;
    this.changes = [];
  }

  /** A copy that changes by itself. */
  fork() {
    const { parts, changes: _, ...fields } = this;
    return new State(fields, { ...parts });
  }

  get(part, key) {
    return get(this.parts[part], key);
  }

  /** Sets an entry, or removes it where the value is null. */
  put(part, key, value) {
    this.parts[part] = value === null ? remove(this.parts[part], key) : set(this.parts[part], key, value);
    this.changes.push({ part, key, value });
  }

  account(address) {
    return this.get("accounts", address) ?? NEW_ACCOUNT;
  }

  balance(address, token) {
    return BigInt(this.get("balances", `${address}/${token}`) ?? "0");
  }

  token(token) {
    return this.get("tokens", token);
  }

  isListed(token, address) {
    return this.get("listed", `${token}/${address}`) === true;
  }

  putAmount(part, key, value) {
    this.put(part, key, value === 0n ? null : String(value));
  }

  addTo(part, key, value) {
    if (value !== 0n) this.putAmount(part, key, BigInt(this.get(part, key) ?? "0") + value);
  }

  /** A credit pays what the account owes first (specification 7.3). */
  credit(address, token, value) {
    if (value === 0n) return;
    const before = this.balance(address, token);
    if (before < 0n) this.addTo("pools", token, smaller(-before, value));
    this.putAmount("balances", `${address}/${token}`, before + value);
  }

  debit(address, token, value) {
    if (value !== 0n) this.putAmount("balances", `${address}/${token}`, this.balance(address, token) - value);
  }

  /** What a skip costs: the pool gets what the balance covers, the rest is owed. */
  charge(address, token, fee) {
    const before = this.balance(address, token);
    this.addTo("pools", token, smaller(fee, before > 0n ? before : 0n));
    this.debit(address, token, fee);
  }

  /** Due operations of a token or of a debited account, as [key, entry]. */
  due(kind, owner) {
    return withPrefix(this.parts.authorised, `${kind}/${owner}/`);
  }

  poolEntries() {
    return entries(this.parts.pools);
  }

  fees(token) {
    const own = this.parameters.fees.tokens.find(([address]) => address === token);
    return own === undefined ? this.parameters.fees.default : own[1];
  }

  partRoots() {
    return PARTS.map((part) => hashOf(this.parts[part], ITEMS[part]));
  }

  headerHash() {
    const changed = POLICY_DEFAULTS.filter(([name, choice]) => this.policies[name] !== choice);
    const policies = changed.map(([name]) => [name, this.policies[name]]);
    return [
      "header",
      this.chainId,
      raw(this.operator),
      this.listLimit,
      this.policies.issuedTokens === "open",
      ...(policies.length > 0 ? [policies] : []),
      this.epoch,
      this.opened,
      parametersItem(this.parameters),
    ];
  }

  root() {
    return rootOf(this, this.partRoots());
  }

  toJson() {
    const { chainId, operator, listLimit, policies, epoch, opened, parameters } = this;
    const parts = Object.fromEntries(PARTS.map((part) => [part, [...entries(this.parts[part])]]));
    return { chainId, operator, listLimit, policies, epoch, opened, parameters, ...parts };
  }
}

/** The state root from the roots of the parts (specification 10.4). */
export function rootOf(state, roots) {
  const header = H(...state.headerHash());
  return H(
    "state",
    raw(header),
    PARTS.map((part, i) => [part, raw(roots[i])]),
  );
}

export function stateFromJson(json) {
  const { chainId, operator, listLimit, policies, epoch, opened, parameters } = json;
  const parts = Object.fromEntries(PARTS.map((part) => [part, fromEntries(json[part])]));
  return new State({ chainId, operator, listLimit, policies, epoch, opened, parameters }, parts);
}

export function fillerAddress(n) {
  const digits = n.toString(16).padStart(8, "0");
  return `0x${[...digits].reverse().join("")}${"0".repeat(32)}`;
}

function genesisToken(t) {
  const holders = (role) => sortHolders(t.roles.filter((r) => r.role === role).map((r) => [r.address, r.allowance]));
  return {
    version: 0,
    symbol: t.symbol,
    name: t.name,
    uri: "",
    additional: [],
    decimals: t.decimals,
    masterAuthority: t.masterAuthority,
    isPrivate: t.isPrivate,
    isPaused: t.isPaused,
    clawbackEnabled: t.clawbackEnabled,
    minted: "0",
    roles: Object.fromEntries(ROLES.map((role) => [role, holders(role)])),
  };
}

function genesisBalances(g) {
  const balances = g.balances.map((b) => [b.address, b.token, b.amount]);
  for (let n = 1; n <= (g.fillers?.count ?? 0); n++) {
    for (const b of g.fillers.balances) balances.push([fillerAddress(n), b.token, b.amount]);
  }
  return balances.filter(([, , amount]) => amount !== "0");
}

/** The state before the first operation (specification 12). */
export function genesisState(g) {
  const { chainId, operator, listLimit, policies, validators, fees, checkpoints, epochLength } = g;
  const parameters = { validators, fees, checkpoints, epochLength };
  const parts = Object.fromEntries(PARTS.map((part) => [part, null]));
  const state = new State({ chainId, operator, listLimit, policies, epoch: 0, opened: 0, parameters }, parts);
  const minted = new Map();
  for (const [address, token, amount] of genesisBalances(g)) {
    state.put("balances", `${address}/${token}`, amount);
    minted.set(token, (minted.get(token) ?? 0n) + BigInt(amount));
  }
  for (const t of g.tokens) {
    state.put("tokens", t.token, { ...genesisToken(t), minted: String(minted.get(t.token) ?? 0n) });
    for (const address of t.isPrivate ? t.whitelist : t.blacklist) state.put("listed", `${t.token}/${address}`, true);
  }
  for (const multisig of g.multisigs ?? []) {
    state.put("accounts", multisigAddress(multisig), { ...NEW_ACCOUNT, multisig });
  }
  state.changes = [];
  return state;
}
