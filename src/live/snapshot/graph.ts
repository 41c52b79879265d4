/** Writer of a graph of plain data in slices, so that others run in between, and reader of its bytes. */
import { AssertionError, assert } from "../../core/base/assert.ts";
import { Table } from "../../core/base/table.ts";
import { type Branch, isLeaf, type Leaf, Trie, type TrieNode } from "../../core/base/trie.ts";
import { SlotBook } from "../../invariants/history/slot-signatures.ts";
import { Mix } from "../../simulator/random.ts";
import { ByteReader, ByteWriter, isHex, ObjectNumbers, type RecordShape, shapeOf, TAG } from "./format.ts";

/** Bytes of a slice: about a millisecond of work. */
const SLICE_BYTES = 4_096;

export class GraphWriter {
  readonly #out = new ByteWriter();
  readonly #objects = new ObjectNumbers();
  readonly #texts = new Map<string, number>();
  readonly #root: RecordShape = { names: [], number: undefined, longer: new Map() };
  readonly #shapes: (readonly string[])[] = [];

  /** `sharedObjects`: objects that a reader has too. They and all objects that they reach are written as references. */
  constructor(sharedObjects: readonly object[]) {
    for (const object of sharedObjects) for (const _bytes of this.write(object));
  }

  /** Objects, texts and shapes that a reader must know before it reads. */
  get numbering() {
    return { objects: this.#objects.all(), texts: [...this.#texts.keys()], shapes: [...this.#shapes] };
  }

  /** Yields the bytes of a value, some at a time. The value must not change meanwhile. @throws AssertionError for a function. */
  *write(value: unknown): Generator<Uint8Array> {
    const open: Parts[] = [partsOf([value])];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const next = last.parts.next();
      if (next.done === true) open.pop();
      else {
        const parts = last.areNodes ? this.#node(next.value as TrieNode<unknown>) : this.#value(next.value);
        if (parts !== undefined) open.push(parts);
        if (this.#out.length >= SLICE_BYTES) yield this.#out.take();
      }
    }
    yield this.#out.take();
  }

  /** Writes a scalar or a reference, or the beginning of a container: then it returns the parts, which come next. */
  #value(value: unknown): Parts | undefined {
    if (typeof value !== "object" || value === null) this.#scalar(value);
    else if (!this.#isKnown(value)) return this.#begin(value);
    return undefined;
  }

  #scalar(value: unknown): void {
    const out = this.#out;
    if (typeof value === "string") this.#text(value);
    else if (typeof value === "number") this.#number(value);
    else if (value === undefined) out.byte(TAG.undefined);
    else if (value === null) out.byte(TAG.null);
    else if (typeof value === "boolean") out.byte(value ? TAG.true : TAG.false);
    else if (typeof value === "bigint") {
      out.byte(TAG.bigint);
      out.text(String(value));
    } else throw new AssertionError(`snapshot: expected plain data, got a ${typeof value}: ${String(value)}`);
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value) && Math.abs(value) < 2 ** 51 && !Object.is(value, -0)) {
      this.#out.byte(TAG.integer);
      this.#out.natural(value < 0 ? -2 * value - 1 : 2 * value);
    } else {
      this.#out.byte(TAG.float);
      this.#out.float(value);
    }
  }

  #text(value: string): void {
    const textNumber = this.#texts.get(value);
    if (textNumber !== undefined) {
      this.#out.byte(TAG.sameText);
      this.#out.natural(textNumber);
      return;
    }
    this.#texts.set(value, this.#texts.size);
    if (isHex(value)) {
      this.#out.byte(TAG.hex);
      this.#out.hex(value);
    } else {
      this.#out.byte(TAG.text);
      this.#out.text(value);
    }
  }

  /** Writes a reference to an object that was written before. */
  #isKnown(value: object): boolean {
    const objectNumber = this.#objects.numberOf(value);
    if (objectNumber === undefined) return false;
    this.#out.byte(TAG.same);
    this.#out.natural(objectNumber);
    return true;
  }

  /**
   * Writes the beginning of a container, and returns its parts in their order. Of a running hash the lanes count, which
   * no other object changes. @throws AssertionError for other classes.
   */
  #begin(value: object): Parts {
    if (Array.isArray(value)) return this.#container(TAG.list, value.length, value);
    if (value instanceof Map) return this.#container(TAG.map, value.size, pairs(value));
    if (value instanceof Table) return this.#container(TAG.table, value.size, pairs(value.inOrderOfArrival()));
    if (value instanceof Set) return this.#container(TAG.set, value.size, value);
    if (value instanceof Trie)
      return this.#container(TAG.trie, value.size, value.root === undefined ? [] : [value.root], true);
    if (value instanceof SlotBook) {
      this.#out.byte(TAG.book);
      return partsOf([value.slot, value.epoch, value.rounds, value.bySigner]);
    }
    if (Object.getPrototypeOf(value) === Object.prototype || value instanceof Mix) return this.#record(value);
    throw new AssertionError(`snapshot: expected plain data, got an object of ${value.constructor.name}`);
  }

  #container(tag: number, size: number, parts: Iterable<unknown>, areNodes = false): Parts {
    this.#out.byte(tag);
    this.#out.natural(size);
    return partsOf(parts, areNodes);
  }

  #record(value: object): Parts {
    const shape = shapeOf(this.#root, value);
    if (shape.number === undefined) {
      shape.number = this.#shapes.length;
      this.#shapes.push(shape.names);
      this.#out.byte(TAG.newShape);
      this.#out.natural(shape.names.length);
      for (const name of shape.names) this.#out.text(name);
    } else {
      this.#out.byte(TAG.record);
      this.#out.natural(shape.number);
    }
    return partsOf(Object.values(value));
  }

  /** Writes the beginning of a node of a trie. Memos of nodes are left out: they are made again. */
  #node(node: TrieNode<unknown>): Parts | undefined {
    if (this.#isKnown(node)) return undefined;
    if (isLeaf(node)) {
      this.#out.byte(TAG.leaf);
      this.#text(node.key);
      return this.#value(node.value);
    }
    this.#out.byte(TAG.branch);
    this.#out.natural(node.bit);
    return partsOf([node.left, node.right], true);
  }
}

