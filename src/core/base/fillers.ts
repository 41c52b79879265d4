/** Balances of a genesis, among them accounts by number: a state is large then, and its description is not. */
import type { Amount } from "./amount.ts";
import type { Genesis } from "./epoch.ts";
import type { Address } from "./ids.ts";
import { Trie } from "./trie.ts";

/** Largest number of filler accounts of a genesis. */
export const FILLERS_MAX = 2_000_000;

const DIGITS = 8;
const TAIL = "0".repeat(32);

/**
 * Returns the address of a filler account, from number 1 on: its number in eight hexadecimal digits, the last digit
 * first, then zeros. So any count of them spreads evenly over the addresses. Nobody has its key.
 */
export function fillerAddress(number: number): Address {
  return addressOfDigits(reverseDigits(number));
}

/** Returns what a genesis gives an address by its number: 0 if it is no filler account. */
export function fillerAmount({ fillers }: Pick<Genesis, "fillers">, token: Address, address: Address): bigint {
  if (fillers === undefined || !address.endsWith(TAIL)) return 0n;
  const number = reverseDigits(Number.parseInt(address.slice(2, -TAIL.length), 16));
  if (number === 0 || number > fillers.count) return 0n;
  return fillers.balances.find((balance) => balance.token === token)?.amount ?? 0n;
}

/** Returns the balances of a genesis above zero, by address, a slash and token. O(balances). */
export function openingBalances({ balances, fillers }: Genesis): Trie<Amount> {
  const numbers = Uint32Array.from({ length: fillers?.count ?? 0 }, (_, at) => reverseDigits(at + 1)).sort();
  const rows = [...(fillers?.balances ?? [])]
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.token < b.token ? -1 : 1));
  // They ascend, so that the trie is built at once.
  const entries = Array.from(numbers, addressOfDigits).flatMap((address) =>
    rows.map(({ token, amount }) => [`${address}/${token}`, amount] as const),
  );
  return balances.reduce(
    (trie, { address, token, amount }) => (amount > 0n ? trie.set(`${address}/${token}`, amount) : trie),
    Trie.of(entries),
  );
}

/** Returns the sum of a genesis's balances by token. */
export function openingSums({ balances, fillers }: Genesis): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  const count = (token: Address, amount: bigint): void => void sums.set(token, (sums.get(token) ?? 0n) + amount);
  for (const { token, amount } of balances) count(token, amount);
  for (const { token, amount } of fillers?.balances ?? []) count(token, amount * BigInt(fillers?.count ?? 0));
  return sums;
}

function addressOfDigits(digits: number): Address {
  return `0x${digits.toString(16).padStart(DIGITS, "0")}${TAIL}` as Address;
}

/** Returns a number of eight hexadecimal digits with these in the other order. */
function reverseDigits(number: number): number {
  let [remaining, digits] = [number, 0];
  for (let at = 0; at < DIGITS; at++) {
    digits = digits * 16 + (remaining % 16);
    remaining = Math.floor(remaining / 16);
  }
  return digits;
}
