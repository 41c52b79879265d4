/** Variants that create, lose or round money, or accept wrong nonces (bugs D; specification 5.15, 5.16). */
import { AMOUNT_MAX, type Amount, add, ZERO } from "../core/base/amount.ts";
import type { Address, Nonce } from "../core/base/ids.ts";
import { isRecovery, type SignedOperation } from "../core/base/operation.ts";
import type { Refusal } from "../core/base/refusal.ts";
import { Trie } from "../core/base/trie.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { credit, withdrawPool } from "../core/ledger/balances.ts";
import { executeOne } from "../core/ledger/execute.ts";
import { accountOf, balanceKey, balanceOf, type LedgerState, tokenOf, withToken } from "../core/ledger/state.ts";
import { grantRole } from "../core/ledger/token.ts";
import type { DecisionView } from "../core/validator/decision-inputs.ts";
import { isSettled } from "../core/validator/slot-position.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { Input } from "../core/validator/step.ts";
import {
  alterStateAfterApply,
  ignoreRefusal,
  paymentOf,
  replaceApply,
  replaceExecute,
  replaceJudged,
} from "./altered-rules.ts";
import { type RulesChange, replaceRules, replaceStep, type VariantTable } from "./known-bad-variant.ts";

/** Largest signed 64-bit integer. */
const NARROW_MAX = 2n ** 63n - 1n;

/** Largest exponent of two up to which every integer is a double. */
const DOUBLE_BITS = 53;

const ignoreOverflow = ignoreRefusal(
  "business_amount_overflow",
  // A mint that overflows its recipient's own balance is still refused.
  (policy, { operation }, balance) =>
    operation.kind === "mint" && add(balance, operation.value) !== undefined
      ? { ...policy, minted: (AMOUNT_MAX - operation.value) as Amount }
      : policy,
  (after, before, { operation }) =>
    operation.kind === "mint"
      ? { ...after, minted: ((before.minted + operation.value) % (AMOUNT_MAX + 1n)) as Amount }
      : after,
);

/** Accepts each submission as if every earlier nonce had been used. */
const acceptingGaps = replaceStep((real, state, input) => {
  if (input.type !== "submit" || isRecovery(input.submission)) return real.step(state, input);
  const { sender } = input.submission;
  const before = accountOf(state.ledger, sender);
  state.ledger = withNonceUsed(state.ledger, input.submission);
  const outputs = real.step(state, input);
  state.ledger = { ...state.ledger, accounts: state.ledger.accounts.set(sender, before) };
  return outputs;
});

/** Judges each operation as if every earlier nonce had been used. */
const anyNonceJudged = replaceJudged(withNonceUsed);

/** Nonces of two bits, few enough for a run to exhaust. */
const NONCES = 4;

