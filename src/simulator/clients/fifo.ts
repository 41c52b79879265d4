/** Persistent FIFO queue: two lists, amortised O(1). Old versions stay valid. */
interface Cell<T> {
  readonly item: T;
  readonly rest: Cell<T> | undefined;
}

export interface Fifo<T> {
  readonly size: number;
  readonly front: Cell<T> | undefined;
  readonly back: Cell<T> | undefined;
}

export const EMPTY_FIFO: Fifo<never> = { size: 0, front: undefined, back: undefined };

export function enqueue<T>(fifo: Fifo<T>, item: T): Fifo<T> {
  return { size: fifo.size + 1, front: fifo.front, back: { item, rest: fifo.back } };
}

/** Returns the first item and the rest, or `undefined` if empty. */
export function dequeue<T>(fifo: Fifo<T>): { readonly item: T; readonly rest: Fifo<T> } | undefined {
  const { size } = fifo;
  if (fifo.front !== undefined) {
    return { item: fifo.front.item, rest: { size: size - 1, front: fifo.front.rest, back: fifo.back } };
  }
  let front: Cell<T> | undefined;
  for (let cell = fifo.back; cell !== undefined; cell = cell.rest) front = { item: cell.item, rest: front };
  return front && { item: front.item, rest: { size: size - 1, front: front.rest, back: undefined } };
}
