/** Golden transcript of a run: signatures, effects and responses, as events in its scenario file. */
import { parseDocument } from "yaml";
import type { TranscriptEntry } from "../../scenario/scenario.ts";
import type { RunEvent, RunEventKind } from "./run-event.ts";

/** Kinds of events in a transcript: what parties state and conclude, without the traffic between them. */
export const TRANSCRIPT_KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["signed", "submitted", "responded", "applied", "checkpointApplied", "epochClosed"] as const),
  ...(["proposalDelivered", "stateTransferred", "halted", "reported", "crashed", "restarted", "healed"] as const),
]);

/** The first event that differs from the transcript in the file, as a sentence; empty if there is none. */
export function diffTranscript(
  expected: readonly TranscriptEntry[] | undefined,
  got: readonly RunEvent[],
): readonly string[] {
  if (expected === undefined) return [];
  const [want, have] = [expected.map(canonicalText), transcriptOf(got).map(canonicalText)];
  const at = Array.from({ length: Math.max(want.length, have.length) }, (_, index) => index).find(
    (index) => want[index] !== have[index],
  );
  if (at === undefined) return [];
  return [`transcript event ${at + 1}: expected ${want[at] ?? "the end"}, got ${have[at] ?? "the end"}`];
}

/** The text of the file with this transcript. All other lines, comments included, stay as they are. */
export function withTranscript(text: string, events: readonly RunEvent[]): string {
  const lines = transcriptOf(events).map((entry) => `  - ${JSON.stringify(entry)}\n`);
  const block = `transcript:${lines.length === 0 ? " []\n" : `\n${lines.join("")}`}`;
  const node = parseDocument(text).get("transcript", true) as
    | { readonly range?: readonly [number, number, number] }
    | undefined;
  if (node?.range === undefined) return `${text.replace(/\n*$/, "\n")}${block}`;
  const start = text.lastIndexOf("transcript:", node.range[0]);
  const rest = text.slice(node.range[2]).replace(/^\n+/, "");
  return `${text.slice(0, start)}${block}${rest}`;
}

/** The entries of a transcript: without step numbers and value hashes, which depend on details of the program. */
function transcriptOf(events: readonly RunEvent[]): readonly TranscriptEntry[] {
  return events
    .filter(({ kind }) => TRANSCRIPT_KINDS.has(kind))
    .map((event) => {
      const { at, kind, ...rest } = event;
      const json = JSON.stringify({ at, kind, ...rest }, (key, value) =>
        key === "step" || key === "hash" ? undefined : value,
      );
      return JSON.parse(json) as TranscriptEntry;
    });
}

/** JSON with sorted members, so that their order in a file does not count. */
function canonicalText(entry: TranscriptEntry): string {
  return JSON.stringify(entry, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
