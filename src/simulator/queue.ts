/** Events that wait, in the order of (time, sequence number): a binary heap. Push and pop cost O(log n). */
export interface Entry<T> {
  readonly at: number;
  /** Unique: with the time it is the whole order. */
  readonly sequence: number;
  readonly item: T;
}

export class EventQueue<T> {
  /** The entry at `n` comes before those at `2n + 1` and `2n + 2`. */
  readonly #heap: Entry<T>[] = [];

  constructor(entries: Iterable<Entry<T>> = []) {
    for (const entry of entries) this.push(entry);
  }

  /** The entry that is next. */
  get first(): Entry<T> | undefined {
    return this.#heap[0];
  }

  push(entry: Entry<T>): void {
    this.#heap.push(entry);
    this.#siftUp(this.#heap.length - 1, entry);
  }

  /** Removes the entry that is next; nothing where none is left. */
  pop(): void {
    if (this.#heap.length > 0) this.#removeAt(0);
  }

  /** Removes this entry: O(n). @throws RangeError if it is not waiting. */
  remove(entry: Entry<T>): void {
    const at = this.#heap.indexOf(entry);
    if (at < 0) throw new RangeError(`queue: no entry ${entry.sequence}`);
    this.#removeAt(at);
  }

  /** Returns all entries, in order: O(n log n). */
  entries(): Entry<T>[] {
    return this.#heap.toSorted(compareEntries);
  }

  /** Returns the entries due by then, in order: O(k log k) for k of them. */
  dueEntries(at: number): Entry<T>[] {
    const heap = this.#heap;
    const due: Entry<T>[] = [];
    const places = [0];
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const entry = heap[place];
      // Nothing below an entry is due before it.
      if (entry === undefined || entry.at > at) continue;
      due.push(entry);
      places.push(2 * place + 2, 2 * place + 1);
    }
    return due.sort(compareEntries);
  }

  #removeAt(at: number): void {
    const heap = this.#heap;
    const last = heap.pop() as Entry<T>;
    if (at === heap.length) return;
    // The last entry takes the place; of another branch it may belong above it.
    this.#siftDown(at, last);
    if (heap[at] === last) this.#siftUp(at, last);
  }

  #siftUp(from: number, entry: Entry<T>): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Entry<T>;
      if (!isBefore(entry, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  #siftDown(from: number, entry: Entry<T>): void {
    const heap = this.#heap;
    const { length } = heap;
    let at = from;
    for (let below = 2 * at + 1; below < length; below = 2 * at + 1) {
      const right = below + 1;
      if (right < length && isBefore(heap[right] as Entry<T>, heap[below] as Entry<T>)) below = right;
      const child = heap[below] as Entry<T>;
      if (!isBefore(child, entry)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}

function compareEntries(a: Entry<unknown>, b: Entry<unknown>): number {
  return a.at - b.at || a.sequence - b.sequence;
}