/** Parts of a container that are still to be written: values, or nodes of a trie. */
interface Parts {
  readonly parts: Iterator<unknown>;
  readonly areNodes: boolean;
}

function partsOf(parts: Iterable<unknown>, areNodes = false): Parts {
  return { parts: parts[Symbol.iterator](), areNodes };
}

function* pairs(entries: Iterable<readonly [unknown, unknown]>): Iterable<unknown> {
  for (const [key, value] of entries) {
    yield key;
    yield value;
  }
}

/**
 * Returns the value that was written with these shared objects. O(bytes).
 * @throws AssertionError for bytes that no writer wrote: the caller compares their digest first
 */
export function readGraph(bytes: Uint8Array, sharedObjects: readonly object[]): unknown {
  return new GraphReader(bytes, new GraphWriter(sharedObjects).numbering).readWhole();
}

class GraphReader {
  readonly #in: ByteReader;
  readonly #objects: object[];
  readonly #texts: string[];
  readonly #shapes: (readonly string[])[];

  constructor(bytes: Uint8Array, { objects, texts, shapes }: GraphWriter["numbering"]) {
    this.#in = new ByteReader(bytes);
    this.#objects = objects;
    this.#texts = texts;
    this.#shapes = shapes;
  }

  readWhole(): unknown {
    const value = this.#value();
    assert(this.#in.isAtEnd, "snapshot: bytes are left after its end");
    return value;
  }

  #value(): unknown {
    const tag = this.#in.byte();
    switch (tag) {
      case TAG.undefined:
        return undefined;
      case TAG.null:
        return null;
      case TAG.true:
        return true;
      case TAG.false:
        return false;
      case TAG.integer:
        return this.#integer();
      case TAG.float:
        return this.#in.float();
      case TAG.bigint:
        return BigInt(this.#in.text());
      case TAG.text:
        return this.#newText(this.#in.text());
      case TAG.hex:
        return this.#newText(this.#in.hex());
      case TAG.sameText:
        return this.#texts[this.#in.natural()];
      default:
        return this.#object(tag);
    }
  }

  #object(tag: number): object {
    if (tag === TAG.same) return this.#knownObject(this.#in.natural());
    const number = this.#objects.length;
    // Parts come between the beginning of an object and its end, and take the numbers after its own.
    this.#objects.push(PENDING);
    const made = this.#makeObject(tag);
    this.#objects[number] = made;
    return made;
  }

  #knownObject(number: number): object {
    const object = this.#objects[number];
    assert(object !== undefined && object !== PENDING, "snapshot: an object contains itself");
    return object;
  }

  #makeObject(tag: number): object {
    switch (tag) {
      case TAG.list:
        return this.#list(this.#in.natural());
      case TAG.map:
        return new Map(this.#entries());
      case TAG.set:
        return new Set(this.#list(this.#in.natural()));
      case TAG.table:
        return new Table(this.#entries() as [string, unknown][]);
      case TAG.record:
        return this.#record(this.#shapes[this.#in.natural()] as readonly string[]);
      case TAG.newShape:
        return this.#record(this.#newShape());
      case TAG.trie:
        return this.#trie();
      case TAG.leaf:
        return this.#leaf();
      case TAG.branch:
        return this.#branch();
      case TAG.book:
        return this.#book();
      default:
        throw new AssertionError(`snapshot: no value begins with ${tag}`);
    }
  }

  #integer(): number {
    const zigzag = this.#in.natural();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  #newText(text: string): string {
    this.#texts.push(text);
    return text;
  }

  #list(length: number): unknown[] {
    const list: unknown[] = [];
    for (let index = 0; index < length; index++) list.push(this.#value());
    return list;
  }

  #entries(): [unknown, unknown][] {
    const size = this.#in.natural();
    const entries: [unknown, unknown][] = [];
    for (let index = 0; index < size; index++) entries.push([this.#value(), this.#value()]);
    return entries;
  }

  #newShape(): readonly string[] {
    const count = this.#in.natural();
    const names: string[] = [];
    for (let index = 0; index < count; index++) names.push(this.#in.text());
    this.#shapes.push(names);
    return names;
  }

  #record(names: readonly string[]): object {
    // An assignment would take the name __proto__ for the prototype.
    return Object.fromEntries(names.map((name) => [name, this.#value()]));
  }

  #trie(): Trie<unknown> {
    const size = this.#in.natural();
    return size === 0 ? Trie.empty() : Trie.from(this.#node(), size);
  }

  #node(): TrieNode<unknown> {
    return this.#object(this.#in.byte()) as TrieNode<unknown>;
  }

  #leaf(): Leaf<unknown> {
    const key = this.#value() as string;
    return { bit: -1, key, value: this.#value(), memo: undefined };
  }

  #branch(): Branch<unknown> {
    const bit = this.#in.natural();
    const left = this.#node();
    return { bit, left, right: this.#node(), memo: undefined };
  }

  #book(): SlotBook {
    const book = new SlotBook(this.#value() as SlotBook["slot"], this.#value() as SlotBook["epoch"]);
    book.rounds = this.#value() as SlotBook["rounds"];
    book.bySigner = this.#value() as SlotBook["bySigner"];
    return book;
  }
}

const PENDING: object = {};
