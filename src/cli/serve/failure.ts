/** Errors that end a served network, and what the user is told of them. */
import { StateFileError } from "../../server/host/disk.ts";
import { EXIT, type ExitCode } from "../command.ts";
import type { Io } from "../io.ts";

/** First error that ends the network. */
export class Failure {
  error: unknown;

  note(error: unknown): void {
    this.error ??= error;
  }

  watch(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.note(error);
    }
  }
}

/** Reports why the network ended. A state file that fails is no defect of this program. */
export function reportFailure(error: unknown, io: Io): ExitCode {
  if (!(error instanceof StateFileError)) {
    io.err(`quorumlab: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.internal;
  }
  io.err(`quorumlab: ${error.message}: the network is stopped; all that was answered is in its state file\n`);
  return EXIT.failed;
}
