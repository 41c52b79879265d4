// What decided slots do to a state (specification 5, protocol 4.3). A result has receipts, or says what is missing
// (`wait`), or why the decision contradicts the ledger (`halt`).
import { listAction, MAX_AMOUNT, roleOf } from "./forms.mjs";
import { idOf, multisigAddress } from "./operations.mjs";
import { bridgedKey, debitedAccount, effectToken, plainView, spending, tokenCode } from "./rules.mjs";
import { sortHolders } from "./state.mjs";
import { slotKey } from "./values.mjs";

const pad = (number) => String(number).padStart(16, "0");

function receiptOf(id, slot, fields) {
  return { id, success: true, fee: "0", feeToken: null, error: null, slot: slotKey(slot), ...fields };
}

/** The key of a due operation (validator wire 2). */
export function dueKey(signed, sequence) {
  const token = effectToken(signed);
  const owner = token === null ? `account/${debitedAccount(signed)}` : `token/${token}`;
  return `${owner}/${signed.sender}/${pad(sequence)}`;
}

function putAccount(state, address, change) {
  state.put("accounts", address, { ...state.account(address), ...change });
}

function pay(state, { operation: o, sender }, spent) {
  state.debit(sender, o.token, spent.value + spent.fee);
  if (o.kind === "payment") state.credit(o.recipient, o.token, spent.value);
  else for (const leg of o.legs) state.credit(leg.recipient, o.token, BigInt(leg.amount));
  if (o.kind === "batch" && state.policies.batchFees === "operator") state.credit(state.operator, o.token, spent.fee);
  else state.addTo("pools", o.token, spent.fee);
}

function bridgeOut(state, { operation: o, sender }, spent) {
  state.debit(sender, o.token, spent.value + spent.fee);
  state.addTo("burned", o.token, spent.value);
  state.addTo("pools", o.token, spent.fee);
  putAccount(state, sender, { bridgeNonce: (state.account(sender).bridgeNonce ?? 0) + 1 });
}

function createMultisig(state, { operation: o }) {
  const signers = [...o.signers].sort((a, b) => (a.key < b.key ? -1 : 1));
  const set = { signers: signers.map(({ key, weight }) => ({ key, weight })), threshold: o.threshold };
  const address = multisigAddress(set);
  putAccount(state, address, { multisig: set });
}

/** Takes units from an account, by a burn or a clawback. */
function takeUnits(state, o, from) {
  state.debit(from, o.token, BigInt(o.value));
  if (o.kind === "burn") state.addTo("burned", o.token, BigInt(o.value));
  else state.credit(o.recipient, o.token, BigInt(o.value));
}

function authorise(state, slot, signed) {
  const entry = { id: idOf(signed), signed, authorisedBy: slotKey(slot), sequence: slot.sequence };
  state.put("authorised", dueKey(signed, slot.sequence), entry);
}

function isDue(signed) {
  return effectToken(signed) !== null || debitedAccount(signed) !== null;
}

function ownEffect(state, slot, signed) {
  const o = signed.operation;
  const spent = spending(state, signed);
  if (spent !== null && spent.value + spent.fee > MAX_AMOUNT) return { halt: "it spends more than 2^256 - 1" };
  if (spent !== null && state.balance(slot.address, spent.token) < spent.value + spent.fee) return { wait: "funds" };
  if (isDue(signed)) {
    authorise(state, slot, signed);
    return { receipts: [] };
  }
  if (o.kind === "payment" || o.kind === "batch") pay(state, signed, spent);
  else if (o.kind === "bridgeBurn") bridgeOut(state, signed, spent);
  else if (o.kind === "multisig") createMultisig(state, signed);
  else takeUnits(state, o, slot.address);
  const fee = spent !== null && o.kind !== "burn" && o.kind !== "clawback" ? spent : null;
  const fields = fee === null ? {} : { fee: String(fee.fee), feeToken: fee.token };
  if (o.kind === "bridgeBurn") fields.bridgeNonce = state.account(slot.address).bridgeNonce;
  return { receipts: [receiptOf(idOf(signed), slot, fields)] };
}

