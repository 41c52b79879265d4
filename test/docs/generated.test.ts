/** The generated documents in docs/ are those that the code makes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOCUMENTS } from "../../tools/docs/documents.ts";

const ROOT = join(import.meta.dirname, "../..");

test.each(DOCUMENTS.map(({ path, text }) => [path, text] as const))("%s is current", (path, text) => {
  expect(readFileSync(join(ROOT, path), "utf8"), "run npm run docs").toBe(text(ROOT));
});
