/**
 * First event in which two runs differ. Runs are deterministic, so none is kept in memory: a first pass keeps a
 * fingerprint for each block of events, and if one differs, a second pass keeps the events of that block.
 */
import { eventText } from "../run/events/event-text.ts";
import { createRecorder, type EventLog } from "../run/events/recorder.ts";
import { operationLabels } from "../run/events/reference-text.ts";
import type { RunEvent } from "../run/events/run-event.ts";
import { EXIT, type ExitCode } from "./command.ts";
import type { Io } from "./io.ts";

/** Events of context before the first difference. */
const BEFORE = 3;
/** Events of one fingerprint. */
const BLOCK = 256;

/** A run that can be repeated. */
export interface ComparedRun {
  /** Runs it before an observer; returns its hash. */
  readonly run: (watch: EventLog["watch"]) => string;
  /** Virtual time after which events do not count. */
  readonly until: number;
}

/** Prints the first event in which two runs differ, else whether their hashes do. The exit code is 0 if they are equal. */
export function printDifference(first: ComparedRun, second: ComparedRun, io: Io): ExitCode {
  const [left, right] = [fingerprintsOf(first), fingerprintsOf(second)];
  const blocks = Math.max(left.blocks.length, right.blocks.length);
  const block = Array.from({ length: blocks }, (_, at) => at).find((at) => left.blocks[at] !== right.blocks[at]);
  if (block !== undefined) return printBlock(first, second, block * BLOCK, io);
  if (left.hash === right.hash) {
    io.out(`same  ${left.count} events\n`);
    return EXIT.expected;
  }
  const hashes = `${left.hash}, ${right.hash}`;
  io.out(`differs  in the bytes of a message or record: ${hashes}; none of ${left.count} events differs\n`);
  return EXIT.failed;
}

/** Returns each event as a line of step, virtual time and text. */
export function linesOf(events: readonly RunEvent[]): readonly string[] {
  const labels = operationLabels(events);
  return events.map((event) => `${event.step} ${event.at} ms  ${eventText(event, labels)}`);
}

/** Prints the first difference at or after the event number `from`, with the events before it. */
function printBlock(first: ComparedRun, second: ComparedRun, from: number, io: Io): ExitCode {
  const [mine, others] = [eventsAround(first, from), eventsAround(second, from)];
  const length = Math.max(mine.events.length, others.events.length);
  const place = Array.from({ length }, (_, at) => at).find(
    (at) => JSON.stringify(mine.events[at]) !== JSON.stringify(others.events[at]),
  );
  const end = (place ?? length) + 1;
  const [left = [], right = []] = [mine, others].map(({ operations, events }) => {
    const seen = events.slice(0, end);
    return linesOf([...operations, ...seen]).slice(operations.length);
  });
  for (const line of left.slice(Math.max(0, end - 1 - BEFORE), end - 1)) io.out(`  ${line}\n`);
  io.out(`- ${left[end - 1] ?? "(the end)"}\n+ ${right[end - 1] ?? "(the end)"}\n`);
  return EXIT.failed;
}

interface RunFingerprints {
  /** The fingerprint of all events up to the end of each block. */
  readonly blocks: readonly number[];
  readonly count: number;
  readonly hash: string;
}

function fingerprintsOf(run: ComparedRun): RunFingerprints {
  const blocks: number[] = [];
  let print = { high: 0xdeadbeef, low: 0x41c6ce57 };
  let count = 0;
  const hash = observeRun(run, (event) => {
    print = mixText(print, JSON.stringify(event));
    count += 1;
    if (count % BLOCK === 0) blocks.push(numberOf(print));
  });
  if (count % BLOCK !== 0) blocks.push(numberOf(print));
  return { blocks, count, hash };
}

interface EventContext {
  /** Definitions of operations before the events. */
  readonly operations: readonly RunEvent[];
  readonly events: readonly RunEvent[];
}

/** Returns the events of the block that begins at `from`, and those of the context before it. */
function eventsAround(run: ComparedRun, from: number): EventContext {
  const operations: RunEvent[] = [];
  const events: RunEvent[] = [];
  let index = 0;
  observeRun(run, (event) => {
    if (index >= from - BEFORE && index < from + BLOCK) events.push(event);
    else if (index < from && event.kind === "operation") operations.push(event);
    index += 1;
  });
  return { operations, events };
}

function observeRun({ run, until }: ComparedRun, observe: (event: RunEvent) => void): string {
  const observeEarly = (event: RunEvent): void => void (event.at <= until && observe(event));
  return run((compiled) => createRecorder(compiled, { observe: observeEarly }));
}

/** A hash in two lanes, of 32 and 21 bits. */
type Print = Readonly<{ high: number; low: number }>;

/** Absorbs a text, in both lanes as FNV-1a does: each character changes the lanes one to one. */
function mixText({ high, low }: Print, text: string): Print {
  let [a, b] = [high, low];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 16_777_619);
    b = Math.imul(b ^ code, 2_654_435_761);
  }
  return { high: a, low: b };
}

function numberOf({ high, low }: Print): number {
  return (high >>> 0) * 2_097_152 + (low >>> 11);
}
