/** A network over its files on a disk with faults: what it answers, and what is there after it was started again. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Millis } from "../../../src/core/base/ids.ts";
import type { OperationId } from "../../../src/core/base/operation.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { submissionId } from "../../../src/core/ledger/identity.ts";
import { ServedNetwork } from "../../../src/live/network.ts";
import { effectiveOf } from "../../../src/live/replay.ts";
import { disk } from "../../../src/server/host/disk.ts";
import { openState, readState } from "../../../src/server/host/state.ts";
import { plainOf } from "../../live/plain.ts";
import { HEAD, payment, submit } from "../../live/support.ts";

const EVENTS = 1_000_000;

/** Fault of one system call: it writes a part, fails, or is the last one of the process, before or after it had effect. */
export const FAULTS = ["short", "ENOSPC", "EIO", "kill", "kill halfway"] as const;

export type Fault = (typeof FAULTS)[number];

/** The process is gone. */
export class Killed extends Error {}

const CALLS = { ...disk };

/** Files that a killed process left open. */
const open = new Set<number>();

/** Puts a fault into the call with a number, counted from 1 over all calls on state files. */
export function faultyDisk(fault: Fault, at: number, lasts: number): void {
  let count = 0;
  let isKilled = false;
  for (const [name, call] of Object.entries(CALLS)) {
    const faulty = (...args: unknown[]): unknown => {
      if (isKilled) throw new Killed();
      count += 1;
      const carryOut = (): unknown => {
        const result = (call as (...args: unknown[]) => unknown)(...args);
        if (name === "open") open.add(result as number);
        if (name === "close") open.delete(args[0] as number);
        return result;
      };
      if (count < at || count >= at + lasts) return carryOut();
      const [file, bytes, offset, length, position] = args as [number, Uint8Array, number, number, number];
      const half = (): number => CALLS.write(file, bytes, offset, Math.max(1, length >> 1), position);
      if (fault === "short") return name === "write" ? half() : carryOut();
      if (fault === "kill" || fault === "kill halfway") {
        isKilled = true;
        if (fault === "kill halfway") name === "write" ? half() : carryOut();
        throw new Killed();
      }
      if (name === "write" && length > 1) half();
      throw Object.assign(new Error(`${fault}: injected, ${name}`), { code: fault });
    };
    Object.assign(disk, { [name]: faulty });
  }
}

export function soundDisk(): void {
  for (const file of open) CALLS.close(file);
  open.clear();
  Object.assign(disk, CALLS);
}

/** A network that is run by hand: an answer counts as given once a verification point follows it in the recording. */
export class Session {
  readonly network: ServedNetwork;
  readonly warnings: string[] = [];
  readonly #opened: ReturnType<typeof openState>;

  /** @throws Error for files that are refused */
  constructor(path: string) {
    const kept = readState(path);
    if (!kept.ok) throw new Error(kept.error);
    const recording = kept.value?.recording ?? { head: HEAD, entries: [] };
    const source = { head: recording.head, past: recording.entries };
    const lock = { path, isHeld: true, release: () => undefined };
    this.#opened = openState(lock, kept.value, source, "always", (warning) => void this.warnings.push(warning));
    this.warnings.push(...(kept.value?.notes ?? []));
    const { sink, files, keeper } = this.#opened;
    this.network = new ServedNetwork(recording.head.setup, keyedHash, {
      record: (entry) => sink.write(entry),
      listeners: {},
      past: effectiveOf(recording.entries, kept.value?.start),
      start: kept.value?.start,
      files,
    });
    keeper.noteStart(this.network, kept.value?.start?.steps ?? 0);
  }

  /** Pays, and returns the operations that were answered as final. */
  *pay(nonces: Iterable<number>): Generator<OperationId> {
    for (const nonce of nonces) {
      const id = submissionId(payment("alice", nonce), this.network.hashes.operationId);
      if (this.statusOf(id) === "final") {
        yield id;
        continue;
      }
      submit(this.network, "v1", payment("alice", nonce));
      this.network.runTo((this.network.now + 600) as Millis, EVENTS);
      const point = this.network.writeVerificationPoint();
      if (this.statusOf(id) === "final") yield id;
      if (nonce % 3 === 2) this.#opened.keeper.finish(this.network, point);
    }
  }

  statusOf(id: OperationId): string | undefined {
    return this.network.archive.progressOf(id)?.status;
  }

  /** All that is answered of an operation but the checkpoint that lists it, which may come later. */
  answerOf(id: OperationId): unknown {
    const progress = this.network.archive.progressOf(id);
    return plainOf([this.network.archive.copyOf(id), progress?.status === "final" ? progress.final : progress]);
  }

  putBack(): void {
    this.#opened.putBack();
  }

  /** The end of the process, with nothing written. */
  kill(): void {
    this.#opened.sink.close();
  }

  end(): void {
    this.#opened.keeper.finish(this.network, this.network.writeVerificationPoint());
    this.#opened.sink.close();
  }
}

/** Removes the files of a network. */
export function clear(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}
