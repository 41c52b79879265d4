// The rules of operations, for admission, votes and execution (specification 5, protocol 4.2).
import { keccak, utf8 } from "./bytes.mjs";
import { listAction, MAX_AMOUNT, roleOf } from "./forms.mjs";
import { issuedToken } from "./operations.mjs";

const ROLE_CAPS = {
  MasterMintBurn: 1,
  MintBurnTokens: 20,
  Pause: 5,
  ManageList: 5,
  UpdateMetadata: 5,
  Clawback: 5,
  Bridge: 5,
};

/** The account that an operation debits where it is not its signer's: a forced burn or clawback (specification 5.7, 5.14). */
export function debitedAccount(signed) {
  const o = signed.operation;
  if (o.kind === "burn" && o.recipient && o.recipient !== signed.sender) return o.recipient;
  if (o.kind === "clawback" && o.from !== signed.sender) return o.from;
  return null;
}

const TOKEN_KINDS = new Set(["issue", "mint", "bridgeMint", "metadata", "list", "authority", "pause"]);

/** The token in whose slot an operation takes effect, or null (protocol 4.1). */
export function effectToken(signed) {
  const o = signed.operation;
  if (!TOKEN_KINDS.has(o.kind)) return null;
  return o.kind === "issue" ? issuedToken(o.masterAuthority, o.symbol) : o.token;
}

/** The restriction that an operation is, or null (specification 5.13). */
export function restrictionOf(o, policies) {
  if (o.kind === "pause" && o.action === "Pause") return { kind: "pause" };
  if (o.kind === "list") {
    const action = listAction(o);
    if (o.list === "blacklist" && action === "add") return { kind: "blacklist", address: o.address };
    return o.list === "whitelist" && action === "remove" ? { kind: "whitelist", address: o.address } : null;
  }
  if (o.kind !== "authority") return null;
  const role = roleOf(o.authorityType);
  if (o.action === "Revoke") return { kind: "revoke", role, address: o.authorityAddress };
  if (role !== "MintBurnTokens" || o.authorityType === "Burn" || policies.allowances === "added") return null;
  return { kind: "allowance", address: o.authorityAddress, value: BigInt(o.value ?? "0") };
}

/** A state, judged as if restrictions were in force (protocol 4.2, barrier). */
export class View {
  constructor(state, restrictions) {
    this.state = state;
    this.restrictions = restrictions;
  }

  restrictsAny(token, test) {
    return this.restrictions(token).some(test);
  }

  isPaused(token) {
    return this.state.token(token).isPaused || this.restrictsAny(token, (r) => r.kind === "pause");
  }

  /** The code that bars an address from a token, or null (specification 6.4). */
  exclusion(token, address) {
    const listed = this.state.isListed(token, address);
    if (this.state.token(token).isPrivate) {
      const removed = this.restrictsAny(token, (r) => r.kind === "whitelist" && r.address === address);
      return listed && !removed ? null : "business_not_whitelisted";
    }
    const added = this.restrictsAny(token, (r) => r.kind === "blacklist" && r.address === address);
    return listed || added ? "business_blacklisted" : null;
  }

  holder(token, role, address) {
    if (this.restrictsAny(token, (r) => r.kind === "revoke" && r.role === role && r.address === address)) {
      return undefined;
    }
    return this.state.token(token).roles[role].find(([holder]) => holder === address);
  }

  mayAct(token, role, address) {
    return this.state.token(token).masterAuthority === address || this.holder(token, role, address) !== undefined;
  }

  allowance(token, address) {
    let allowance = BigInt(this.holder(token, "MintBurnTokens", address)?.[1] ?? "0");
    for (const r of this.restrictions(token)) {
      if (r.kind === "allowance" && r.address === address && r.value < allowance) allowance = r.value;
    }
    return allowance;
  }
}

const NONE = () => [];

/** A view of the state alone. */
export function plainView(state) {
  return new View(state, NONE);
}

