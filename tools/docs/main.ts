/** `npm run docs`: writes the generated documents, from the root of the repository. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DOCUMENTS } from "./documents.ts";

const root = process.cwd();
for (const { path, text } of DOCUMENTS) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text(root));
  process.stdout.write(`${path}\n`);
}
