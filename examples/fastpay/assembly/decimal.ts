/** Amounts: whole numbers from 0 without an upper bound, as decimal digits without leading zeros. */

const ZERO: i32 = 0x30;

/** Returns digits without leading zeros. */
export function amountOf(digits: string): string {
  let from = 0;
  while (from < digits.length - 1 && digits.charCodeAt(from) == ZERO) from++;
  return digits.substring(from);
}

export function isLess(left: string, right: string): bool {
  return left.length == right.length ? left < right : left.length < right.length;
}

export function add(left: string, right: string): string {
  const size = max(left.length, right.length) + 1;
  let carry = 0;
  const digits = new Array<string>(size);
  for (let place = 0; place < size; place++) {
    const sum = digitAt(left, place) + digitAt(right, place) + carry;
    carry = sum / 10;
    digits[size - 1 - place] = (sum % 10).toString();
  }
  return amountOf(digits.join(""));
}

/** Returns the difference of an amount and a smaller or equal one. */
export function subtract(left: string, right: string): string {
  if (isLess(left, right)) throw new Error(`${left} is less than ${right}`);
  const size = left.length;
  let borrowed = 0;
  const digits = new Array<string>(size);
  for (let place = 0; place < size; place++) {
    const difference = digitAt(left, place) - digitAt(right, place) - borrowed;
    borrowed = difference < 0 ? 1 : 0;
    digits[size - 1 - place] = (difference + 10 * borrowed).toString();
  }
  return amountOf(digits.join(""));
}

/** Returns the digit at a place counted from the right, 0 beyond the first one. */
function digitAt(amount: string, place: i32): i32 {
  return place < amount.length ? amount.charCodeAt(amount.length - 1 - place) - ZERO : 0;
}
