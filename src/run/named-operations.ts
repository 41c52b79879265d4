/** Operations that the violations of a run name, with what their signers say. */
import { isRecovery, type OperationId, type Submission } from "../core/base/operation.ts";
import type { Finding } from "../invariants/judge.ts";
import type { Directory } from "../scenario/directory.ts";
import { formOf } from "../scenario/submission-form.ts";
import { membersText } from "./events/reference-text.ts";
import type { OperationStatus } from "./run-record.ts";

export interface NamedOperation {
  /** As the details of violations name it: its name in the file, or the start of its id. */
  readonly name: string;
  /** `alice's payment 0 (to bob, token USD, value 10)`. */
  readonly text: string;
}

/** Returns the operations that the findings name, in the order of their submissions. O(findings + operations). */
export function namedOperations(
  findings: readonly Finding[],
  statuses: ReadonlyMap<OperationId, OperationStatus>,
  { directory, operations }: { readonly directory: Directory; readonly operations: ReadonlyMap<string, string> },
): readonly NamedOperation[] {
  const starts = new Set(findings.flatMap(({ detail }) => detail.match(/\b0x[0-9a-f]{8}(?=…)/g) ?? []));
  if (starts.size === 0) return [];
  const names = new Map([...operations].map(([name, id]) => [id, name]));
  return [...statuses].flatMap(([id, { submission }]) => {
    const start = id.slice(0, 10);
    if (submission === undefined || !starts.has(start)) return [];
    return [{ name: names.get(id) ?? `${start}…`, text: submissionText(submission, directory) }];
  });
}

function submissionText(submission: Submission, directory: Directory): string {
  if (isRecovery(submission))
    return `the recovery of ${directory.nameOf(submission.account)}'s nonce ${submission.nonce}`;
  const { sender, operation } = submission;
  const { verb = operation.kind, members = {} } = formOf(submission, directory) ?? {};
  const { from: _signer, ...rest } = members as Readonly<Record<string, unknown>>;
  const said = membersText(rest);
  return `${directory.nameOf(sender)}'s ${verb} ${operation.nonce}${said === "" ? "" : ` (${said})`}`;
}
