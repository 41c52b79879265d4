/** What must have been signed before something can be delivered: alternatives, each a set of sayings. */

/** Sorted numbers of sayings, without those that hold whenever another one holds. */
export type Need = readonly (readonly number[])[];

export const ALWAYS: Need = [[]];
export const NEVER: Need = [];

/** Either of these. */
export function anyOf(needs: readonly Need[]): Need {
  return smallest(needs.flat());
}

/** All of these. */
export function allOf(needs: readonly Need[]): Need {
  return needs.reduce(
    (joined, need) =>
      smallest(joined.flatMap((one) => need.map((other) => [...new Set([...one, ...other])].sort((a, b) => a - b)))),
    ALWAYS,
  );
}

/** At least `count` of these sayings. */
export function manyOf(sayings: readonly number[], count: number): Need {
  return count <= 0 ? ALWAYS : choose(sayings, count).map((one) => [...one].sort((a, b) => a - b));
}

/** All subsets of a size, in the order of the list. */
export function choose<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return list.flatMap((first, place) => choose(list.slice(place + 1), size - 1).map((rest) => [first, ...rest]));
}

function smallest(alternatives: Need): Need {
  const sorted = [...alternatives].sort((a, b) => a.length - b.length);
  const kept: (readonly number[])[] = [];
  for (const one of sorted) {
    if (!kept.some((smaller) => smaller.every((saying) => one.includes(saying)))) kept.push(one);
  }
  return kept;
}

/** A need as numbers: of each alternative how many words it asks for, then each word's place and bits. */
export type Masks = Int32Array;

export function masksOf(need: Need): Masks {
  const flat: number[] = [];
  for (const alternative of need) {
    const words = new Map<number, number>();
    for (const saying of alternative) words.set(saying >>> 5, (words.get(saying >>> 5) ?? 0) | (1 << (saying & 31)));
    flat.push(words.size);
    for (const [place, bits] of words) flat.push(place, bits);
  }
  return Int32Array.from(flat);
}

/** Whether what is signed, as words of bits, is enough. */
export function isMet(masks: Masks, signed: Int32Array): boolean {
  for (let at = 0; at < masks.length; ) {
    const end = at + 1 + 2 * (masks[at] as number);
    let isThere = true;
    for (let word = at + 1; word < end; word += 2) {
      const bits = masks[word + 1] as number;
      if (((signed[masks[word] as number] as number) & bits) !== bits) {
        isThere = false;
        break;
      }
    }
    if (isThere) return true;
    at = end;
  }
  return false;
}
