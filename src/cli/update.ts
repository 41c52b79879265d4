/** Golden transcripts: written back into their file, everything else in it left as it stands. */
import { writeFileSync } from "node:fs";
import { withTranscript } from "../run/transcript-text.ts";

/** Replaces, or adds at the end, the transcript of a scenario file. */
export function rewriteTranscript(path: string, text: string, lines: readonly string[]): void {
  writeFileSync(path, withTranscript(text, lines));
}