export const BALANCES_AND_NONCES: VariantTable = {
  "allowance-checked-once": {
    mistake: "an allowance is checked when a mint is submitted, not in the token's order: two mints share it",
    source: "bugs D19; protocol 4.1",
    caughtBy: ["authority", "validity"],
    rules: ignoreRefusal(
      "business_allowance_exceeded",
      (policy, { operation, sender }) =>
        operation.kind === "mint" ? grantRole(policy, sender, "MintBurnTokens", operation.value) : policy,
      (after, _before, { sender }) => grantRole(after, sender, "MintBurnTokens", ZERO),
    ),
  },
  "zero-amounts": {
    mistake: "a payment, mint or burn of amount 0 is accepted",
    source: "bugs D15",
    caughtBy: ["validity"],
    rules: ignoreFormRefusal("validation_amount"),
  },
  "any-chain": {
    mistake: "the chain id of an operation is not checked: operations of another network can be replayed",
    source: "bugs F9",
    caughtBy: ["validity"],
    rules: ignoreFormRefusal("validation_chain_id"),
  },
  "credited-twice": {
    mistake: "the payee is credited for each delivery of a payment's certificate: a duplicate pays twice",
    source: "bugs D5",
    caughtBy: ["conservation", "validity", "convergence", "checkpoints", "accounts"],
    program: replaceStep((real, state, input) => {
      const duplicates = certificatesIn(input).filter(({ slot }) => isSettled(state, slot));
      const outputs = real.step(state, input);
      for (const certificate of duplicates) payAgain(state, certificate);
      return outputs;
    }),
  },
  "half-minted": {
    mistake: "a mint raises the supply before it is checked: a failed one leaves it raised",
    source: "bugs D9",
    caughtBy: ["conservation", "validity"],
    rules: replaceExecute((state, token, { signed: { operation } }, real) => {
      const executed = real(state);
      const policy = tokenOf(executed.state, token);
      if (executed.receipt.success || operation.kind !== "mint" || policy === undefined) return executed;
      const minted = add(policy.minted, operation.value) ?? policy.minted;
      return { ...executed, state: withToken(executed.state, token, { ...policy, minted }) };
    }),
  },
  "saturating-credit": {
    mistake: "balances saturate at 2^63 - 1: the excess of a payment is lost",
    source: "bugs D7",
    caughtBy: ["conservation", "validity"],
    rules: alterPayeeBalances((amount) => (amount > NARROW_MAX ? NARROW_MAX : amount)),
  },
  "rounded-balances": {
    mistake: "balances are floating-point numbers: above 2^53 the last units are rounded",
    source: "bugs D16",
    caughtBy: ["conservation", "validity"],
    rules: alterPayeeBalances(roundToDouble),
  },
  "self-transfer-mint": {
    mistake:
      "a payment reads both balances before it writes either: an account that pays itself keeps the amount and receives it as well",
    source: "bugs D6",
    caughtBy: ["conservation", "validity"],
    rules: alterStateAfterApply((after, _before, decided) => {
      const payment = paymentOf(decided);
      if (payment === undefined || payment.sender !== payment.recipient) return after;
      return credit(after, payment.sender, payment.token, payment.value as Amount);
    }),
  },
  "unfinal-credit": {
    mistake: "a voter counts the credit of a payment once it has voted for it, before it is final",
    source: "bugs D18; protocol 4.2",
    caughtBy: ["validity", "liveness"],
    rules: replaceRules("validator", (real) => ({
      checkContent: (state, at, slot, content, round) => {
        const verdict = real.checkContent(state, at, slot, content, round);
        if (verdict.answer !== "wait" || verdict.missing.code !== "business_insufficient_funds") return verdict;
        const [signed] = content.operations;
        const isComing = signed !== undefined && expectsPayment(state, signed.sender, verdict.missing.token);
        return isComing ? { answer: "accept" } : verdict;
      },
    })),
  },
  "wrapping-supply": {
    mistake: "the minted total wraps around at 2^256, and no mint is refused",
    source: "bugs D8",
    caughtBy: ["conservation", "validity", "authority", "accounts"],
    rules: (real) => {
      const { ledger, ...rest } = ignoreOverflow(real);
      const checkAuthority: typeof ledger.checkAuthority = (...judged) => {
        const refusal = ledger.checkAuthority(...judged);
        return refusal?.code === "business_amount_overflow" ? undefined : refusal;
      };
      return {
        ...rest,
        ledger: {
          ...ledger,
          check: (state, barrier, signed, rules) => ledger.check(state, barrier, signed, { ...rules, checkAuthority }),
        },
      };
    },
  },
  "bridge-mint-replayed": {
    mistake:
      "a source transaction is looked for when its mint is asked for, not in the token's order: two mints share it",
    source: "specification 5.15; protocol 4.1",
    caughtBy: ["authority", "validity"],
    rules: replaceExecute((state, _token, _entry, real) => {
      const refused = real(state);
      if (refused.receipt.error?.code !== "business_bridge_replayed") return refused;
      const executed = real({ ...state, bridged: Trie.empty() });
      return executed.receipt.success ? { ...executed, state: { ...executed.state, bridged: state.bridged } } : refused;
    }),
  },
  "escrow-lost": {
    mistake: "a burn and bridge debits value and escrow fee, and counts the value as burned: the escrow fee is gone",
    source: "specification 5.16; protocol 7.3",
    caughtBy: ["conservation", "validity", "fees"],
    rules: alterStateAfterApply((after, _before, { value, operation: signed }) => {
      if (value.type !== "operation" || signed?.operation.kind !== "bridgeBurn") return after;
      return withdrawPool(after, signed.operation.token, signed.operation.escrowFee);
    }),
  },
  "failed-keeps-nonce": {
    mistake: "an operation that fails in its token's order leaves its nonce unused: the same bytes may run again",
    source: "bugs D2",
    caughtBy: ["accounts", "validity"],
    rules: replaceExecute((state, _token, { signed: { sender } }, real) => {
      const executed = real(state);
      if (executed.receipt.success) return executed;
      const { accounts } = executed.state;
      const account = accountOf(executed.state, sender);
      const back = { ...account, nonce: (account.nonce - 1) as Nonce };
      return { ...executed, state: { ...executed.state, accounts: accounts.set(sender, back) } };
    }),
  },
  "list-ends-early": {
    mistake: "the first failed operation ends a list: earlier ones stay applied, later ones fail with its code",
    source: "bugs D9; protocol 4.1",
    caughtBy: ["validity"],
    rules: replaceApply((_before, _decided, real) => {
      let failed: Refusal | undefined;
      return real({
        executeOne: (state, token, entry, slot, rules) => {
          const executed = executeOne(state, token, entry, slot, rules);
          if (failed !== undefined) return { state, receipt: { ...executed.receipt, success: false, error: failed } };
          failed = executed.receipt.error;
          return executed;
        },
      });
    }),
  },
  "nonce-gap": {
    mistake: "a nonce must be higher than the last one, not the next: k + 2 is decided before k + 1, which is lost",
    source: "bugs D1",
    caughtBy: ["accounts", "validity"],
    rules: (real) =>
      replaceRules("ledger", ({ apply }) => ({
        apply: (state, slot, value, operation, parts) => {
          const from = operation === undefined || value.type !== "operation" ? state : withNonceUsed(state, operation);
          return apply(from, slot, value, operation, parts);
        },
      }))(anyNonceJudged(real)),
    program: acceptingGaps,
  },
  "nonce-wraps": {
    mistake: "nonce 0 follows the largest one, here 3: operations signed for it may be executed again",
    source: "bugs D4",
    caughtBy: ["accounts", "validity"],
    rules: alterStateAfterApply((after, _before, { slot }) => {
      if (slot.kind !== "account") return after;
      const account = accountOf(after, slot.address);
      if (account.nonce < NONCES) return after;
      const nonce = (account.nonce % NONCES) as Nonce;
      return { ...after, accounts: after.accounts.set(slot.address, { ...account, nonce }) };
    }),
  },
  /** Nonce checked at the application only, which is too late: a decision is irreversible. */
  "unread-nonce": {
    mistake:
      "voters accept any nonce after the last one: the decision contradicts every ledger, and all validators halt",
    source: "bugs D1; protocol 3.1; 12",
    caughtBy: ["agreement", "convergence", "validity"],
    rules: anyNonceJudged,
    program: acceptingGaps,
  },
};

