/** Writes the native node into a folder, as a module and as a program: `node tools/native-node/build.mjs FOLDER`. */
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

/** Writes `node.cjs` and `process.cjs`. */
export function buildNativeNode(folder) {
  const entryPoints = ["node", "process"].map((name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url)));
  const outExtension = { ".js": ".cjs" };
  buildSync({ entryPoints, outdir: folder, outExtension, bundle: true, format: "cjs", platform: "node" });
}

const [, main, folder] = process.argv;
if (main === fileURLToPath(import.meta.url) && folder !== undefined) buildNativeNode(folder);
