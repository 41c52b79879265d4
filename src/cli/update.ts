/** Update of golden transcripts in their files; the rest of a file stays unchanged. */
import { writeFileSync } from "node:fs";
import { withTranscript } from "../run/transcript-text.ts";

/** Returns the file with its transcript replaced, or appended. */
export function rewriteTranscript(path: string, text: string, lines: readonly string[]): void {
  writeFileSync(path, withTranscript(text, lines));
}
