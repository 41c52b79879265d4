/** Arbitrary scenario files from the published schema: every verb, kind and member, with names that often match. */
import fc from "fast-check";
import { publishedSchema } from "../../src/scenario/schema/schema.ts";

type Node = Record<string, unknown> & {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly properties?: Record<string, Node>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly anyOf?: readonly Node[];
  readonly additionalProperties?: Node | false;
};

const ACCOUNTS = ["alice", "bob", "issuer", "operator", "0x00000000000000000000000000000000000000aa"];
/** Workloads assign their nonces, so they send no single operations. */
const WALLETS = ["wanda", "walt"];
const NODES = ["v1", "v2", "v4", "v4'"];
const SPARES = ["v5", "v6"];
const KEYS = ["v1", "v2/2", "v3", "v4", "v4/3", "v5"];
const IDS = ["x", "y", "z"];

/** Possible names in a member, by its key. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  node: NODES,
  nodes: ["v1", "v2"],
  restart: NODES,
  resume: ["v1", "v2"],
  wipe: NODES,
  backup: ["v1", "v2"],
  restore: ["v1", "v2"],
  home: NODES,
  // Of the core nobody is Byzantine.
  core: ["v3"],
  only: NODES,
  twins: ["v4"],
  spares: SPARES,
  validators: KEYS,
  committee: KEYS,
  partition: NODES,
  twin: NODES,
  faulty: NODES,
  crashed: NODES,
  restarted: NODES,
  by: [...NODES, "alice"],
  cut: [...NODES, "alice"],
  delay: [...NODES, "alice"],
  loss: [...NODES, "alice"],
  duplicate: [...NODES, "alice"],
  reorder: [...NODES, "alice"],
  drop: [...NODES, "alice"],
  hold: [...NODES, "alice"],
  heal: [...NODES, "alice"],
  towards: [...NODES, "alice"],
  rule: ["r", "q"],
  undrop: ["r"],
  release: ["r"],
  held: ["r"],
  token: ["USD", "RWA"],
  symbol: ["EUR", "USD"],
  tokens: ["USD", "RWA"],
};
const OPERATIONS = [
  ...["checkpointed", "unlisted"],
  ...["id", "of", "repeat", "evidence", "submitted", "voted", "committed", "proposed", "decided", "applied"],
  ...["responded", "void", "final", "superseded", "pending", "undecided", "refused", "failed", "fee", "stalled"],
];
const ENDS = ["from", "to"];
const LINKS = ["cut", "delay", "loss", "duplicate", "reorder", "drop", "hold"];

function namesFor(path: readonly string[]): readonly string[] {
  const key = path.findLast((part) => part !== "[]" && part !== "{}") ?? "";
  if (ENDS.includes(key) && path.some((part) => LINKS.includes(part))) return [...NODES, "alice"];
  if (path.includes("govern") && key === "to") return NODES;
  if (path.includes("govern") && (key === "id" || key === "repeat")) return ["p"];
  if (path.at(-1) === "{}" && path.at(-2) === "rewards") return KEYS;
  if (path.at(-1) === "{}" && ["balances", "balance"].includes(path.at(-2) ?? "")) return ACCOUNTS;
  if (path.at(-1) === "{}" && path.at(-2) === "{}") return ["USD", "RWA"];
  if (OPERATIONS.includes(key)) return IDS;
  if (path.includes("workload") && !["token", "symbol"].includes(key)) return WALLETS;
  return NAMES[key] ?? ACCOUNTS;
}

const AMOUNTS = fc.constantFrom("0", "1", "1", "10", "2.5", "100", "0.01", "9999999999999999");
const RANGES = fc.constantFrom("0", "1", "1", "1..5", "0.5..7", "3..9999999999999999", "7..1");

/** Texts that match the pattern, by its purpose. */
function textOf(pattern: string, path: readonly string[]): fc.Arbitrary<unknown> {
  if (pattern === "^none$") return fc.constant("none");
  if (pattern.startsWith("^[A-Za-z_]") || pattern.startsWith("^([A-Za-z_]")) return fc.constantFrom(...namesFor(path));
  if (pattern.includes("0,77")) return AMOUNTS;
  if (pattern.includes("0,15")) return RANGES;
  if (pattern.includes("0,5")) return fc.constantFrom("0/1", "1/10", "1/2", "1/1", "9/2", "999999/999999");
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom("0", "5..20", "0..0", "100", "86400000", "1..3") },
    { weight: 1, arbitrary: fc.constantFrom("20..5", "99999999") },
  );
}

