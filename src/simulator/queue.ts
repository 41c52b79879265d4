/**
 * A persistent priority queue: a leftist heap ordered by (time, sequence number). Old versions stay valid, so a world
 * forks by keeping the root. Push and pop cost O(log n) and never recurse deeper than that.
 */
export interface Entry<T> {
  readonly at: number;
  readonly sequence: number;
  readonly item: T;
}

/** `undefined` is the empty queue. */
export type Queue<T> = Heap<T> | undefined;

export interface Heap<T> {
  readonly entry: Entry<T>;
  /** Length of the right spine, at most log2(n + 1). */
  readonly rank: number;
  readonly left: Queue<T>;
  readonly right: Queue<T>;
}

/** The queue with one more entry. (time, sequence) must be unique: it is the whole order. */
export function push<T>(queue: Queue<T>, entry: Entry<T>): Heap<T> {
  return merge(queue, { entry, rank: 1, left: undefined, right: undefined }) as Heap<T>;
}

/** The queue without its first entry, which is `queue.entry`. */
export function pop<T>(queue: Heap<T>): Queue<T> {
  return merge(queue.left, queue.right);
}

/** All entries, in order: O(n log n). */
export function entriesOf<T>(queue: Queue<T>): Entry<T>[] {
  const found: Entry<T>[] = [];
  const open: Queue<T>[] = [queue];
  while (open.length > 0) {
    const heap = open.pop();
    if (heap === undefined) continue;
    found.push(heap.entry);
    open.push(heap.left, heap.right);
  }
  return found.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
}

/** The queue of these entries: O(n log n). */
export function queueOf<T>(entries: Iterable<Entry<T>>): Queue<T> {
  let queue: Queue<T>;
  for (const entry of entries) queue = push(queue, entry);
  return queue;
}

function merge<T>(a: Queue<T>, b: Queue<T>): Queue<T> {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const isFirst = a.entry.at < b.entry.at || (a.entry.at === b.entry.at && a.entry.sequence < b.entry.sequence);
  const top = isFirst ? a : b;
  const side = top.left;
  const merged = merge(top.right, isFirst ? b : a) as Heap<T>;
  const isLeftist = side !== undefined && side.rank >= merged.rank;
  return isLeftist
    ? { entry: top.entry, rank: merged.rank + 1, left: side, right: merged }
    : { entry: top.entry, rank: (side?.rank ?? 0) + 1, left: merged, right: side };
}
