/** Identity of the program's files: a snapshot is read by the build that wrote it only. */
import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";

/** Returns a text that differs between builds: the names of a bundle's parts carry the hashes of their content. */
export function programBuild(): string {
  const folder = new URL(".", import.meta.url);
  const sizes = readdirSync(folder)
    .sort()
    .map((name) => `${name} ${statSync(new URL(encodeURIComponent(name), folder)).size}`);
  return createHash("sha256").update(sizes.join("\n")).digest("hex").slice(0, 32);
}
