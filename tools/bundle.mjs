/**
 * Bundles the command, its workers and the library into dist: a start reads a few files in place of a thousand modules.
 * Code that several entries share is written once, in dist/chunks; what a command imports when it runs is a chunk of its
 * own. Types come from tsc.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { build } from "esbuild";

/** Packages that stay outside: with files of their own, or loaded by name. */
const EXTERNAL = [
  ...["@fastify/swagger-ui", "pino"],
  ...["secp256k1", "tiny-secp256k1", "fast-check"],
];

/** Source file in place of which the generated validator stands. */
const VALIDATOR = "src/scenario/schema/validator.ts";

/** Returns the module of the compiled schema of scenarios: compiling it took half of a start. */
async function generatedValidator() {
  const folder = mkdtempSync(join("node_modules", ".validator-"));
  try {
    const outfile = join(folder, "schema.mjs");
    await build({ entryPoints: [VALIDATOR], outfile, bundle: true, format: "esm", platform: "node", packages: "external" });
    const { plainSchema, VALIDATOR_OPTIONS } = await import(pathToFileURL(outfile).href);
    const ajv = new Ajv2020({ ...VALIDATOR_OPTIONS, code: { source: true, esm: true } });
    const code = standaloneCode.default(ajv, ajv.compile(plainSchema()));
    return `${code}\nexport const scenarioValidator = () => validate;\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const validator = {
  name: "generated validator",
  setup: ({ onLoad }) => {
    onLoad({ filter: /scenario[\\/]schema[\\/]validator\.ts$/ }, async () => ({
      contents: await generatedValidator(),
      loader: "js",
      resolveDir: ".",
    }));
  },
};

// Names carry hashes: those of earlier builds would stay.
rmSync("dist/chunks", { recursive: true, force: true });
await build({
  plugins: [validator],
  entryPoints: [
    ...["src/cli/main.ts", "src/cli/fuzz/worker.ts", "src/cli/hunt/worker.ts"],
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
  // Packages in the older module format call `require`.
  banner: { js: 'import { createRequire as requireOf } from "node:module";\nconst require = requireOf(import.meta.url);' },
  sourcemap: true,
  sourcesContent: false,
  legalComments: "linked",
  logLevel: "warning",
});
chmodSync("dist/cli/main.js", 0o755);
