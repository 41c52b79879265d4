/** No part of a served run has a field that a copy of its state forgets: each is captured and restored, or is wiring. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Folders of what a served run keeps between two events. Validators' states are plain records: `forkValidator`. */
const FOLDERS = ["src/live", "src/run", "src/simulator", "src/invariants"];

/** Fields that are the same in every run of one setup, or that the first use makes again. */
const WIRING: Readonly<Record<string, readonly string[]>> = {
  LiveRun: ["byzantine", "compiled", "#setup", "#signatures", "shelf"],
  LivenessWatch: ["#translator", "#faults"],
  // The keys of its records, and those read last.
  Shelf: ["#store", "#constants", "#index", "#read", "#repeated"],
  SlotProgress: ["#hashes", "#notify", "#isDecided"],
  ArchiveWriter: ["genesisLink", "#sources"],
  Translator: ["#commons", "#operator", "#isOpaque", "#sink", "#honest", "#chain", "#genesis", "#proofs", "#seen"],
  AppliedChanges: ["#genesis", "#log"],
  CheckpointChain: ["#genesis", "#rules", "#whole", "#old"],
  World: ["#engine"],
  // A copy holds what is not done.
  Node: ["config", "done"],
  Network: ["#makeLink"],
  // A copy holds what still waits.
  Wallet: ["#placed"],
  Client: ["name", "index", "plan"],
  Engine: ["config", "listener", "choices"],
  // The yield of one event is empty between two events, and books are told apart again.
  Chronicle: ["setting", "directory", "valueName", "signatures", "conflicts", "#own"],
};

/** Classes without a state of their own between two events, or whose owners capture what they hold. */
const WITHOUT_STATE: readonly string[] = [
  "ServedNetwork", // holds a run, and the recording's inputs
  "TakenSnapshots", // of an operator: the recording has them
  "Inputs",
  "Repetition", // of the past, beside the network
  "ByteWriter",
  "ByteReader",
  "ObjectNumbers",
  "GraphWriter",
  "GraphReader",
  "EventNames", // of narratives
  "DecisionProofs", // a cache
  "OperationLog", // of a trace: watches a repetition of the past
  "Recorder",
  "RunRecord", // of a whole run, which no served network has
  "OperationStatus", // of such a run
  "Choices", // of the explorer, and of runs that are repeated
  "NodeOutputs",
  "EventQueue", // `Engine` captures its entries
  "Digester",
  "Stream", // a function of its label
  "Mix", // `Trace` captures its lanes
  "MemoryStore", // `Shelf` captures the places
  "KeyIndex",
  "SlotBook", // `Chronicle` shares it with copies until it changes
];

interface Part {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);

/** Classes of a file, from their first line to the closing brace at its beginning. */
function classesIn(file: string): readonly Part[] {
  return [...readFileSync(file, "utf8").matchAll(/^(?:export )?class (\w+)[\s\S]*?^}$/gm)].map(([text, name = ""]) => ({
    name,
    file,
    text,
  }));
}

const parts = files.flatMap(classesIn);

/** Names of the fields of a class: its members that are neither methods, accessors nor static. */
function fieldsOf({ text }: Part): readonly string[] {
  return [...text.matchAll(/^ {2}(?:readonly )?(#?\w+)[?!]?(?:: | = )/gm)].map(([, name = ""]) => name);
}

/** Returns the body of a method, to the closing brace at its own depth; empty if there is none. */
function methodOf({ text }: Part, name: string): string {
  return new RegExp(`^  (?:static )?${name}\\([\\s\\S]*?^  }$`, "m").exec(text)?.[0] ?? "";
}

function isNamed(field: string, text: string): boolean {
  return new RegExp(`(?<![\\w#])${field}(?!\\w)`).test(text);
}

const capturing = parts.filter((part) => methodOf(part, "capture") !== "" && !WITHOUT_STATE.includes(part.name));

test.each(capturing)("$name captures and restores each of its fields that is no wiring", (part) => {
  const wiring = WIRING[part.name] ?? [];
  const restore = methodOf(part, "restore") || methodOf(part, "of");
  // `Object.assign` takes back what the capture spreads.
  const isWhole = restore.includes("Object.assign(this,");
  const capture = methodOf(part, "capture");
  const fields = fieldsOf(part);
  expect(fields.length).toBeGreaterThan(0);
  const forgotten = fields.filter(
    (field) =>
      !wiring.includes(field) &&
      (!isNamed(field, capture) || !(isNamed(field, restore) || (isWhole && !field.startsWith("#")))),
  );
  expect(forgotten).toEqual([]);
  expect(wiring.filter((field) => !fields.includes(field))).toEqual([]);
});

test("every class of a served run captures its state, or is known to have none", () => {
  const known = new Set([...capturing.map(({ name }) => name), ...WITHOUT_STATE]);
  expect(parts.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  const names = new Set(parts.map(({ name }) => name));
  expect(WITHOUT_STATE.filter((name) => !names.has(name))).toEqual([]);
});

/** State in closures: variables of the functions that return an object with `capture`. */
function closuresIn(file: string): readonly Part[] {
  const functions = readFileSync(file, "utf8").matchAll(/^(?:export )?function (\w+)[\s\S]*?^}$/gm);
  return [...functions]
    .map(([text, name = ""]) => ({ name, file, text }))
    .filter(({ text }) => /^ {4}capture(?:\(|:)/m.test(text));
}

const closures = files.flatMap(closuresIn);

test("the functions that keep a run's state in variables are found", () => {
  const names = closures.map(({ name }) => name);
  for (const name of ["oracle", "createJudge", "orderNotifications", "createDeferredJudge", "createCommittees"])
    expect(names).toContain(name);
});

test.each(closures)("$name captures and restores each of its variables", ({ name, text }) => {
  const variables = [...text.matchAll(/^ {2}let (\w+)|^ {2}const (\w+)(?:: [^=]*)? = (?:new|\[|\{)/gm)].map(
    ([, one, other]) => one ?? other ?? "",
  );
  const known: Readonly<Record<string, readonly string[]>> = {
    // The yield of one event, and its place; a count for campaigns, whose runs return to nothing.
    oracle: ["newViolations", "current", "judgements"],
    // Judged before a capture, and dropped by a return.
    createDeferredJudge: ["kept"],
  };
  const returned = text.slice(text.search(/^ {4}capture(?:\(|:)/m));
  const capture = returned.slice(0, returned.search(/^ {4}restore(?:\(|:)/m));
  const restore = returned.slice(capture.length);
  const forgotten = variables.filter(
    (variable) =>
      known[name]?.includes(variable) !== true && !(isNamed(variable, capture) && isNamed(variable, restore)),
  );
  expect(forgotten).toEqual([]);
});
