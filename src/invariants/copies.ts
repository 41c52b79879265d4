/** Copies of maps, for captures of states that change in place. */

/** Returns a map with a copy of each entry. */
export function copyOfMap<K, V>(map: ReadonlyMap<K, V>, copy: (entry: V) => V): Map<K, V> {
  const copied = new Map<K, V>();
  for (const [key, entry] of map) copied.set(key, copy(entry));
  return copied;
}

/** Returns a copy of a map of maps. */
export function copyOfMaps<K, L, V>(maps: ReadonlyMap<K, ReadonlyMap<L, V>>): Map<K, Map<L, V>> {
  const copied = new Map<K, Map<L, V>>();
  for (const [key, map] of maps) copied.set(key, new Map(map));
  return copied;
}