function integerOf({ minimum, maximum }: Node): fc.Arbitrary<number> {
  const [least, most] = [Number(minimum ?? 0), Number(maximum ?? Number.MAX_SAFE_INTEGER)];
  const small = fc.integer({ min: least, max: Math.min(most, least + 9) });
  return fc.oneof({ weight: 6, arbitrary: small }, { weight: 1, arbitrary: fc.constantFrom(least, most) });
}

function arbitraryOf(node: Node, path: readonly string[]): fc.Arbitrary<unknown> {
  if ("const" in node) return fc.constant(node["const"]);
  // A chaos lasts longer than the time between two of its faults.
  if (path.at(-1) === "for_ms") return fc.constantFrom(1_000, 5_000);
  if (path.includes("chaos") && path.at(-1) === "every_ms") return fc.constant("5..200");
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map((one) => arbitraryOf(one, path)));
  const types = [node.type ?? "string"].flat();
  return fc.oneof(...types.map((type) => typed(type, node, path)));
}

function typed(type: string, node: Node, path: readonly string[]): fc.Arbitrary<unknown> {
  switch (type) {
    case "boolean":
      return "not" in node ? fc.constant(true) : fc.boolean();
    case "integer":
      return integerOf(node);
    case "array":
      return fc.array(arbitraryOf(node.items ?? {}, [...path, "[]"]), {
        minLength: Number(node["minItems"] ?? 0),
        maxLength: Math.min(Number(node["maxItems"] ?? 3), 3),
      });
    case "object":
      return node.properties === undefined ? tableOf(node, path) : objectOf(node, path);
    default:
      return node.pattern === undefined ? fc.constantFrom("text", "t") : textOf(node.pattern, path);
  }
}

function tableOf(node: Node, path: readonly string[]): fc.Arbitrary<unknown> {
  const here = [...path, "{}"];
  const values = arbitraryOf((node.additionalProperties ?? {}) as Node, here);
  return fc.dictionary(fc.constantFrom(...namesFor(here)), values, { minKeys: 1, maxKeys: 2 });
}

function objectOf(node: Node, path: readonly string[]): fc.Arbitrary<unknown> {
  // A file that starts programs is refused (test/external/commands-in-files.test.ts).
  const isCommand = (key: string): boolean => path.join() === "network" && (key === "node" || key === "nodes");
  const properties = Object.entries(node.properties ?? {}).filter(([key]) => !isCommand(key));
  const choices = (node.oneOf ?? []).flatMap(({ required }) => required);
  const chosen = choices.length === 0 ? fc.constant(undefined) : fc.constantFrom(...choices);
  return chosen.chain((choice) => {
    const members = properties.filter(([key]) => key === choice || !choices.includes(key));
    const needed = [...(node.required ?? []), ...(choice === undefined ? [] : [choice])];
    const model = Object.fromEntries(members.map(([key, member]) => [key, arbitraryOf(member, [...path, key])]));
    return fc.record(model, { requiredKeys: needed.filter((key) => key in model) });
  });
}

const schema = publishedSchema() as unknown as Node;
const part = (name: string): fc.Arbitrary<unknown> => arbitraryOf(schema.properties?.[name] as Node, [name]);
const partOf = (name: string): fc.Arbitrary<unknown> => arbitraryOf(schema.properties?.[name]?.items ?? {}, [name]);

type Parts = Record<string, unknown>;

/** Mostly removes members that depend on others: a file with them rarely passes. */
function tidied(one: Parts, rules: readonly (readonly [extra: string, goesWith: string])[]): Parts {
  const gone = rules.filter(([, other]) => one[other] === undefined).map(([extra]) => extra);
  return Object.fromEntries(Object.entries(one).filter(([key]) => !gone.includes(key)));
}

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, tidy: (one: T) => T): fc.Arbitrary<T> =>
  fc.tuple(arbitrary, fc.nat(9)).map(([one, draw]) => (draw === 0 ? one : tidy(one)));

function tidySubmit(submit: Parts, index: number): Parts {
  const { id: _id, ...rest } = submit;
  if (rest["repeat"] === undefined) return { nonce: 0, ...rest, id: `s${index}` };
  return { repeat: rest["repeat"], ...(rest["times"] === undefined ? {} : { times: rest["times"] }) };
}

