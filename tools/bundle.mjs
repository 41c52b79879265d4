/**
 * Bundles the command, its workers and the library into dist: a start reads a few files in place of a thousand modules.
 * Code that several entries share is written once, in dist/chunks; what a command imports when it runs is a chunk of its
 * own. Types come from tsc.
 */
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

/** Packages that stay outside: with files of their own, or loaded by name. */
const EXTERNAL = [
  "@fastify/swagger-ui",
  ...["tiny-secp256k1", "fast-check"],
  ...["bullmq", "ioredis"],
];

/** Source file in place of which the generated validator stands. */
const VALIDATOR = "src/scenario/schema/validator.ts";
const VALIDATOR_CODE = "dist/chunks/scenario-validator.cjs";

/** Stands in place of that source file, in a chunk: several entries read scenarios. */
const LOADER = `import { createRequire } from "node:module";
const load = createRequire(import.meta.url);
export const scenarioValidator = () => load("./scenario-validator.cjs");
`;

/**
 * Writes the code of the compiled schema of scenarios: compiling the schema took half of a start. It is as long as all
 * other code together, and a file of its own, which is read when the first scenario is.
 */
async function writeValidator() {
  const folder = mkdtempSync(join("node_modules", ".validator-"));
  try {
    const outfile = join(folder, "schema.mjs");
    await build({ entryPoints: [VALIDATOR], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
    const { plainSchema, VALIDATOR_OPTIONS } = await import(pathToFileURL(outfile).href);
    const ajv = new Ajv2020({ ...VALIDATOR_OPTIONS, code: { source: true } });
    const contents = standaloneCode.default(ajv, ajv.compile(plainSchema()));
    const stdin = { contents, resolveDir: "." };
    await build({ stdin, outfile: VALIDATOR_CODE, bundle: true, format: "cjs", platform: "node", minify: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const NATIVE = "dist/native";

/** Stands in place of src/backends/native-addon.ts, in a chunk: several entries sign. */
const ADDON = `import { createRequire } from "node:module";
const load = createRequire(import.meta.url);
export const nativeAddon = () => load("../native/secp256k1.cjs");
`;

/** Ships the builds of the native addon: who installs the package runs no install script and needs no compiler. */
async function writeAddon() {
  cpSync("node_modules/secp256k1/prebuilds", `${NATIVE}/prebuilds`, { recursive: true });
  const outfile = `${NATIVE}/secp256k1.cjs`;
  const entryPoints = ["secp256k1/bindings"];
  return build({ entryPoints, outfile, bundle: true, format: "cjs", platform: "node", metafile: true });
}

const replaced = {
  name: "what the build makes",
  setup: ({ onLoad }) => {
    onLoad({ filter: /scenario[\\/]schema[\\/]validator\.ts$/ }, () => ({ contents: LOADER, loader: "js" }));
    onLoad({ filter: /backends[\\/]native-addon\.ts$/ }, () => ({ contents: ADDON, loader: "js" }));
  },
};

/** Builds the pages: of reports, whose script and styles `report` writes into each file, of served networks, and of campaigns. */
function writePages() {
  return build({
    entryPoints: { report: "src/page/main.tsx", live: "src/page/live/main.tsx", campaign: "src/page/campaign/main.tsx" },
    outdir: "dist/page",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: ["chrome120", "firefox120", "safari17"],
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
  });
}

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Licences of code inside a package that is not its own. */
const INNER = { "node_modules/secp256k1": "src/secp256k1/COPYING" };

/** Writes name, version and licence of each package that these builds of esbuild, with metafiles, took code from. */
function writeNotices(path, builds) {
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

// Names carry hashes: those of earlier builds would stay.
rmSync("dist/chunks", { recursive: true, force: true });
await writeValidator();
rmSync(NATIVE, { recursive: true, force: true });
const addon = await writeAddon();
const pages = await writePages();
const program = await build({
  plugins: [replaced],
  entryPoints: [
    ...["src/cli/main.ts", ...["bench", "jobs"].map((name) => `src/cli/${name}/worker.ts`)],
    ...["src/index.ts", "src/fast-check.ts", "src/server/network/start-network.ts"],
  ],
  outdir: "dist",
  outbase: "src",
  // As deep below the root as the files that look for package.json and workers beside them.
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: EXTERNAL,
  // Its main file holds every algorithm as text of base 64; the other one holds the algorithm that is used.
  alias: { "hash-wasm": "hash-wasm/dist/keccak.umd.min.js" },
  // Packages in the older module format call `require`.
  banner: { js: 'import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);' },
  // Shorter code is read sooner and takes less memory. Names stay, so that stack traces tell them.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: "linked",
  logLevel: "warning",
  metafile: true,
});
writeNotices("dist/THIRD-PARTY-NOTICES.txt", [addon, pages, program]);
chmodSync("dist/cli/main.js", 0o755);
