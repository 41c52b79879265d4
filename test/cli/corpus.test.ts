/** Goal: output, files and exit codes of `corpus`. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BAD, folder, GOOD, runCommand, UNMET } from "./support.ts";

it("adds scenarios with new coverage, and continues where it ended", async () => {
  const path = join(folder({}), "corpus");
  const { code, lines } = await runCommand(["corpus", path, "--seed", "11", "--seeds", "1", "--json"]);
  const [first = {}] = lines;
  expect([code, first["type"], first["removed"], first["failed"]]).toEqual([0, "corpus", [], []]);
  expect(readdirSync(path).sort()).toEqual((first["added"] as string[]).map((name) => `${name}.yaml`).sort());
  expect((await runCommand(["run", path])).code).toBe(0);
  const { out } = await runCommand(["corpus", path, "--seed", "11", "--seeds", "1"]);
  expect(first["runs"]).toBe(1);
  expect(out).toBe(`\n1 scenario reaches ${first["reached"]} coverage items after 1 seed\n`);
});

it("keeps and reports files that do not pass", async () => {
  const path = folder({ "unmet.yaml": UNMET, "bad.yaml": BAD, "good.yaml": GOOD });
  const { code, lines, err } = await runCommand(["corpus", path, "--seed", "6", "--seeds", "1", "--json"]);
  expect([code, lines[0]?.["failed"]]).toEqual([1, [join(path, "bad.yaml"), join(path, "unmet.yaml")]]);
  expect(err).toContain("bad.yaml:2:1");
  expect(existsSync(join(path, "unmet.yaml"))).toBe(true);
});

it("rejects an invalid number of seeds", async () => {
  expect(await runCommand(["corpus", folder({}), "--seeds", "0"])).toMatchObject({ code: 2 });
});
