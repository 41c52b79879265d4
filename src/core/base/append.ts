/**
 * Returns a list with one more item. Short ones are written as literals: a spread and a push leave room for sixteen
 * further items, which immutable lists never take.
 */
export function append<T>(list: readonly T[], item: T): readonly T[] {
  const [first, second, third] = list as [T, T, T];
  switch (list.length) {
    case 0:
      return [item];
    case 1:
      return [first, item];
    case 2:
      return [first, second, item];
    case 3:
      return [first, second, third, item];
    default:
      return list.concat([item]);
  }
}
