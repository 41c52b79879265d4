/** A run in a few lines, to stand in its file: who signed and decided what, and what clients were told. */
import { unreachable } from "../core/base/assert.ts";
import type { Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { SlotKey, Value } from "../core/base/slot.ts";
import type { Observed } from "../invariants/observation.ts";
import type { Compiled } from "./compile.ts";
import { TRANSCRIPT_LINES } from "./limits.ts";

export interface Transcript {
  readonly lines: readonly string[];
  observe(record: Observed): void;
}

/** A transcript with names instead of hashes. It holds the first lines only: long runs need none. */
export function createTranscript({ operations, directory }: Compiled): Transcript {
  const lines: string[] = [];
  const names = new Map([...operations].map(([name, id]) => [id, name]));
  const contents = new Map<Hash, Value>();
  const nameOf = (id: OperationId): string => names.get(id) ?? `${id.slice(0, 10)}…`;
  const slotName = (key: SlotKey): string => {
    const [, owner, number] = key.split("/");
    return `${directory.nameOf((owner ?? "") as never)}#${Number(number)}`;
  };
  const valueName = (hash: Hash): string => {
    const value = contents.get(hash);
    return value === undefined ? `${hash.slice(0, 10)}…` : valueText(value, nameOf);
  };
  return {
    lines,
    observe: (record) => {
      if (lines.length >= TRANSCRIPT_LINES) return;
      if (record.type === "content") contents.set(record.hash, record.value);
      for (const line of linesOf(record, { nameOf, slotName, valueName }))
        if (lines.length < TRANSCRIPT_LINES) lines.push(`${record.at} ${line}`);
    },
  };
}

/** How a run differs from the transcript that its file holds, from the first different line on. */
export function transcriptUnlike(expected: readonly string[] | undefined, got: readonly string[]): readonly string[] {
  if (expected === undefined) return [];
  const at = Array.from({ length: Math.max(expected.length, got.length) }, (_, index) => index).find(
    (index) => expected[index] !== got[index],
  );
  if (at === undefined) return [];
  return [`transcript line ${at + 1}: expected "${expected[at] ?? "the end"}", got "${got[at] ?? "the end"}"`];
}

interface Names {
  readonly nameOf: (id: OperationId) => string;
  readonly slotName: (key: SlotKey) => string;
  readonly valueName: (hash: Hash) => string;
}

const NOTHING: readonly string[] = [];

function linesOf(record: Observed, { nameOf, slotName, valueName }: Names): readonly string[] {
  switch (record.type) {
    case "signed": {
      const { statement } = record;
      const what = statement.kind === "roundChange" ? "" : ` ${valueName(statement.value)}`;
      return [`${record.node} ${statement.kind} ${slotName(statement.slot)} round ${statement.round}${what}`];
    }
    case "submitted":
      return [`${record.client} submits ${nameOf(record.id)} to ${record.to}`];
    case "answered": {
      const { answer } = record;
      const code = answer.status === "refused" ? ` ${answer.refusal.code}` : "";
      return [`${record.client} hears from ${record.from}: ${nameOf(record.id)} ${answer.status}${code}`];
    }
    case "applied":
      return record.receipts.map(
        ({ id, success, error }) =>
          `${record.node} applies ${nameOf(id)}${success ? "" : ` failed ${error?.code ?? ""}`}`,
      );
    case "checkpointed":
      return [`${record.node} applies checkpoint ${record.value.header.number}`];
    case "crashed":
      return [`${record.node} crashes`];
    case "restarted":
      return [`${record.node} restarts`];
    case "healed":
      return [`healing: ${record.core.join(" ")}`];
    case "reported":
      return [`${record.node} reports ${record.misbehaviour} in ${slotName(record.slot)}`];
    case "content":
    case "asked":
    case "replied":
    case "decided":
    case "root":
    case "ended":
      return NOTHING;
    default:
      return unreachable(record);
  }
}

function valueText(value: Value, nameOf: (id: OperationId) => string): string {
  switch (value.type) {
    case "operation":
      return nameOf(value.id);
    case "burn":
      return `${nameOf(value.id)} ${value.outcome}`;
    case "skip":
      return `skip ${nameOf(value.id)}`;
    case "list":
      return `[${value.ids.map(nameOf).join(" ")}]`;
    case "checkpoint":
      return `${value.listed.length} slots`;
    default:
      return unreachable(value);
  }
}
