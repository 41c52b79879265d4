/** The served network of a soak, and the load of `bench` on it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Starts a network with a state file in a folder of its own; `stop` removes both. */
export async function startServed(nodeOptions = () => []) {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const [ready, state] = ["ready.json", "network.ndjson"].map((name) => join(folder, name));
  const server = spawn(
    process.execPath,
    [
      ...nodeOptions(folder),
      ...["dist/cli/main.js", "serve", "--port", "0", "--admin-port", "none", "--quiet", "--ready-file", ready],
      ...["--state", state, "--balance", "1000000000", "--accounts", "40"],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const stop = async () => {
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGTERM")) await ended;
    rmSync(folder, { recursive: true });
  };
  await appeared(ready);
  return { server, folder, url: JSON.parse(readFileSync(ready, "utf8")).url, stop };
}

/** Puts a load on the network; returns the result of `bench`. @throws Error without one. */
export async function load(url, ...options) {
  const usual = ["dist/cli/main.js", "bench", "--url", url, "--json", "--progress", "none", "--warm-up", "1"];
  const child = spawn(process.execPath, [...usual, ...options], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = [child.stdout, child.stderr].map((stream) => stream.setEncoding("utf8").toArray());
  const [output, errors] = (await Promise.all(texts)).map((parts) => parts.join(""));
  const line = output.trim().split("\n").at(-1);
  if (line === "") throw new Error(errors);
  return JSON.parse(line);
}

export function print(line) {
  process.stdout.write(`${line}\n`);
}

export async function appeared(path) {
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await sleep(50);
}
