/** Runs the questions that are named, or all of them: `npm run bench`, `npm run bench -- payment`, `… memory 1000000`. */
const QUESTIONS: Readonly<Record<string, (count?: number) => Promise<unknown>>> = {
  crypto: () => import("./crypto.ts"),
  payment: () => import("./payment.ts"),
  world: () => import("./world.ts"),
  parts: () => import("./parts.ts"),
  roots: () => import("./roots.ts"),
  checkpoints: () => import("./checkpoints.ts"),
  "checkpoint-state": () => import("./checkpoint-state.ts"),
  "finality-beside-checkpoints": () => import("./finality-beside-checkpoints.ts"),
  memory: async (operations) => (await import("./memory.ts")).measureMemory(operations),
  http: async (payments) => (await import("./http.ts")).measureHttp(payments),
};

/** A number belongs to the question before it. */
const words = process.argv.slice(2);
const named = words.filter((word) => !/^\d+$/.test(word));
for (const name of named.length > 0 ? named : Object.keys(QUESTIONS)) {
  const ask = QUESTIONS[name];
  if (ask === undefined) throw new RangeError(`no question "${name}": expected ${Object.keys(QUESTIONS).join(", ")}`);
  const count = words[words.indexOf(name) + 1] ?? "";
  await ask(/^\d+$/.test(count) ? Number(count) : undefined);
}
