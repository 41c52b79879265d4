/**
 * Lock of a state file: a listening socket beside it, which the system closes with its process, so that no end of a process
 * leaves a file locked. On Windows a pipe with a name made of the path.
 */
import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { err, ok, type Result } from "../../core/base/result.ts";

export interface StateLock {
  /** The file without symbolic links in its path. */
  readonly path: string;
  /** False once another process removed what locks it. */
  readonly isHeld: boolean;
  release(): void;
}

/** Bytes of the path of a socket that every system takes. */
const SOCKET_PATH_BYTES = 103;

/** Attempts of processes that start at the same time, each of which gives way to the other. */
const ATTEMPTS = 5;

/** Longest pause between two attempts, in milliseconds. */
const PAUSE_MS = 120;

/** Locks a state file, which may not exist yet, for this process. The error says what stands against it. */
export async function lockState(given: string): Promise<Result<StateLock, string>> {
  const realPath = realPathOf(given);
  if (!realPath.ok) return realPath;
  const path = realPath.value;
  for (let count = 1; ; count++) {
    const lock = await (process.platform === "win32" ? lockByPipe(path) : lockBySocket(path));
    if (lock.ok || lock.error !== IN_USE) return lock;
    if (count === ATTEMPTS) return err(`${given} is in use by another process`);
    await sleep(Math.random() * PAUSE_MS);
  }
}

const IN_USE = "in use";

/** Returns the path behind symbolic links. Two names of one file would be two locks. */
function realPathOf(path: string): Result<string, string> {
  const folder = attempt(() => realpathSync(dirname(path)));
  if (!folder.ok) return err(`${path}: ${folder.error}: expected a path in a folder that exists`);
  const real = attempt(() => realpathSync(path));
  const target = real.ok ? real.value : join(folder.value, basename(path));
  const stat = attempt(() => statSync(target, { throwIfNoEntry: false }));
  if (!stat.ok) return err(`${path}: ${stat.error}`);
  if (stat.value === undefined)
    return readdirSync(folder.value).includes(basename(path))
      ? err(`${path} is a symbolic link to a file that does not exist`)
      : ok(target);
  if (!stat.value.isFile()) return err(`${path}: expected a regular file`);
  if (stat.value.nlink > 1)
    return err(
      `${path} has ${stat.value.nlink} hard links: two networks could write to it; copy it to a file of its own`,
    );
  return ok(target);
}

function attempt<T>(call: () => T): Result<T, string> {
  try {
    return ok(call());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return err(message.replace(/ '.*'$/s, ""));
  }
}

/** The system makes each pipe once, and removes it with its process. */
async function lockByPipe(path: string): Promise<Result<StateLock, string>> {
  const name = createHash("sha256").update(path.toLowerCase()).digest("hex");
  const server = await listenOn(`\\\\.\\pipe\\quorumlab-${name}`);
  if (!server.ok) return server.error === "EADDRINUSE" ? err(IN_USE) : err(`${path} cannot be locked: ${server.error}`);
  return ok({ path, isHeld: true, release: () => void server.value.close() });
}

/**
 * A process listens under a name of its own before it looks for others: of two that start at once, one at least sees the
 * other. A socket gets a name that others look for when it listens already, so a name without a listener is left over.
 */
async function lockBySocket(path: string): Promise<Result<StateLock, string>> {
  const opened = attempt(() => openSync(dirname(path), "r"));
  if (!opened.ok) return err(`${path} cannot be locked: ${opened.error}`);
  try {
    return await lockInFolder(path, opened.value);
  } finally {
    closeSync(opened.value);
  }
}

/** `descriptor`: of the folder, open. */
async function lockInFolder(path: string, descriptor: number): Promise<Result<StateLock, string>> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.lock-`;
  const name = `${prefix}${randomBytes(6).toString("hex")}`;
  const socket = join(folder, name);
  // The path of a socket is short; where there is /proc, a descriptor stands for the folder.
  const fromFolder = existsSync("/proc/self/fd") ? `/proc/self/fd/${descriptor}` : folder;
  const drafted = join(fromFolder, `.${createHash("sha256").update(name).digest("hex").slice(0, 16)}`);
  const at = (other: string): string => join(fromFolder, other);
  if (Buffer.byteLength(at(name)) > SOCKET_PATH_BYTES)
    return err(`${path} cannot be locked: expected a shorter name, since that of its socket is too long`);
  const server = await listenOn(drafted);
  if (!server.ok)
    return err(`${path} cannot be locked by a socket in its folder: ${server.error}; choose a folder of a local disk`);
  const release = (): void => {
    rmSync(socket, { force: true });
    server.value.close();
  };
  renameSync(drafted, socket);
  for (const other of readdirSync(folder)) {
    if (!other.startsWith(prefix) || other === name) continue;
    if (!(await isListening(at(other)))) rmSync(join(folder, other), { force: true });
    else {
      release();
      return err(IN_USE);
    }
  }
  const lock = { path, release, isHeld: true };
  return ok(Object.defineProperty(lock, "isHeld", { get: () => existsSync(socket) }));
}

function listenOn(path: string): Promise<Result<Server, string>> {
  const server = createServer((socket) => void socket.destroy());
  return new Promise((resolve) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => resolve(err(code ?? message)));
    // A lock alone does not keep a process alive.
    server.listen(path, () => resolve(ok(server.unref())));
  });
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    // Any other error comes from a listener: its queue is full, or it belongs to another user.
    socket.once("error", ({ code = "" }: NodeJS.ErrnoException) => end(!["ECONNREFUSED", "ENOENT"].includes(code)));
  });
}
