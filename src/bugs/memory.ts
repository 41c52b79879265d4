/** What a variant's validator remembers beside its state: it goes along with every fork, and is lost in a crash. */
export interface Memory<T> {
  of(state: object): T | undefined;
  keep(state: object, value: T): void;
}

/** A memory of its own for each state. */
export function createMemory<T>(name: string): Memory<T> {
  // A member of the state itself: copies of the state copy it.
  const key = Symbol(name);
  return {
    of: (state) => (state as { readonly [key]?: T })[key],
    keep: (state, value) => void Object.assign(state, { [key]: value }),
  };
}
