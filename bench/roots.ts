/** Cost of the state root after one change, by the number of accounts. */
import type { Amount } from "../src/core/base/amount.ts";
import type { Address, CheckpointNumber, Epoch } from "../src/core/base/ids.ts";
import { Trie } from "../src/core/base/trie.ts";
import { keccak } from "../src/core/crypto/hash.ts";
import { stateRoot } from "../src/core/ledger/roots.ts";
import { balanceKey, type LedgerState } from "../src/core/ledger/state.ts";
import { costOf, line, measure, type Question, title } from "./support/measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const TOKEN = `0x${"11".repeat(20)}` as Address;
const HASH = "keccak of 100 bytes";

function addressAt(number: number): Address {
  return `0x${keccak(new TextEncoder().encode(`account ${number}`)).slice(26)}` as Address;
}

function stateOf(accounts: number): LedgerState {
  const zero = { payment: 0n as Amount, cancellation: 0n as Amount, recovery: 0n as Amount };
  const balances = Array.from(
    { length: accounts },
    (_, at) => [balanceKey(addressAt(at), TOKEN), 1_000n as Amount] as const,
  );
  return {
    chainId: 1,
    operator: TOKEN,
    listLimit: 64,
    openTokens: false,
    epoch: 0 as Epoch,
    opened: 0 as CheckpointNumber,
    parameters: {
      validators: [],
      fees: { default: zero, tokens: new Map() },
      checkpoints: undefined,
      epochLength: undefined,
    },
    accounts: Trie.empty(),
    balances: Trie.of(balances),
    tokens: Trie.empty(),
    pools: Trie.empty(),
    burned: Trie.empty(),
    authorised: Trie.empty(),
    authorisedKeys: Trie.empty(),
  };
}

/** A payment's worth of change: two balances, then the root. The state goes on from change to change. */
function changing(accounts: number): Question {
  let state = stateOf(accounts);
  const keys = Array.from({ length: 512 }, (_, at) => balanceKey(addressAt((at * 7_919) % accounts), TOKEN));
  let turn = 0;
  const run = (): void => {
    turn++;
    const change = (balances: Trie<Amount>, at: number): Trie<Amount> => {
      const key = keys[at % keys.length] as string;
      return balances.set(key, ((balances.get(key) ?? 0n) + 1n) as Amount);
    };
    state = { ...state, balances: change(change(state.balances, turn), turn + 251) };
    stateRoot(state);
  };
  // The first root hashes everything.
  run();
  return { name: `${accounts} accounts`, run };
}

const costs = await measure(
  [{ name: HASH, run: () => void keccak(new Uint8Array(100)) }, ...SIZES.map(changing)],
  1_000,
);
title("The state root after two changed balances");
for (const size of SIZES)
  line(`${size.toLocaleString("en")} accounts`, costOf(costs, `${size} accounts`), costOf(costs, HASH), HASH);
