/** A recording again: the same inputs at the same virtual times give the same run. */

import { hex, text, uint } from "../../core/base/encoding.ts";
import type { Hash, Millis } from "../../core/base/ids.ts";
import { slotKey } from "../../core/base/slot.ts";
import { taggedHash } from "../../core/crypto/hash.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { stateRoot } from "../../core/ledger/roots.ts";
import { liarsIn } from "./liars.ts";
import type { Ears } from "./live-run.ts";
import { LiveRun } from "./live-run.ts";
import type { Entry, Recording } from "./recording.ts";

type Input = Extract<Entry, { type: "input" }>;
type Mark = Extract<Entry, { type: "mark" }>;

/** What still counts of a recording after its returns. */
export interface Effective {
  readonly inputs: readonly Input[];
  /** Since the last return, in order: the others speak of what was undone. */
  readonly marks: readonly Mark[];
  /** How far the recording goes. */
  readonly until: number;
}

/** The inputs that count, and how far they lead. */
export function effectiveOf(entries: readonly Entry[]): Effective {
  let inputs: Input[] = [];
  let marks: { readonly mark: Mark; readonly after: number }[] = [];
  let until = 0;
  for (const entry of entries) {
    if (entry.type === "revert") {
      inputs = inputs.slice(0, entry.inputs);
      marks = marks.filter(({ mark, after }) => after <= entry.inputs && mark.at <= entry.at);
      until = entry.at;
    } else {
      if (entry.type === "input") inputs.push(entry);
      else marks.push({ mark: entry, after: inputs.length });
      until = Math.max(until, entry.at);
    }
  }
  return { inputs, marks: marks.map(({ mark }) => mark), until };
}

export interface Replayed {
  readonly run: LiveRun;
  /** The first mark that the run does not meet. */
  readonly differs: { readonly mark: Mark; readonly steps: number; readonly hash: string } | undefined;
  /** State roots of the nodes that run, at the end. */
  readonly roots: readonly { readonly node: string; readonly root: string }[];
  /** Hash over every final operation with its certificate, signatures included. */
  readonly certificates: Hash;
}

export interface ReplayOptions {
  /** A virtual time at which to stop. */
  readonly until?: number;
  /** Keeps a line of every event. */
  readonly record?: boolean;
  readonly ears?: Ears;
}

/** Runs a recording to where it ends, or to a virtual time before. */
export function replay({ head, entries }: Recording, scheme: Scheme, options: ReplayOptions = {}): Replayed {
  const { inputs, marks, until } = effectiveOf(entries);
  const end = Math.min(until, options.until ?? until);
  const liars = liarsIn(inputs.map(({ input }) => input));
  const run = new LiveRun(head.setup, liars, scheme, options.ears, options.record);
  let differs: Replayed["differs"];
  const due = [...inputs, ...marks].filter(({ at }) => at <= end);
  for (const entry of inOrder(due, entries)) {
    if (entry.type === "input") {
      run.input(entry.at as Millis, entry.input);
      continue;
    }
    run.world.run({ at: entry.at as Millis, quiet: false });
    const { steps, hash } = run.world;
    if (differs === undefined && (steps !== entry.steps || hash !== entry.hash)) differs = { mark: entry, steps, hash };
  }
  run.world.run({ at: end as Millis, quiet: false });
  const roots = run.world.nodes.flatMap(({ name }) => {
    const ledger = run.ledgerOf(name);
    return ledger === undefined ? [] : [{ node: name, root: stateRoot(ledger) }];
  });
  return { run, differs, roots, certificates: digestOf(run.archive.certified()) };
}

function inOrder(due: readonly (Input | Mark)[], entries: readonly Entry[]): readonly (Input | Mark)[] {
  const chosen = new Set<Entry>(due);
  return entries.filter((entry): entry is Input | Mark => chosen.has(entry));
}

function digestOf(certified: ReturnType<LiveRun["archive"]["certified"]>): Hash {
  const items = certified.map(([id, { epoch, slot, round, value, seals }]) => [
    hex(id),
    ...[uint(epoch), text(slotKey(slot)), uint(round), hex(value)],
    seals.map(({ signer, signature }) => [hex(signer), hex(signature)]),
  ]);
  return taggedHash("certificates", items);
}
