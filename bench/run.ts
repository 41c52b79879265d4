/** Runs the questions that are named, or all of them: `npm run bench`, `npm run bench -- payment`. */
const QUESTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  crypto: () => import("./crypto.ts"),
  payment: () => import("./payment.ts"),
  world: () => import("./world.ts"),
  roots: () => import("./roots.ts"),
};

const named = process.argv.slice(2);
for (const name of named.length > 0 ? named : Object.keys(QUESTIONS)) {
  const ask = QUESTIONS[name];
  if (ask === undefined) throw new RangeError(`no question "${name}": expected ${Object.keys(QUESTIONS).join(", ")}`);
  await ask();
}
