/** Where the time of some work goes: a sampling profiler's samples, each counted for the part of the program it was in. */
import { type Profiler, Session } from "node:inspector/promises";

/** A part, and how its files are known: by a piece of their path. */
export interface Part {
  readonly name: string;
  readonly paths: readonly string[];
}

/** Milliseconds of each part, and of what belongs to none. */
export interface Parts {
  readonly totalMs: number;
  readonly of: ReadonlyMap<string, number>;
}

export const GARBAGE = "garbage collection";
export const REST = "the rest (start, files, native code)";
const SAMPLE_US = 250;

/**
 * Runs the work under the profiler. A sample counts for the part of the innermost frame that belongs to one: frames of none,
 * such as shared containers, count for their callers.
 */
export async function partsOf(parts: readonly Part[], work: () => void): Promise<Parts> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_US });
  await session.post("Profiler.start");
  work();
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  return counted(parts, profile);
}

function counted(parts: readonly Part[], { nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Parts {
  const partOfNode = new Map<number, string>();
  // A parent stands before its children.
  for (const { id, callFrame, children = [] } of nodes) {
    const own = partOfFrame(parts, callFrame) ?? partOfNode.get(id) ?? REST;
    partOfNode.set(id, own);
    for (const child of children) partOfNode.set(child, own);
  }
  const of = new Map<string, number>();
  let totalMs = 0;
  for (const [at, id] of samples.entries()) {
    const part = partOfNode.get(id) ?? REST;
    const ms = (timeDeltas[at] ?? 0) / 1_000;
    of.set(part, (of.get(part) ?? 0) + ms);
    totalMs += ms;
  }
  return { totalMs, of };
}

function partOfFrame(parts: readonly Part[], { url, functionName }: Profiler.Profile["nodes"][number]["callFrame"]) {
  if (functionName === "(garbage collector)") return GARBAGE;
  return parts.find(({ paths }) => paths.some((path) => url.includes(path)))?.name;
}
