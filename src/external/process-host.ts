/**
 * Nodes in processes of their own: a command that reads a line of JSON from its standard input and writes the answer as a
 * line to its standard output. The pipes are named ones, read and written in place: a question costs a few microseconds
 * beside what the node does, and a run stays in one piece.
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkedHosts } from "./checked-host.ts";
import { type HostFactory, NodeFault, type NodeHost } from "./host.ts";
import { type GuardedNode, Watchdog } from "./watchdog.ts";

/** Bytes of one answer. */
const ANSWER_MAX = 16_777_216;
const CHUNK = 65_536;
/** Bytes of the end of a node's standard error that a fault shows. */
const STDERR_SHOWN = 2_000;
const LINE_FEED = 10;
/** One of so many lives of a node is lived by a second process as well. */
const CHECKED_EVERY = 8;

/**
 * The shell gives the node its pipes, and says on them how it ended. Then it waits until this process closes the pipes or
 * is gone, and removes them.
 */
const WRAPPER = [
  'exec 3<>"$3" 4<"$2"',
  '(eval "$1") <&4 >&3 2>"$4" 3>&- 4<&-',
  `printf '{"exit":%d}\\n' $? >&3`,
  "cat <&4 >/dev/null",
  'rm -rf "$5"',
].join("; ");
const EXIT = /^\{"exit":(\d+)\}$/;

/** Closes the open hosts, if this process ends before its caller does. One listener serves them all. */
const openHosts = new Set<() => void>();

/**
 * Returns a maker of nodes in processes: one process for each name, which a later start of that name meets again: `start`
 * makes it forget what it knew. Some lives are checked against a process that has never run. `silentMs`: time without an
 * answer after which a node counts as hanging.
 */
export function processHosts(command: string, silentMs: number): HostFactory & { readonly close: () => void } {
  const running = new Map<string, ProcessHost>();
  const watchdog = new Watchdog(silentMs);
  const fresh = (): NodeHost => new ProcessHost(command, watchdog);
  const hostOf = (name: string): NodeHost => {
    const known = running.get(name);
    if (known?.isRunning === true) return known;
    const host = new ProcessHost(command, watchdog);
    running.set(name, host);
    return host;
  };
  const checked = checkedHosts(hostOf, fresh, CHECKED_EVERY);
  const close = (): void => {
    checked.closeSeconds();
    for (const host of running.values()) host.close();
    running.clear();
    watchdog.close();
    openHosts.delete(close);
    if (openHosts.size === 0) process.removeListener("exit", closeAll);
  };
  if (openHosts.size === 0) process.once("exit", closeAll);
  openHosts.add(close);
  return Object.assign(checked, { close });
}

function closeAll(): void {
  for (const close of openHosts) close();
}

/** A node in a process of its own. */
class ProcessHost implements NodeHost {
  readonly #folder: string;
  readonly #input: number;
  readonly #output: number;
  readonly #guarded: GuardedNode;
  readonly #buffer = Buffer.allocUnsafe(CHUNK);
  /** Bytes read behind the last line. */
  #rest = Buffer.alloc(0);
  isRunning = true;

  constructor(command: string, watchdog: Watchdog) {
    this.#folder = mkdtempSync(join(tmpdir(), "quorumlab-node-"));
    const [input, output, errors] = ["in", "out", "err"].map((name) => join(this.#folder, name)) as [
      string,
      string,
      string,
    ];
    execFileSync("mkfifo", [input, output]);
    // Opened for both directions, so that no end waits for the other, and none is closed before this process ends.
    this.#input = openSync(input, "r+");
    this.#output = openSync(output, "r+");
    const shell = spawn("/bin/sh", ["-c", WRAPPER, "node", command, input, output, errors, this.#folder], {
      detached: true,
      stdio: "ignore",
    });
    shell.unref();
    this.#guarded = watchdog.guard(shell.pid as number, output);
  }

  ask(line: string): string {
    this.#guarded.begin();
    writeWhole(this.#input, Buffer.from(`${line}\n`));
    const answer = this.#readLine();
    this.#guarded.end();
    if (answer === SILENT) throw this.#fault("gave no answer in time");
    const exit = EXIT.exec(answer);
    if (exit !== null) throw this.#fault(`ended with exit code ${exit[1]}`);
    return answer;
  }

  close(): void {
    if (!this.isRunning) return;
    this.isRunning = false;
    this.#guarded.kill();
    closeSync(this.#input);
    closeSync(this.#output);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #readLine(): string {
    const parts = [this.#rest];
    let size = this.#rest.length;
    let end = this.#rest.indexOf(LINE_FEED);
    while (end < 0) {
      const count = readSync(this.#output, this.#buffer);
      const part = Buffer.from(this.#buffer.subarray(0, count));
      const place = part.indexOf(LINE_FEED);
      if (place >= 0) end = size + place;
      parts.push(part);
      size += count;
      if (size > ANSWER_MAX) throw this.#fault(`answered more than ${ANSWER_MAX} bytes`);
    }
    const all = Buffer.concat(parts, size);
    this.#rest = all.subarray(end + 1);
    return all.toString("utf8", 0, end);
  }

  /** Ends the node, and returns what it did with the end of its standard error. */
  #fault(words: string): NodeFault {
    const errors = readFileSync(join(this.#folder, "err"), "utf8").trim().slice(-STDERR_SHOWN);
    this.close();
    return new NodeFault(errors === "" ? words : `${words}; the end of its standard error:\n${errors}`);
  }
}

/** Line of the watchdog in place of an answer. */
const SILENT = Watchdog.SILENT;

function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
