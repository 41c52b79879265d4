/** Licences of the packages whose code the bundles hold: each asks to travel with its code. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Licences of code inside a package that is not its own. */
const INNER = { "node_modules/secp256k1": "src/secp256k1/COPYING" };

/** Writes name, version and licence of each package that these builds of esbuild, with metafiles, took code from. */
export function writeNotices(path, builds) {
  const files = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[0] ?? []));
  writeFileSync(path, [...folders].sort().map(noticeOf).join(`\n${"-".repeat(80)}\n\n`));
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const own = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const texts = [...own.slice(0, 1), ...(INNER[folder] === undefined ? [] : [INNER[folder]])].map(
    (file) => `\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`,
  );
  return `${name} ${version}, licence ${license}\n${texts.join("")}`;
}
