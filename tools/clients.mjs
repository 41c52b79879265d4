/**
 * Runs the suite of a published client against a network that is served with the options which it needs (docs/wire.md 6.4):
 * `npm run clients -- <folder of a client>`. `--print` says the options and the command, and runs nothing.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const READY = "http://127.0.0.1:18555/api/health";
const READY_LOOKS = 100;

const [folder, ...words] = process.argv.slice(2);
if (folder === undefined) fail("expected the folder of a client: a copy of its repository");
const client = clientIn(folder);
const flags = ["--profile", "clients", ...flagsOf(client.row)];
process.stdout.write(
  [
    `client  ${client.name}`,
    `serve   npx quorumlab serve ${flags.join(" ")}`,
    `suite   ${client.suite.join(" ")}`,
    "",
  ].join("\n"),
);
if (!words.includes("--print")) process.exit(await runSuite());

/** Returns name, row of the table in wire 6.4, and command of the suite of a client, by the files of its repository. */
function clientIn(path) {
  const read = (name) => (existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8") : "");
  const { name = "", version = "", scripts = {} } = JSON.parse(read("package.json") || "{}");
  if (/1money/.test(name)) {
    const suite = scripts["test:integration:local"] === undefined ? ["npm", "test"] : ["npm", "run", "test:integration:local"];
    return { name: `${name} ${version}`, row: rowOfTypeScript(version), suite };
  }
  const [, crate, release = "0.0"] = /^name = "(onemoney[\w-]*)"[^[]*?^version = "([^"]+)"/ms.exec(read("Cargo.toml")) ?? [];
  if (crate !== undefined) {
    const isOld = Number(release.split(".")[1]) < 16;
    return { name: `${crate} ${release}`, row: isOld ? "RS-0.14" : "Rust 0.18", suite: ["cargo", "test"] };
  }
  const [, module] = /^module (.*1money.*)$/m.exec(read("go.mod")) ?? [];
  if (module === undefined) fail(`${path}: expected package.json, Cargo.toml or go.mod of a published client`);
  const hasV2 = readdirSync(path).some((file) => file.endsWith(".go") && read(file).includes('"/v2/'));
  return { name: module, row: hasV2 ? "GO-1.2" : "GO-HEAD", suite: ["go", "test", "./..."] };
}

function rowOfTypeScript(version) {
  const [major, minor, patch] = version.split(".").map((part) => Number.parseInt(part, 10));
  if (major > 3 || (major === 3 && minor + patch > 0)) return "TypeScript after 3.0.0";
  if (major === 1) return minor === 0 ? "TS-1.0.10" : "TS-1.1";
  return major === 2 ? "TS-2.0" : "TS-3.0";
}

/** Returns the options in the row of a client. */
function flagsOf(row) {
  const wire = readFileSync(new URL("../docs/wire.md", import.meta.url), "utf8");
  const [, table = ""] = wire.split("| client | flags with `--profile clients` |");
  const [, cell = ""] = table.split("\n").map((line) => line.split("|").slice(1)).find(([names]) => names?.includes(row)) ?? [];
  return [...cell.matchAll(/`(--[^`]+)`/g)].flatMap(([, option]) => option.split(" "));
}

/** Returns the exit code of the suite. */
async function runSuite() {
  const command = new URL("../dist/cli/main.js", import.meta.url).pathname;
  const server = spawn(process.execPath, [command, "serve", ...flags], { stdio: ["ignore", "ignore", "inherit"] });
  try {
    await untilReady(server);
    const env = { ...process.env, RUN_INTEGRATION_TESTS: "true", INTEGRATION_TEST_NETWORK: "local" };
    const [program, ...rest] = client.suite;
    return spawnSync(program, rest, { cwd: folder, env, stdio: "inherit" }).status ?? 1;
  } finally {
    server.kill();
  }
}

async function untilReady(server) {
  for (let look = 0; look < READY_LOOKS && server.exitCode === null; look++) {
    const answer = await fetch(READY).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  fail("the network does not answer: npm run build first, and see whether port 18555 is free");
}

function fail(message) {
  process.stderr.write(`clients: ${message}\n`);
  process.exit(2);
}
