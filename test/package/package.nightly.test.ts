/**
 * Goal: the packed program works for who installs it: no warning of an engine, no script, sound types, and the documents
 * show what happens. Method: the tarball in an empty project; the examples of README and two guides run there, word for
 * word, with the configuration that they show, under the oldest and the newest Node; what they and all commands of README
 * and guides print is compared.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { textsBelow } from "../docs/texts.ts";
import {
  blocksOf,
  commandsIn,
  examplesIn,
  hasQuoted,
  importsOf,
  layExamples,
  type Output,
  PAGES,
  packagesToInstall,
  packed,
  runUnder,
} from "./consumer.ts";

const EXAMPLES = examplesIn(PAGES);
/** Documents with commands and what they print. */
const SESSIONS = ["README.md", ...textsBelow(["docs"], /\.md$/).map(({ path }) => path)].filter(
  (page) => commandsIn(page).length > 0,
);
const SERVE = "npx quorumlab serve";
const own = JSON.parse(readFileSync("package.json", "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

let folder = "";
let file = "";
let alone: Output;
let whole: Output;
let locked: Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Installs as the documents say, with the versions that this repository has. */
async function install(age: "oldest" | "newest", packages: readonly string[]): Promise<Output> {
  const versions: Readonly<Record<string, string>> = { ...own["dependencies"], ...own["devDependencies"] };
  const exact = packages.map((name) => (versions[name] === undefined ? name : `${name}@${versions[name]}`));
  const args = ["install", "--save-dev", "--prefer-offline", "--no-audit", "--no-fund", ...exact];
  return runUnder(age, folder, "npm", args);
}

beforeAll(async () => {
  ({ folder, file } = await packed());
  alone = await install("oldest", [`./${file}`]);
  const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as { packages: typeof locked };
  locked = lock.packages;
  whole = await install("newest", packagesToInstall());
  layExamples(folder, EXAMPLES);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it installs with both versions of Node, without a word on engines and without a script", () => {
  expect([alone.code, whole.code, alone.err + whole.err]).toEqual([0, 0, expect.not.stringContaining("EBADENGINE")]);
  expect(alone.err).toBe("");
  const packages = Object.entries(locked);
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter(([, entry]) => entry["hasInstallScript"] === true)).toEqual([]);
});

test("publint finds nothing in it", async () => {
  const bytes = readFileSync(join(folder, file));
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test("the documents name each package that their examples import, and the examples fit the types", async () => {
  const named = packagesToInstall().map((name) => (name.endsWith(file) ? "quorumlab" : name));
  const imported = new Set(EXAMPLES.flatMap(({ text }) => importsOf(text)));
  expect([...imported].filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !imported.has(name))).toEqual([]);
  const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "preserve", "--types", "node"];
  const roots = ["--typeRoots", resolve("node_modules/@types")];
  const sources = EXAMPLES.map(({ info }) => info).filter((name) => name.endsWith(".ts"));
  const compiler = resolve("node_modules/typescript/bin/tsc");
  const args = [compiler, ...options, "--skipLibCheck", "--noUncheckedIndexedAccess", ...roots, ...sources];
  const { code, out } = await runUnder("oldest", folder, "node", args);
  expect([code, out]).toEqual([0, ""]);
});

test("the test that shrink writes fails by the mistake, and passes once it is fixed", async () => {
  const scenario = readFileSync("scenarios/bugs/vote-before-persist.yaml", "utf8").replace(/^expect:[\s\S]*/m, "");
  mkdirSync(join(folder, "shrunk/fixed"), { recursive: true });
  writeFileSync(join(folder, "shrunk/mine.yaml"), scenario);
  const options = ["shrink", "shrunk/mine.yaml", "--out", "shrunk/small.yaml"];
  expect((await runUnder("newest", folder, "node_modules/.bin/quorumlab", options)).code).toBe(0);
  const small = readFileSync(join(folder, "shrunk/small.yaml"), "utf8");
  writeFileSync(join(folder, "shrunk/fixed/small.yaml"), small.replace(/^bug: .*\n/m, ""));
  copyFileSync(join(folder, "shrunk/small.test.ts"), join(folder, "shrunk/fixed/small.test.ts"));
  const { out } = await runUnder("newest", folder, "node_modules/.bin/vitest", ["run", "shrunk", "--reporter", "json"]);
  // The examples are run by `vitest run` alone, which would find this one too.
  rmSync(join(folder, "shrunk"), { recursive: true });
  const { testResults } = JSON.parse(out) as { testResults: readonly { name: string; status: string }[] };
  const statuses = testResults.map(({ name, status }) => [name.includes("fixed"), status]).sort();
  expect(statuses, out).toEqual([
    [false, "failed"],
    [true, "passed"],
  ]);
  expect(out).toContain("slot 0 of account alice");
});

describe.each(["oldest", "newest"] as const)("under the %s Node", (age) => {
  const run = (command: string): Promise<Output> => runUnder(age, folder, "bash", ["-c", command]);

  test("the examples pass within the time that vitest or they themselves give, and print what the guide shows", async () => {
    const { code, out, err } = await run("npx vitest run");
    expect(code, out + err).toBe(0);
    const shown = PAGES.flatMap(blocksOf).filter(({ info }) => info === "printed");
    expect(shown.length).toBe(1);
    for (const { text } of shown) expect(out).toContain(text);
  });

  test.each(age === "newest" ? SESSIONS : ["README.md"])("the commands of %s print what it says", async (page) => {
    const [port, adminPort] = [await freePort(), await freePort()];
    const commands = commandsIn(page);
    const network = commands.filter(({ command }) => command.startsWith(SERVE)).map(({ command }) => command)[0];
    const served = network === undefined ? undefined : await startedNetwork(network, port, adminPort);
    try {
      for (const { command, lines } of commands) {
        if (command === network) continue;
        const urls = `QUORUMLAB_URL=http://127.0.0.1:${port} QUORUMLAB_ADMIN_URL=http://127.0.0.1:${adminPort}`;
        const { code, out, err } = await run(served === undefined ? command : `export ${urls}; ${command}`);
        const printed = out === "" ? err : out;
        expect(hasQuoted(printed, lines), `${command}\n${printed}\n${page} has\n${lines.join("\n")}`).toBe(true);
        expect(code === 2, `${command}\n${err}`).toBe(err.startsWith("quorumlab: ") && lines.length > 0);
      }
    } finally {
      served?.kill();
    }
    expect(commands.length).toBeGreaterThan(1);
  });

  /** Starts the network of a document on these ports, and waits for it. */
  async function startedNetwork(command: string, port: number, adminPort: number): Promise<ChildProcess> {
    const [, name = "", ...words] = [...command.split(" "), "--port", `${port}`, "--admin-port", `${adminPort}`];
    const network = spawn(join("node_modules", ".bin", name), words, { cwd: folder, stdio: "ignore" });
    const url = `http://127.0.0.1:${port}/api/health`;
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 60_000, interval: 100 });
    return network;
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
