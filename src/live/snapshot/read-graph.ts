/** Reader of a graph that a `GraphWriter` wrote. */
import { AssertionError, assert } from "../../core/base/assert.ts";
import { Table } from "../../core/base/table.ts";
import { type Branch, type Leaf, Trie, type TrieNode } from "../../core/base/trie.ts";
import { SlotBook } from "../../invariants/history/slot-signatures.ts";
import { ByteReader, TAG } from "./format.ts";
import { GraphWriter, type Numbering } from "./write-graph.ts";

/**
 * Returns the value that was written with these known objects. O(bytes).
 * @throws AssertionError for bytes that no writer wrote: the caller compares their digest first
 */
export function readGraph(bytes: Uint8Array, known: readonly object[]): unknown {
  return new GraphReader(bytes, new GraphWriter(known).numbering).readWhole();
}

class GraphReader {
  readonly #in: ByteReader;
  readonly #objects: object[];
  readonly #texts: string[];
  readonly #shapes: (readonly string[])[];

  constructor(bytes: Uint8Array, { objects, texts, shapes }: Numbering) {
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
    const known = this.#objects[number];
    assert(known !== undefined && known !== PENDING, "snapshot: an object contains itself");
    return known;
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
    const record: Record<string, unknown> = {};
    for (const name of names) record[name] = this.#value();
    return record;
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
