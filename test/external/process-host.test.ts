/** Nodes in processes: what ends, hangs, floods or writes nonsense becomes the verdict, and nothing is left behind. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkedHosts } from "../../src/external/checked-host.ts";
import type { NodeHost } from "../../src/external/host.ts";
import { processHosts } from "../../src/external/process-host.ts";
import { PAYMENTS, runWith, trustingCommand } from "./nodes.ts";

/** A program that repeats each line once it has the whole of it. */
const ECHO = 'require("readline").createInterface({input:process.stdin}).on("line",(line)=>console.log(line))';
const START = '{"input":"start","random":"01234567"}';

describe("a node that fails is named with what it did", () => {
  test.each([
    ["exit 7", "v1 threw NodeFault at 0 ms on its start: ended with exit code 7"],
    ["nosuchcommand", "ended with exit code 127; the end of its standard error:\n"],
    ["echo oh no >&2; exit 1", "ended with exit code 1; the end of its standard error:\noh no"],
    ["cat", "answered its input `start` at 0 ms with no list of outputs"],
    ["yes", "answered its input `start` at 0 ms with what is no JSON"],
    ["cat >/dev/null; exit 3", "gave no answer in time"],
    ["tr '\\n' x </dev/zero", "answered more than 16777216 bytes"],
  ])("%s", (command, words) => {
    const { verdict, reason } = runWith(command, PAYMENTS, "1", 1_000);
    expect(verdict).toBe("error");
    expect(reason).toContain(words);
  });
});

test("a process is met again at the next start of its name, and another name has its own", () => {
  const hosts = processHosts('while read line; do echo "$$ $line"; done', 60_000);
  const [first, again, other] = [hosts("v1").ask("a"), hosts("v1").ask("b"), hosts("v2").ask("a")];
  hosts.close();
  expect(again).toBe(`${first.split(" ")[0]} b`);
  expect(other).not.toBe(first);
});

test("the end of this process has one listener, however many hosts are open", () => {
  const first = processHosts("cat", 60_000);
  const listeners = process.listenerCount("exit");
  const further = Array.from({ length: 12 }, () => processHosts("cat", 60_000));
  expect(process.listenerCount("exit")).toBe(listeners);
  for (const { close } of [first, ...further]) close();
});

test("lines longer than a pipe pass both ways", () => {
  const hosts = processHosts(`'${process.execPath}' -e '${ECHO}'`, 60_000);
  const line = `"${"x".repeat(1_000_000)}"`;
  expect(hosts("v1").ask(line)).toBe(line);
  hosts.close();
});

test("a node whose answers depend on more than its inputs is found", () => {
  // A life in eight is checked.
  const reasons = Array.from(
    { length: 20 },
    (_, seed) => runWith(trustingCommand("random"), PAYMENTS, String(seed)).reason,
  );
  expect(reasons.find((reason) => reason.includes("is not deterministic"))).toMatch(
    /after the same inputs two of it answered `submit` at \d+ ms differently: …/,
  );
});

test("lives that are over leave no second node behind, however many worlds there were", () => {
  let open = 0;
  const made = (): NodeHost => {
    open += 1;
    let isOpen = true;
    return {
      ask: () => "[]",
      close: () => {
        if (isOpen) open -= 1;
        isOpen = false;
      },
    };
  };
  const kept: NodeHost = { ask: () => "[]", close: () => undefined };
  const hosts = checkedHosts(() => kept, made, 1);
  for (let world = 0; world < 20; world++) for (const name of ["v1", "v2"]) hosts(name).ask(START);
  expect(open).toBe(2);
  hosts.closeSeconds();
  expect(open).toBe(0);
});

test("a process that is killed leaves neither nodes nor files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  const note = join(folder, "node");
  const script = join(folder, "main.mjs");
  const module = new URL("../../src/external/process-host.ts", import.meta.url).href;
  expect(existsSync(new URL(module))).toBe(true);
  writeFileSync(
    script,
    `import { processHosts } from ${JSON.stringify(compiled(module))};
const hosts = processHosts('echo $$ >${note}; cat', 60000);
hosts("v1").ask('${START}');
process.kill(process.pid, "SIGKILL");
`,
  );
  const { signal } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(signal).toBe("SIGKILL");
  const { status } = spawnSync("sh", [
    "-c",
    `for i in $(seq 100); do kill -0 $(cat ${note}) 2>/dev/null || exit 0; sleep 0.1; done; exit 1`,
  ]);
  expect(status).toBe(0);
});

/** The compiled module of a source. */
function compiled(url: string): string {
  return url.replace("/src/", "/dist-src/").replace(/ts$/, "js");
}
