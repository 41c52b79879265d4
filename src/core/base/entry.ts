/** Map by value or by identity. */
interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns the entry of a key; makes and adds it where there is none. */
export function entryOf<K, V extends {}>(map: Entries<K, V>, key: K, make: (key: K) => V): V {
  const entry = map.get(key);
  if (entry !== undefined) return entry;
  const newValue = make(key);
  map.set(key, newValue);
  return newValue;
}
