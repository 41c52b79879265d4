/** Copies of states that change in place. */

/**
 * Returns an independent copy of a state: of its maps, sets and lists, and of each record that holds a map or a set
 * itself. All other records, and tries, never change and are shared. O(state).
 */
export function copyOfState<S>(state: S): S {
  return (isRecord(state) ? copyOfMembers(state) : copyOfEntry(state)) as S;
}

function copyOfEntry(entry: unknown): unknown {
  if (entry instanceof Map) {
    const copied = new Map<unknown, unknown>();
    for (const [key, item] of entry) copied.set(key, copyOfEntry(item));
    return copied;
  }
  if (entry instanceof Set) return new Set(entry);
  if (Array.isArray(entry)) return entry.map(copyOfEntry);
  return isRecord(entry) && Object.values(entry).some(isCollection) ? copyOfMembers(entry) : entry;
}

function copyOfMembers(record: object): object {
  const copied: Record<string, unknown> = { ...record };
  for (const name of Object.keys(copied)) copied[name] = copyOfEntry(copied[name]);
  return copied;
}

function isCollection(member: unknown): boolean {
  return member instanceof Map || member instanceof Set;
}

function isRecord(entry: unknown): entry is object {
  return typeof entry === "object" && entry !== null && Object.getPrototypeOf(entry) === Object.prototype;
}
