/** Volatile state of a variant's validator beside its real state: copied by forks, lost in a crash. */
export interface VariantState<T> {
  of(state: object): T | undefined;
  keep(state: object, value: T): void;
}

/** Returns storage with one value for each state. */
export function createVariantState<T>(name: string): VariantState<T> {
  // A member of the state itself, so that copies of the state copy it.
  const key = Symbol(name);
  return {
    of: (state) => (state as { readonly [key]?: T })[key],
    keep: (state, value) => void Object.assign(state, { [key]: value }),
  };
}
