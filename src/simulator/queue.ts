/**
 * Persistent priority queue: a leftist heap ordered by (time, sequence number). Old versions stay valid, so a world
 * forks by keeping the root. Push and pop cost O(log n), also in recursion depth.
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

/** Returns the queue with one more entry. (time, sequence) must be unique: it is the whole order. */
export function push<T>(queue: Queue<T>, entry: Entry<T>): Heap<T> {
  return merge(queue, { entry, rank: 1, left: undefined, right: undefined }) as Heap<T>;
}

/** Returns the queue without its first entry, which is `queue.entry`. */
export function pop<T>(queue: Heap<T>): Queue<T> {
  return merge(queue.left, queue.right);
}

/** Returns all entries, in order: O(n log n). */
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

/** Returns the entries due by then, in order: O(n log n) in the number of those found. */
export function upTo<T>(queue: Queue<T>, at: number): Entry<T>[] {
  const found: Entry<T>[] = [];
  const open: Queue<T>[] = [queue];
  while (open.length > 0) {
    const heap = open.pop();
    if (heap === undefined || heap.entry.at > at) continue;
    found.push(heap.entry);
    open.push(heap.left, heap.right);
  }
  return found.sort((a, b) => a.at - b.at || a.sequence - b.sequence);
}

/**
 * Returns the queue without this entry: O(n) in the number of those before it. @throws RangeError if it is not in it.
 */
export function without<T>(queue: Queue<T>, entry: Entry<T>): Queue<T> {
  const open: HeapPath<T>[] = queue === undefined ? [] : [{ heap: queue, above: undefined }];
  while (open.length > 0) {
    const path = open.pop() as HeapPath<T>;
    const { entry: here, left, right } = path.heap;
    if (here === entry) return rebuilt(path);
    for (const heap of [left, right])
      if (heap !== undefined && !isBefore(entry, heap.entry)) open.push({ heap, above: path });
  }
  throw new RangeError(`queue: no entry ${entry.sequence}`);
}

/** Returns the queue of these entries: O(n log n). */
export function queueOf<T>(entries: Iterable<Entry<T>>): Queue<T> {
  let queue: Queue<T>;
  for (const entry of entries) queue = push(queue, entry);
  return queue;
}

/** Path from a heap up to the root of its queue. */
interface HeapPath<T> {
  readonly heap: Heap<T>;
  readonly above: HeapPath<T> | undefined;
}

/** Rebuilds the whole queue without the root of the heap at the end of the path. */
function rebuilt<T>({ heap, above }: HeapPath<T>): Queue<T> {
  let old = heap;
  let made = pop(heap);
  for (let path = above; path !== undefined; path = path.above) {
    const { entry, left, right } = path.heap;
    made = joined(entry, left === old ? right : left, made);
    old = path.heap;
  }
  return made;
}

function merge<T>(a: Queue<T>, b: Queue<T>): Queue<T> {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const isFirst = isBefore(a.entry, b.entry);
  const top = isFirst ? a : b;
  return joined(top.entry, top.left, merge(top.right, isFirst ? b : a));
}

/** Joins one entry above two queues: the one with the longer right spine goes to the left. */
function joined<T>(entry: Entry<T>, side: Queue<T>, other: Queue<T>): Heap<T> {
  const [sideRank, otherRank] = [side?.rank ?? 0, other?.rank ?? 0];
  return sideRank >= otherRank
    ? { entry, rank: otherRank + 1, left: side, right: other }
    : { entry, rank: sideRank + 1, left: other, right: side };
}

function isBefore<T>(a: Entry<T>, b: Entry<T>): boolean {
  return a.at < b.at || (a.at === b.at && a.sequence < b.sequence);
}
