/** Binary search. */

/** Returns the first place in ascending numbers whose number is at least the wanted one. */
export function lowerBound(numbers: ArrayLike<number>, wanted: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
