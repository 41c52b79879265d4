/**
 * Binary form of a graph of plain data: records, lists, maps, sets, tables, tries and books of signatures. An object that
 * occurs several times is written once and is one object again when it is read, as are equal texts. Functions and other
 * classes have no form. The first byte of a value is its tag; numbers, lengths and references follow as varints.
 */
export const TAG = {
  undefined: 0,
  null: 1,
  true: 2,
  false: 3,
  /** A safe integer, zigzag. */
  integer: 4,
  /** Any other number: eight bytes. */
  float: 5,
  /** Its decimal text. */
  bigint: 6,
  /** Number of bytes, and these in UTF-8. */
  text: 7,
  /** Text of 0x and an even number of small hexadecimal digits: number of bytes, and these. */
  hex: 8,
  /** Number of a text that was written before. */
  sameText: 9,
  /** Number of an object that was written before. */
  same: 10,
  list: 11,
  map: 12,
  set: 13,
  /** Number of a shape that was written before, and the values of its members. */
  record: 14,
  /** Number of members, their names, and their values. */
  newShape: 15,
  /** Number of entries, in the order of their arrival. */
  table: 16,
  /** Number of entries, and the root if there are any. */
  trie: 17,
  leaf: 18,
  branch: 19,
  /** Slot, epoch, rounds and statements by signer. */
  book: 20,
} as const;

/** Names of the members of records, in their order: a tree with one edge for each next name. */
export interface Shape {
  readonly names: readonly string[];
  /** Order of its first use; `undefined` if no record has had it yet. */
  number: number | undefined;
  readonly longer: Map<string, Shape>;
}

export function emptyShape(): Shape {
  return { names: [], number: undefined, longer: new Map() };
}

/** Returns the shape of a record, a new one if no record had its members in this order. */
export function shapeOf(root: Shape, record: object): Shape {
  let shape = root;
  for (const name in record) {
    let longer = shape.longer.get(name);
    if (longer === undefined) {
      longer = { names: [...shape.names, name], number: undefined, longer: new Map() };
      shape.longer.set(name, longer);
    }
    shape = longer;
  }
  return shape;
}
