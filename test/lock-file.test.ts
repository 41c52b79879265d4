import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Entry = Readonly<{ integrity?: string; link?: true }>;

test("the lock file has the integrity of every package, of those for other platforms too", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
  const bare = Object.entries(packages).filter(([path, { integrity, link }]) => path !== "" && !integrity && !link);
  expect(bare.map(([path]) => path)).toEqual([]);
});