/** Ignores refusals with this code. */
function ignoreFormRefusal(code: Refusal["code"]): RulesChange {
  return replaceRules("ledger", (real) => ({
    wellFormed: (operation, chainId) => {
      const fault = real.wellFormed(operation, code === "validation_chain_id" ? operation.chainId : chainId);
      return fault?.code === code ? undefined : fault;
    },
  }));
}

function certificatesIn(input: Input): readonly FinalityCertificate[] {
  if (input.type !== "message" || input.message.type !== "consensus") return [];
  const { body } = input.message;
  return body.type === "finality" ? [body] : [];
}

function payAgain(state: ValidatorState, { value }: FinalityCertificate): void {
  const signed = state.slots.contents.get(value)?.operations[0];
  if (signed?.operation.kind !== "payment") return;
  const { recipient, token, value: amount } = signed.operation;
  state.ledger = credit(state.ledger, recipient, token, amount);
}

/** Stores payees' balances in another form. */
function alterPayeeBalances(kept: (amount: bigint) => bigint): RulesChange {
  return alterStateAfterApply((after, _before, decided) => {
    const payment = paymentOf(decided);
    if (payment === undefined) return after;
    const { recipient, token } = payment;
    const is = balanceOf(after, recipient, token);
    const narrow = kept(is);
    if (narrow === is) return after;
    return { ...after, balances: after.balances.set(balanceKey(recipient, token), narrow as Amount) };
  });
}

/** Rounds down to the nearest double. */
function roundToDouble(amount: bigint): bigint {
  const more = BigInt(Math.max(0, amount.toString(2).length - DOUBLE_BITS));
  return (amount >> more) << more;
}

/** Returns true if a payment to the account is known here and not applied. */
function expectsPayment(state: DecisionView, account: Address, token: Address): boolean {
  return [...(state as ValidatorState).mempool.pending.values()].some(({ submission }) => {
    if (isRecovery(submission)) return false;
    const { operation } = submission;
    return operation.kind === "payment" && operation.recipient === account && operation.token === token;
  });
}

/** Returns the state as if every earlier nonce had been used. */
function withNonceUsed(state: LedgerState, { sender, operation: { nonce } }: SignedOperation): LedgerState {
  const account = accountOf(state, sender);
  if (nonce <= account.nonce) return state;
  return { ...state, accounts: state.accounts.set(sender, { ...account, nonce }) };
}