function applyOperation(state, slot, value, operations) {
  const signed = operations.find((s) => idOf(s) === value.id);
  const account = state.account(slot.address);
  if (signed === undefined) return { wait: "content" };
  if (signed.sender !== slot.address || signed.operation.nonce !== account.nonce) {
    return { halt: "an operation of another account or nonce" };
  }
  if (signed.operation.kind === "cancellation") return { halt: "a cancellation instead of a skip" };
  if (signed.operation.account && account.multisig === undefined) return { wait: "multisig" };
  const result = ownEffect(state, slot, signed);
  if (result.receipts) {
    const { nonce, sequence } = state.account(slot.address);
    putAccount(state, slot.address, { nonce: nonce + 1, sequence: sequence + 1 });
  }
  return result;
}

/** Due burns and clawbacks of an account: the oldest of each authority, by the authority's address (protocol 5). */
export function oldestBurns(state, address) {
  const oldest = new Map();
  for (const [key, entry] of state.due("account", address)) {
    const authority = entry.signed.sender;
    if (!oldest.has(authority)) oldest.set(authority, { key, ...entry });
  }
  return [...oldest.values()];
}

const FAILURES = { burn: "business_burn_unfunded", clawback: "business_clawback_unfunded" };

function applyBurn(state, slot, value) {
  const found = state.due("account", slot.address).find(([, entry]) => entry.id === value.id);
  if (found === undefined) return { wait: "authorisation" };
  const [key, { signed }] = found;
  const o = signed.operation;
  if (value.outcome === "burned") {
    if (state.balance(slot.address, o.token) < BigInt(o.value)) return { wait: "funds" };
    takeUnits(state, o, slot.address);
  }
  state.put("authorised", key, null);
  putAccount(state, slot.address, { sequence: state.account(slot.address).sequence + 1 });
  if (value.outcome === "burned") return { receipts: [receiptOf(value.id, slot, {})] };
  const code = value.outcome === "paused" ? "business_token_paused" : FAILURES[o.kind];
  return { receipts: [receiptOf(value.id, slot, { success: false, error: { code } })] };
}

function applySkip(state, slot, value, operations) {
  const account = state.account(slot.address);
  const wrong = operations.some((s) => s.sender !== slot.address || s.operation.nonce !== account.nonce);
  if (wrong) return { halt: "a skip of another account or nonce" };
  if (operations.some((s) => s.operation.account) && account.multisig === undefined) return { wait: "multisig" };
  putAccount(state, slot.address, { nonce: account.nonce + 1, sequence: account.sequence + 1 });
  const token = value.feeToken;
  if (token === null) return { receipts: [receiptOf(value.id, slot, {})] };
  const fee = BigInt(state.fees(token)[value.by]);
  state.charge(slot.address, token, fee);
  return { receipts: [receiptOf(value.id, slot, { fee: String(fee), feeToken: token })] };
}

function issueToken(state, token, { operation: o }) {
  const roles = Object.fromEntries(
    ["MasterMintBurn", "MintBurnTokens", "Pause", "ManageList", "UpdateMetadata", "Clawback", "Bridge"].map((r) => [
      r,
      [],
    ]),
  );
  state.put("tokens", token, {
    version: 0,
    symbol: o.symbol,
    name: o.name,
    uri: "",
    additional: [],
    decimals: o.decimals,
    masterAuthority: o.masterAuthority,
    isPrivate: o.isPrivate === true,
    isPaused: state.policies.issuedTokens === "paused",
    clawbackEnabled: o.clawbackEnabled !== false,
    minted: "0",
    roles,
  });
}

function grantedAllowance(state, o, role, before) {
  if (role !== "MintBurnTokens") return "0";
  if (o.authorityType === "Burn") return before === undefined ? null : before;
  const value = BigInt(o.value ?? "0");
  if (state.policies.allowances === "set") return String(value);
  const sum = BigInt(before ?? "0") + value;
  return String(sum > MAX_AMOUNT ? MAX_AMOUNT : sum);
}

function changeRole(state, o) {
  const role = roleOf(o.authorityType);
  const token = state.token(o.token);
  const holders = token.roles[role];
  const held = holders.find(([address]) => address === o.authorityAddress);
  let next = holders.filter(([address]) => address !== o.authorityAddress);
  if (o.action === "Grant") {
    const entry = [o.authorityAddress, grantedAllowance(state, o, role, held?.[1])];
    next = held === undefined ? [...holders, entry] : holders.map((h) => (h === held ? entry : h));
  }
  state.put("tokens", o.token, { ...token, roles: { ...token.roles, [role]: sortHolders(next) } });
}

