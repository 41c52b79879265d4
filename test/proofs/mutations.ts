/** Every way in which one member of a JSON file can be changed. */

/** A changed copy, and the member that was changed, with the names of those around it. */
export type Mutation = Readonly<{ path: string; how: string; file: unknown }>;

/** Every member replaced by another value of its type, every member and item left out, and a member added to each object. */
export function mutationsOf(file: unknown): readonly Mutation[] {
  return pathsIn(file).flatMap((path) =>
    changesOf(valueAt(file, path), path.length > 0).map(([how, change]) => ({
      path: path.join("."),
      how,
      file: withChange(file, path, change),
    })),
  );
}

type Key = string | number;
type Change = (value: unknown) => unknown;
const LEFT_OUT = Symbol("left out");

function pathsIn(value: unknown, path: readonly Key[] = []): readonly (readonly Key[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...entriesOf(value).flatMap(([key, member]) => pathsIn(member, [...path, key]))];
}

function entriesOf(value: object): readonly (readonly [Key, unknown])[] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value);
}

function valueAt(value: unknown, path: readonly Key[]): unknown {
  return path.reduce((whole, key) => (whole as Record<Key, unknown>)[key], value);
}

function changesOf(value: unknown, isMember: boolean): readonly (readonly [string, Change])[] {
  const leftOut: readonly (readonly [string, Change])[] = isMember ? [["left out", () => LEFT_OUT]] : [];
  if (Array.isArray(value)) return leftOut;
  if (typeof value === "object" && value !== null)
    return [...leftOut, ["with one more", (whole) => ({ ...(whole as object), surplus: 1 })]];
  return [...leftOut, ["changed", () => otherThan(value)], ["nothing", () => (value === null ? "x" : null)]];
}

function otherThan(value: unknown): unknown {
  if (value === null) return 1;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  const text = String(value);
  if (text.startsWith("0x") && text.length > 2) return `${text.slice(0, -1)}${text.endsWith("1") ? "2" : "1"}`;
  return /^\d+$/.test(text) ? String(BigInt(text) + 1n) : `${text}x`;
}

function withChange(value: unknown, [key, ...rest]: readonly Key[], change: Change): unknown {
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const member = withChange((copy as Record<Key, unknown>)[key], rest, change);
  if (member !== LEFT_OUT) (copy as Record<Key, unknown>)[key] = member;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete (copy as Record<Key, unknown>)[key];
  return copy;
}