const ROLE_OF_KIND = {
  mint: "MintBurnTokens",
  burn: "MintBurnTokens",
  clawback: "Clawback",
  bridgeMint: "Bridge",
  pause: "Pause",
  list: "ManageList",
  metadata: "UpdateMetadata",
};

/** Whether the signer may act so at all (specification 4.4). */
function roleCode(view, { operation: o, sender }) {
  if (o.kind === "issue") return sender === view.state.operator ? null : "business_missing_role";
  if (o.kind !== "authority")
    return view.mayAct(o.token, ROLE_OF_KIND[o.kind], sender) ? null : "business_missing_role";
  if (view.state.token(o.token).masterAuthority === sender) return null;
  const grants = roleOf(o.authorityType) === "MintBurnTokens" && view.holder(o.token, "MasterMintBurn", sender);
  return grants ? null : "business_missing_role";
}

/** What leaves the signer's own balance at once: value, fee and token; null for other operations (protocol 4.1). */
export function spending(state, signed) {
  const o = signed.operation;
  if (o.kind === "payment") return { token: o.token, value: BigInt(o.value), fee: BigInt(state.fees(o.token).payment) };
  if (o.kind === "batch") {
    const value = o.legs.reduce((sum, leg) => sum + BigInt(leg.amount), 0n);
    return { token: o.token, value, fee: BigInt(state.fees(o.token).payment) };
  }
  if (o.kind === "bridgeBurn") return { token: o.token, value: BigInt(o.value), fee: BigInt(o.escrowFee) };
  if ((o.kind === "burn" || o.kind === "clawback") && debitedAccount(signed) === null) {
    return { token: o.token, value: BigInt(o.value), fee: 0n };
  }
  return null;
}

function recipientsOf(o) {
  return o.kind === "batch" ? o.legs.map((leg) => leg.recipient) : [o.recipient];
}

function payCode(view, signed) {
  const { operation: o, sender } = signed;
  if (o.kind === "bridgeBurn" && o.sender !== sender) return "validation_sender";
  if (view.isPaused(o.token)) return "business_token_paused";
  const barred = view.exclusion(o.token, sender);
  if (barred !== null) return barred;
  if (o.kind !== "bridgeBurn") {
    for (const recipient of recipientsOf(o)) {
      const code = view.exclusion(o.token, recipient);
      if (code !== null) return code;
    }
  }
  const spent = spending(view.state, signed);
  return spent.value + spent.fee > MAX_AMOUNT ? "validation_amount" : null;
}

function burnCode(view, signed) {
  const { operation: o, sender } = signed;
  const role = roleCode(view, signed);
  if (role !== null) return role;
  if (view.isPaused(o.token)) return "business_token_paused";
  return view.state.policies.excludedBurners === "refused" ? view.exclusion(o.token, sender) : null;
}

function clawbackCode(view, signed) {
  const o = signed.operation;
  if (!view.state.token(o.token).clawbackEnabled) return "business_clawback_disabled";
  const role = roleCode(view, signed);
  if (role !== null) return role;
  if (view.isPaused(o.token)) return "business_token_paused";
  const barred = view.exclusion(o.token, o.recipient);
  if (barred !== null) return barred;
  const open = view.state.policies.clawbacks === "excluded" && view.exclusion(o.token, o.from) === null;
  return open ? "business_not_excluded" : null;
}

/** What a voter refuses of an account's operation, without nonce and funds (protocol 4.2). */
export function voteCode(view, signed) {
  const o = signed.operation;
  if (o.kind === "cancellation") return "validation_proposal";
  if (o.kind === "multisig") return null;
  if (o.kind === "issue") return roleCode(view, signed);
  if (view.state.token(o.token) === undefined) return "resource_token_not_found";
  if (o.kind === "payment" || o.kind === "batch" || o.kind === "bridgeBurn") return payCode(view, signed);
  if (o.kind === "burn") return burnCode(view, signed);
  if (o.kind === "clawback") return clawbackCode(view, signed);
  return roleCode(view, signed);
}

