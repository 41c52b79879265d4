/** Replay of a recording: the same inputs at the same virtual times give the same run. */

import { requireDefined } from "../core/base/assert.ts";
import { hex, text, uint } from "../core/base/encoding.ts";
import type { Hash, Millis } from "../core/base/ids.ts";
import { slotKey } from "../core/base/slot.ts";
import { taggedHash } from "../core/crypto/hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { stateRoot } from "../core/ledger/roots.ts";
import {
  type NetworkStart,
  NO_EARLIER,
  NO_SNAPSHOTS,
  type SnapshotPosition,
  type Snapshots,
  snapshotsUpTo,
  withSnapshot,
} from "./input-history.ts";
import { byzantineIn, type LiveListeners, LiveRun } from "./live-run.ts";
import type { RecordedInput, Recording, RecordingEntry, VerificationPoint } from "./recording.ts";

/** Part of a recording that its reverts left in effect. */
export interface EffectiveRecording {
  readonly inputs: readonly RecordedInput[];
  /** Each with the number of inputs before it, without those that were undone. */
  readonly verificationPoints: readonly { readonly point: VerificationPoint; readonly after: number }[];
  /** Those of all the past, the one before a start included. */
  readonly snapshots: Snapshots;
  /** Virtual time at which the recording ends. */
  readonly until: number;
}

/** Returns what is in effect of a recording. `start`: the snapshot that its entries follow, with inputs counted from there. */
export function effectiveOf(
  entries: readonly RecordingEntry[],
  start?: Pick<NetworkStart, "earlier" | "snapshots">,
): EffectiveRecording {
  const { count } = start?.earlier ?? NO_EARLIER;
  let inputs: RecordedInput[] = [];
  let points: { readonly point: VerificationPoint; readonly after: number }[] = [];
  let snapshots = start?.snapshots ?? NO_SNAPSHOTS;
  let until = 0;
  for (const entry of entries) {
    const at = entry.at as Millis;
    until = entry.type === "revert" ? at : Math.max(until, at);
    switch (entry.type) {
      case "revert":
        inputs = inputs.slice(0, entry.inputs);
        points = points.filter(({ point, after }) => after <= entry.inputs && point.at <= at);
        snapshots = snapshotsUpTo(snapshots, { inputs: count + entry.inputs, at, number: entry.snapshot });
        break;
      case "snapshot":
        snapshots = withSnapshot(snapshots, { inputs: count + inputs.length, at });
        break;
      case "input":
        inputs.push(entry);
        break;
      case "verification":
        points.push({ point: entry, after: inputs.length });
    }
  }
  return { inputs, verificationPoints: points, snapshots, until };
}

/** Returns entries after a position with inputs counted from there; `undefined` if one of them undoes something before. */
export function entriesFrom(
  { inputs, at }: SnapshotPosition,
  entries: readonly RecordingEntry[],
): readonly RecordingEntry[] | undefined {
  if (entries.some((entry) => entry.type === "revert" && (entry.inputs < inputs || entry.at < at))) return undefined;
  return entries.map((entry) => (entry.type === "revert" ? { ...entry, inputs: entry.inputs - inputs } : entry));
}

/** First verification point that a run does not meet, with the values of the run. */
export interface ReplayDifference {
  readonly point: VerificationPoint;
  readonly steps: number;
  readonly hash: string;
  /** Last verification point that the run met: the first event that differs lies between the two. */
  readonly met: Pick<VerificationPoint, "at" | "steps">;
}

/** Returns the difference in one sentence. */
export function differenceText({ point, hash, steps }: ReplayDifference): string {
  const recorded = `the recording says ${point.hash} after ${point.steps} events, at ${point.at} ms virtual`;
  return `${recorded}; here it is ${hash} after ${steps}`;
}

/**
 * Replays it into a new run, to its end or to an earlier virtual time, or to the first difference: a recording that names
 * a far time does not make it run for longer than the events that it names.
 * @throws RangeError for more events after its last verification point than any network has
 */
export function replayInto(
  run: LiveRun,
  { inputs, verificationPoints: points, until }: EffectiveRecording,
  end: number = until,
): ReplayDifference | undefined {
  const { world } = run;
  let differs: ReplayDifference | undefined;
  let met: ReplayDifference["met"] = { at: 0, steps: 0 };
  let next = 0;
  /** Runs to a time, or to one event more than the recording had. */
  const runTo = (at: number, steps: number): void => {
    if (world.steps <= steps) world.run({ at: at as Millis, steps: steps + 1 - world.steps, quiet: false });
  };
  /** Events that the recording had by the next verification point. */
  const stepsAhead = (): number => points[next]?.point.steps ?? world.steps + TAIL_EVENTS;
  const hasEventsBefore = (at: number): boolean => (world.nextAt() ?? at) < at;
  const meet = (after: number): void => {
    for (; next < points.length && (points[next]?.after ?? 0) <= after; next++) {
      const { point } = requireDefined(points[next], "verification point");
      if (point.at > end) return;
      runTo(point.at, point.steps);
      const { steps, hash } = world;
      if (steps === point.steps && hash === point.hash) met = point;
      else differs ??= { point, steps, hash, met };
    }
  };
  for (const [index, { at, input }] of inputs.entries()) {
    meet(index);
    if (at > end || differs !== undefined) break;
    runTo(at, stepsAhead());
    if (hasEventsBefore(at)) {
      if (next >= points.length) throw tooManyEvents();
      break;
    }
    run.input(at as Millis, input);
  }
  meet(inputs.length);
  if (differs !== undefined) return differs;
  const last = Math.min(until, end);
  runTo(last, stepsAhead());
  if (hasEventsBefore(last)) throw tooManyEvents();
  return undefined;
}

function tooManyEvents(): RangeError {
  return new RangeError(`more than ${TAIL_EVENTS} events follow its last verification point`);
}

/** Most events after the last verification point: a server writes one after each `POINT_EVENTS` at the latest. */
const TAIL_EVENTS = 50_000;

/** Events without news after which a verification point is due. */
export const POINT_EVENTS = 10_000;

export type ReplayedRun = ReturnType<typeof replayRecording>;

export interface ReplayOptions {
  /** Virtual time at which to stop. */
  readonly until?: number;
  readonly listeners?: LiveListeners;
}

/** Runs a recording to its end, or to an earlier virtual time. */
export function replayRecording({ head, entries }: Recording, scheme: Scheme, options: ReplayOptions = {}) {
  const effective = effectiveOf(entries);
  const byzantine = byzantineIn(effective.inputs.map(({ input }) => input));
  const run = new LiveRun(head.setup, byzantine, scheme, options.listeners);
  const differs = replayInto(run, effective, options.until);
  /** State roots of the running nodes at the end. */
  const roots = run.world.nodes.flatMap(({ name }) => {
    const ledger = run.ledgerOf(name);
    return ledger === undefined ? [] : [{ node: name, root: stateRoot(ledger) }];
  });
  return { run, differs, roots, certificates: digestOf(run) };
}

/** Returns a hash over every final operation with its certificate, signatures included. */
function digestOf(run: LiveRun): Hash {
  const items = run.archive.finalCertificates().map(([id, certificate]) => {
    const { epoch, slot, round, value, seals } = run.withSignatures(certificate);
    return [
      hex(id),
      ...[uint(epoch), text(slotKey(slot)), uint(round), hex(value)],
      seals.map(({ signer, signature }) => [hex(signer), hex(signature)]),
    ];
  });
  return taggedHash("certificates", items);
}