function mintUnits(state, { operation: o, sender }) {
  const token = state.token(o.token);
  const value = BigInt(o.value);
  let { roles } = token;
  if (o.kind === "bridgeMint") state.put("bridged", bridgedKey(state, o), true);
  else if (token.masterAuthority !== sender) {
    const lower = ([address, allowance]) =>
      address === sender ? [address, String(BigInt(allowance) - value)] : [address, allowance];
    roles = { ...roles, MintBurnTokens: roles.MintBurnTokens.map(lower) };
  }
  state.put("tokens", o.token, { ...token, roles, minted: String(BigInt(token.minted) + value) });
  state.credit(o.recipient, o.token, value);
}

const TOKEN_EFFECTS = {
  mint: mintUnits,
  bridgeMint: mintUnits,
  authority: (state, { operation: o }) => changeRole(state, o),
  list: (state, { operation: o }) =>
    state.put("listed", `${o.token}/${o.address}`, listAction(o) === "add" ? true : null),
  pause: (state, { operation: o }) =>
    state.put("tokens", o.token, { ...state.token(o.token), isPaused: o.action === "Pause" }),
  metadata: (state, { operation: o }) => {
    const { name, uri } = o;
    state.put("tokens", o.token, { ...state.token(o.token), name, uri, additional: o.additional ?? [] });
  },
};

function execute(state, slot, signed) {
  const code = tokenCode(plainView(state), signed);
  if (code !== null) return receiptOf(idOf(signed), slot, { success: false, error: { code } });
  if (signed.operation.kind === "issue") issueToken(state, slot.token, signed);
  else TOKEN_EFFECTS[signed.operation.kind](state, signed);
  return receiptOf(idOf(signed), slot, {});
}

function applyList(state, slot, value) {
  const due = new Map(state.due("token", slot.token).map(([key, entry]) => [entry.id, { key, signed: entry.signed }]));
  if (new Set(value.ids).size !== value.ids.length) return { halt: "a list with an operation twice" };
  if (value.ids.some((id) => !due.has(id))) return { wait: "authorisation" };
  const receipts = [];
  for (const id of value.ids) {
    const { key, signed } = due.get(id);
    receipts.push(execute(state, slot, signed));
    state.put("authorised", key, null);
  }
  const token = state.token(slot.token);
  if (token === undefined) return { halt: "a list after which the token does not exist" };
  state.put("tokens", slot.token, { ...token, version: token.version + 1 });
  return { receipts };
}

/** The next number of a slot's sequence. */
export function nextNumber(state, slot) {
  return slot.kind === "account" ? state.account(slot.address).sequence : (state.token(slot.token)?.version ?? 0);
}

function applyValue(state, slot, value, operations) {
  if (slot.kind === "token") {
    return value.type === "list" ? applyList(state, slot, value) : { halt: "a value of another kind than the slot's" };
  }
  if (value.type === "operation") return applyOperation(state, slot, value, operations);
  if (value.type === "burn") return applyBurn(state, slot, value);
  if (value.type === "skip") return applySkip(state, slot, value, operations);
  return { halt: "a value of another kind than the slot's" };
}

/** Applies a decided slot to the state, or leaves the state as it is. */
export function applySlot(state, slot, value, operations) {
  if (nextNumber(state, slot) !== (slot.sequence ?? slot.version)) return { wait: "sequence" };
  const trial = state.fork();
  const result = applyValue(trial, slot, value, operations);
  if (result.receipts) {
    state.parts = trial.parts;
    state.changes.push(...trial.changes);
  }
  return result;
}

/** Shares the pools among the reward accounts of the committee that ends (specification 7.4, 11.3). */
export function sharePools(state) {
  const members = state.parameters.validators;
  for (const [token, amount] of [...state.poolEntries()]) {
    const share = BigInt(amount) / BigInt(members.length);
    if (share === 0n) continue;
    state.addTo("pools", token, -share * BigInt(members.length));
    for (const member of members) state.credit(member.reward, token, share);
  }
}
