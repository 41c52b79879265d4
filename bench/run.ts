/**
 * `npm run bench` measures every question below and writes `reports/bench.md` with its plots.
 *
 *     npm run bench                             all questions, under 15 minutes on two free cores
 *     npm run bench -- --quick                  the same, shortened to about two minutes
 *     npm run bench -- --seconds 1              each target works for a second in a round; default 3
 *     npm run bench -- payment messages         these questions alone, printed and not written
 *     npm run bench -- payment start --write    the page with these questions alone
 *     npm run bench -- micro --quick            primitives, step, apply, oracles, draw and parse: a table of each
 *     npm run bench -- accounts --accounts 1000000
 *     npm run bench -- served-memory --payments 1000000
 *     npm run bench -- parts                    where the time of a run goes, by a profiler; never on the page
 *     npm run bench -- limits                   the page `reports/limits.md`: what runs, states and campaigns of some sizes take
 *     npm run bench -- why                      the page `reports/why.md`: causes that `quorumlab why` names of known-bad variants
 *
 * `npm ci --prefix bench/references` installs the networks that the served path is compared with, and Quint.
 *
 * To add a figure: write a function that returns a `Section` (page/section.ts) in a file of `figures` or `curves`, and name
 * it below. Its targets take turns through `interleaved` (page/rounds.ts); a row of the table says what it is compared with,
 * its goal and what was found (page/table.ts); `curveSection` (page/curve.ts) makes table, exponent and plot of a cost by a
 * size. The time of something small is a row of a group of `micro`, by the harness there. A figure that is missing here, such as a reference that is not installed, has `here: undefined`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { loadQuickKeccak } from "../src/backends/keccak.ts";
import { checkpointsCurve } from "./curves/checkpoints.ts";
import { servedMemoryCurve } from "./curves/served-memory.ts";
import { accountsCurve, operationsCurve, validatorsCurve } from "./curves/sizes.ts";
import { memoryFigures } from "./figures/memory.ts";
import { messageFigures } from "./figures/messages.ts";
import { paymentFigures } from "./figures/payment.ts";
import { postFigures } from "./figures/post.ts";
import { searchFigures } from "./figures/search.ts";
import { startFigures } from "./figures/start.ts";
import { transferFigures } from "./figures/transfer.ts";
import { workUnitFigures } from "./figures/work-units.ts";
import { limitsPage } from "./limits.ts";
import { microTables } from "./micro/micro.ts";
import { type Measurement, machineLine, machineLoad, PLOTS, pageOf } from "./page/page.ts";
import type { Effort } from "./page/rounds.ts";
import type { Question, Section } from "./page/section.ts";
import { figureTable } from "./page/table.ts";
import { printParts } from "./parts.ts";
import { whyPage } from "./why.ts";

const FULL: Effort = { rounds: 3, ms: 3_000, quick: false };
const QUICK: Effort = { rounds: 3, ms: 300, quick: true };
const FOLDER = "reports";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    seconds: { type: "string" },
    accounts: { type: "string", default: "100000" },
    payments: { type: "string", default: "100000" },
  },
});

/** In the order of the page. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  messages: messageFigures,
  search: searchFigures,
  payment: paymentFigures,
  post: postFigures,
  "work-units": workUnitFigures,
  memory: memoryFigures,
  transfer: transferFigures(Number(values.accounts)),
  start: startFigures,
  validators: validatorsCurve,
  accounts: accountsCurve(Number(values.accounts)),
  operations: operationsCurve,
  "served-memory": servedMemoryCurve(Number(values.payments)),
  checkpoints: checkpointsCurve,
  micro: microTables,
};

// An exit by a signal ends the networks that were started, too.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
// As every command does.
await loadQuickKeccak();
const usual = values.quick ? QUICK : FULL;
const effort: Effort = values.seconds === undefined ? usual : { ...usual, ms: 1_000 * Number(values.seconds) };
const [loadBefore, began] = [machineLoad(), performance.now()];
if (positionals.length === 1 && positionals[0] === "parts") await printParts();
else if (positionals.length === 1 && positionals[0] === "limits") writeOwnPage("limits", limitsPage);
else if (positionals.length === 1 && positionals[0] === "why") writeOwnPage("why", whyPage);
else if (positionals.length > 0 && !values.write) for (const name of positionals) print(await answered(name));
else await writePage(positionals.length > 0 ? positionals : Object.keys(QUESTIONS));

async function answered(name: string): Promise<Section> {
  const question = QUESTIONS[name];
  if (question === undefined)
    throw new RangeError(`no question "${name}": expected parts, ${Object.keys(QUESTIONS).join(", ")}`);
  const start = performance.now();
  const section = await question(effort);
  console.error(`${name}: ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  return section;
}

function writeOwnPage(name: string, page: (head: string) => string): void {
  const head = `\`npm run bench -- ${name}\` wrote this page on ${today()}, commit ${commit()}`;
  writeFileSync(`${FOLDER}/${name}.md`, page(head));
}

/** One question that fails does not take the others' answers along, and the page says so. */
function failed(name: string, error: unknown): Section {
  console.error(error);
  return { title: `Not measured: ${name}`, text: [`\`${String(error).split("\n")[0]}\``] };
}

function print({ title, rows = [], text = [] }: Section): void {
  const parts = [`## ${title}`, ...(rows.length === 0 ? [] : [figureTable(rows)]), ...text];
  console.log(`${parts.join("\n\n")}\n\n${machineLine()}\n`);
}

async function writePage(names: readonly string[]): Promise<void> {
  const measured = commit();
  const sections: Section[] = [];
  for (const name of names) sections.push(await answered(name).catch((error) => failed(name, error)));
  const words = process.argv.slice(2).join(" ");
  const command = `npm run bench${words === "" ? "" : ` -- ${words}`}`;
  const minutes = (performance.now() - began) / 60_000;
  const measurement: Measurement = { sections, effort, command, minutes, loadBefore, day: today(), commit: measured };
  const { text, plots } = pageOf(measurement);
  rmSync(`${FOLDER}/${PLOTS}`, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/${PLOTS}`, { recursive: true });
  writeFileSync(`${FOLDER}/bench.md`, text);
  for (const { file, svg } of plots) writeFileSync(`${FOLDER}/${PLOTS}/${file}.svg`, svg);
  console.log(`${FOLDER}/bench.md and ${plots.length} plots in ${FOLDER}/${PLOTS}`);
}

/** The year, month and day. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** The commit that is measured; `undefined` outside of a clone. */
function commit(): string | undefined {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
