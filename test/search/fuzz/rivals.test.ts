import fc from "fast-check";
import { expect, test } from "vitest";
import { Rng } from "../../../src/scenario/rng.ts";
import { drawRivals, type Rival } from "../../../src/search/fuzz/rivals.ts";

/** The fields of a rival, its memo as one. */
function fieldsOf({ kinds, more }: Rival): ReadonlyMap<string, string> {
  const [own = {}] = Object.values(kinds) as object[];
  return new Map(Object.entries({ ...own, ...more }).map(([name, value]) => [name, JSON.stringify(value)]));
}

function differing(rival: Rival, other: Rival): readonly string[] {
  const [a, b] = [fieldsOf(rival), fieldsOf(other)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name));
}

test("rivals are of one kind and differ from the first in exactly one field, and every field is drawn", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.constantFrom("alice", "issuer"), fc.constantFrom(2, 3), (seed, from, count) => {
      const [first, ...others] = drawRivals(new Rng(String(seed), "rivals"), from, count);
      expect(others).toHaveLength(count - 1);
      // Two tokens alternate, so the third may be of the first one again.
      const [second] = others;
      if (first === undefined || second === undefined) throw new Error("expected two rivals");
      expect(Object.keys(second.kinds)).toEqual(Object.keys(first.kinds));
      const [field, ...more] = differing(first, second);
      expect(more).toEqual([]);
      if (field !== undefined) seen.add(`${from} ${field}`);
      expect(field).toBeDefined();
    }),
    { numRuns: 5_000 },
  );
  for (const field of ["legs", "created_at", "batch_id", "chain", "destination", "escrow", "bridge_param"])
    expect(seen).toContain(`alice ${field}`);
  for (const field of ["account", "name", "uri", "additional", "address", "role", "transaction", "bridge_metadata"])
    expect(seen).toContain(`issuer ${field}`);
  for (const from of ["alice", "issuer"])
    for (const field of ["to", "token", "memo", "layout", from === "alice" ? "value" : "allowance"])
      expect(seen).toContain(`${from} ${field}`);
});