/** Valid keys and fees of an epoch, or a proposal of the file once more. */
function tidyGovern(govern: Parts, index: number): Parts {
  const { id: _id, repeat, to, validators, fees: _fees, checkpoints, ...rest } = govern;
  if (repeat !== undefined) return { repeat: "p", ...(to === undefined ? {} : { to }) };
  return {
    ...rest,
    id: `g${index}`,
    ...(to === undefined ? {} : { to }),
    ...(validators === undefined ? {} : { validators: [...new Set(validators as string[])] }),
    ...(checkpoints === undefined || checkpoints === "none" ? {} : { checkpoints }),
  };
}

function tidyStep(one: Parts, at: number, index: number): Parts {
  const { after, only, at: _at, ...verb } = one;
  const patterned = Object.entries(verb).map(([key, body]) => {
    if (key === "submit") return [key, tidySubmit(body as Parts, index)];
    if (key === "govern") return [key, tidyGovern(body as Parts, index)];
    if (key !== "drop" && key !== "hold") return [key, body];
    const { account: _account, token: _token, checkpoint: _checkpoint, epoch: _epoch, ...rest } = body as Parts;
    return [key, index % 3 === 0 || rest["of"] === undefined ? rest : { ...rest, token: "USD", of: undefined }];
  });
  const when = after !== undefined && at % 4 === 0 ? { after } : { at };
  return { ...Object.fromEntries(patterned), ...("submit" in verb && only !== undefined ? { only } : {}), ...when };
}

const steps = fc
  .array(fc.tuple(partOf("steps"), fc.nat(3_000), fc.nat(9)), { maxLength: 4 })
  .map((all) => all.map(([one, at, draw], index) => (draw === 0 ? one : tidyStep(one as Parts, at, index))));

const expectation = sometimes(partOf("expect") as fc.Arbitrary<Parts>, (one) => {
  const atEnd = ["violation", "stalled", "nothing_final", "all_final"].some((key) => key in one);
  const { at, ...rest } = tidied(one, [
    ["faulty", "violation"],
    ["within_ms", "final" in one ? "final" : "checkpointed"],
  ]);
  return atEnd || at === undefined ? rest : { ...rest, at };
});

const clients = sometimes(part("clients") as fc.Arbitrary<Record<string, Parts>>, (all) =>
  Object.fromEntries(
    Object.entries(all).map(([name, one]) => {
      const { on_refusal, behaviour, ...rest } = one;
      if (behaviour === "scripted" || on_refusal === undefined) return [name, { ...rest, behaviour: "scripted" }];
      return [name, { ...rest, on_refusal }];
    }),
  ),
);

const genesis = {
  checkpoints: { interval_ms: 300 },
  tokens: {
    USD: { decimals: 6, master: "issuer" },
    RWA: { decimals: 18, master: "alice", private: true, whitelist: ["bob", "issuer"] },
  },
  balances: { alice: { USD: "100" }, bob: { USD: "50", RWA: "9" } },
};

/** Operations that names may refer to. */
const declared = [
  { at: 0, submit: { id: "x", payment: { from: "alice", to: "bob", token: "USD", value: "10" }, nonce: 0 } },
  { at: 5, submit: { id: "y", mint: { from: "issuer", to: "bob", token: "USD", value: "5" }, nonce: 0 } },
  { at: 7, hold: { rule: "r", kinds: ["vote"], to: ["v2"], round: 3 } },
  { at: 8, govern: { id: "p", to: ["v2"], validators: ["v1", "v2/2", "v3", "v4"] } },
  { at: 9, submit: { id: "z", payment: { from: "bob", to: "alice", token: "USD", value: "1" }, nonce: 0 } },
];

/** A scenario file as text. Many are invalid. */
export const file: fc.Arbitrary<string> = fc
  .record(
    {
      steps: steps.map((all) => [...declared, ...all]),
      network: part("network").map((one) => ({ ...(one as object), validators: 4, spares: SPARES, twins: ["v4"] })),
      genesis: fc.oneof({ weight: 4, arbitrary: fc.constant(genesis) }, part("genesis")),
      clients,
      healing: part("healing"),
      expect: fc.array(expectation, { maxLength: 2 }),
    },
    { requiredKeys: ["steps", "genesis", "network"] },
  )
  .map((parts) => JSON.stringify({ name: "an arbitrary file", ...parts }, undefined, 1));