/** The name of a source transaction, as the policy compares it (specification 5.15, 12.1). */
export function bridgedKey(state, o) {
  let text = o.sourceTxHash.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  if (state.policies.deposits === "bytes") text = text.replace(/\s/g, "").replace(/^0x/, "");
  return `${o.token}/${o.sourceChainId}/${keccak(utf8(text))}`;
}

function mintCode(view, { operation: o, sender }) {
  const { state } = view;
  if (view.isPaused(o.token)) return "business_token_paused";
  const barred = view.exclusion(o.token, o.recipient);
  if (barred !== null) return barred;
  const signer = state.policies.excludedMinters === "refused" ? view.exclusion(o.token, sender) : null;
  if (signer !== null) return signer;
  const token = state.token(o.token);
  if (o.kind === "bridgeMint") {
    if (state.get("bridged", bridgedKey(state, o)) !== undefined) return "business_bridge_replayed";
  } else if (token.masterAuthority !== sender && view.allowance(o.token, sender) < BigInt(o.value)) {
    return "business_allowance_exceeded";
  }
  return BigInt(token.minted) + BigInt(o.value) > MAX_AMOUNT ? "business_amount_overflow" : null;
}

function authorityCode(view, { operation: o }) {
  const role = roleOf(o.authorityType);
  const held = view.holder(o.token, role, o.authorityAddress) !== undefined;
  if (o.action === "Revoke") return held ? null : "business_role_not_held";
  const full = view.state.token(o.token).roles[role].length >= ROLE_CAPS[role];
  const known = view.state.token(o.token).roles[role].some(([holder]) => holder === o.authorityAddress);
  return !known && full ? "business_role_full" : null;
}

function listCode(view, { operation: o }) {
  const isPrivate = view.state.token(o.token).isPrivate;
  if (isPrivate !== (o.list === "whitelist")) return "business_list_kind";
  const excluded = view.exclusion(o.token, o.address) !== null;
  const listed = isPrivate ? !excluded : excluded;
  return listed === (listAction(o) === "add") ? "business_list_state" : null;
}

function pauseCode(view, { operation: o }) {
  return view.isPaused(o.token) === (o.action === "Pause") ? "business_pause_state" : null;
}

const TOKEN_CODES = {
  mint: mintCode,
  bridgeMint: mintCode,
  authority: authorityCode,
  list: listCode,
  pause: pauseCode,
  metadata: () => null,
};

/** Every rule of a token operation, as its execution judges it (specification 5.12). */
export function tokenCode(view, signed) {
  const o = signed.operation;
  if (o.kind === "issue") {
    const role = roleCode(view, signed);
    if (role !== null) return role;
    return view.state.token(effectToken(signed)) === undefined ? null : "business_token_exists";
  }
  if (view.state.token(o.token) === undefined) return "resource_token_not_found";
  return roleCode(view, signed) ?? TOKEN_CODES[o.kind](view, signed);
}

/** What the entry validator refuses beside nonce and queue; the funds of a forced burn included (protocol 4.2). */
export function admissionCode(view, signed) {
  const code = effectToken(signed) === null ? voteCode(view, signed) : tokenCode(view, signed);
  if (code !== null) return code;
  const debited = debitedAccount(signed);
  if (debited === null) return null;
  const { token, value } = signed.operation;
  return view.state.balance(debited, token) < BigInt(value) ? "business_insufficient_funds" : null;
}

/** The fee token of a skip (protocol 4.4): of several operations, of the one with the lowest id that has one. */
export function skipFeeToken(state, operations) {
  for (const signed of operations) {
    const token = signed.operation.token;
    if (signed.operation.kind !== "issue" && token && state.token(token) !== undefined) return token;
  }
  return null;
}
