/** The page reports/why.md: the causes that `quorumlab why` names of every known-bad variant's own scenario. */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Cause, Why } from "../src/run/events/causes.ts";
import { Recorder } from "../src/run/events/recorder.ts";
import { runScenario } from "../src/run/run.ts";
import { createParser } from "../src/scenario/parse.ts";
import type { Scenario } from "../src/scenario/scenario.ts";
import { withoutExpectedViolation } from "../src/search/shrink/shrink.ts";
import { why } from "../src/search/why/why.ts";
import { machineLine } from "./page/page.ts";
import { digits } from "./page/statistics.ts";
import { table } from "./page/table.ts";

const FOLDER = "scenarios/bugs";
const SEED = "1";
/** CPU seconds of a search: ten seconds at half of a core. */
const CPU_SECONDS = 5;

interface Answer {
  readonly name: string;
  readonly why: Why;
  readonly cpuSeconds: number;
  /** Place of the first deviation among the causes, from the violation backwards; 0 if it is not among them. */
  readonly rank: number;
}

/** Returns the page. `head`: the command, day and commit. */
export function whyPage(head: string): string {
  const answers = scenarios().flatMap(([name, scenario]) => answerFor(name, scenario) ?? []);
  const ranks = answers.flatMap(({ rank }) => (rank === 0 ? [] : [rank])).sort((a, b) => a - b);
  const known = answers.filter(({ why: { deviation } }) => deviation !== null).length;
  const whole = answers.filter(({ why: { untried } }) => untried.length === 0).length;
  const essential = answers.filter((answer) => answer.why.essential.length > 0).length;
  return `${[
    "# Causes of known-bad variants",
    `${head}; the same command renews it. Machine: ${machineLine()}.`,
    `\`quorumlab why\` of each variant's own scenario under seed ${SEED}, for at most ${CPU_SECONDS} s of CPU time: ten seconds at half of a core. ` +
      "**rank**: the place of the first step that the real program would not take, among the causes that suffice or are essential, counted from the violation " +
      "backwards. A cause counts as that step if it is its input, or a message that was sent in it. The search does not know the real program.",
    table(
      [
        "scenarios that fail",
        "searched to the end",
        "with essential causes",
        "first deviation known",
        "among the causes",
        "median rank",
        "rank at most 3",
      ],
      [
        [
          `${answers.length}`,
          `${whole}`,
          `${essential}`,
          `${known}`,
          `${ranks.length}`,
          `${ranks[ranks.length >> 1] ?? "none"}`,
          `${ranks.filter((rank) => rank <= 3).length}`,
        ],
      ],
    ),
    table(
      ["variant", "invariant", "causes", "essential", "suffice", "orders", "seeds that fail", "rank", "runs", "CPU s"],
      answers.map(rowOf),
    ),
  ].join("\n\n")}\n`;
}

function rowOf({ name, why: found, cpuSeconds, rank }: Answer): readonly string[] {
  const { invariant, causes, essential, sufficient, minimal, orders, chance, deviation, runs } = found;
  return [
    name,
    invariant,
    `${causes}`,
    `${essential.length}`,
    `${minimal ? "" : "≤ "}${sufficient.length}`,
    `${orders.length}`,
    chance === null ? "not tried" : `${chance.failing} of ${chance.reseeds}`,
    deviation === null ? "unknown" : rank === 0 ? "none" : `${rank}`,
    `${runs}`,
    digits(cpuSeconds),
  ];
}

function scenarios(): readonly (readonly [name: string, scenario: Scenario])[] {
  const parser = createParser();
  return readdirSync(FOLDER).flatMap((file) => {
    const parsed = parser.parse(readFileSync(`${FOLDER}/${file}`, "utf8"));
    if (!parsed.ok || parsed.value.bug === undefined) return [];
    return [[basename(file, ".yaml"), withoutExpectedViolation(parsed.value)] as const];
  });
}

/** `undefined` for a run without a failure. */
function answerFor(name: string, scenario: Scenario): Answer | undefined {
  const before = process.cpuUsage();
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const work = why({ scenario, seed: SEED });
  let slice = work.next();
  while (slice.done !== true) slice = work.next(seconds() > CPU_SECONDS);
  const found = slice.value;
  if (found === undefined) {
    console.error(`${name}: no failure`);
    return undefined;
  }
  const cpuSeconds = seconds();
  console.error(`${name}: ${found.runs} runs, ${digits(cpuSeconds)} s`);
  const rank = found.deviation === null ? 0 : rankOf(found, found.deviation.step, scenario);
  return { name, why: found, cpuSeconds, rank };
}

function rankOf({ essential, sufficient }: Why, step: number, scenario: Scenario): number {
  const outputs = sentIn(step, scenario);
  const isDeviation = ({ event }: Cause): boolean =>
    event.step === step || (event.kind === "delivered" && outputs.has(`${event.from} ${event.to} ${event.number}`));
  const shown = [...new Set([...essential, ...sufficient])].sort((a, b) => b.event.step - a.event.step);
  return shown.findIndex(isDeviation) + 1;
}

/** Messages that a step sends, by their link and number. */
function sentIn(step: number, scenario: Scenario): ReadonlySet<string> {
  const sent = new Set<string>();
  runScenario(scenario, {
    seed: SEED,
    watch: (compiled) =>
      new Recorder(compiled, {
        kinds: new Set(["sent"]),
        observe: (event) => {
          if (event.kind === "sent" && event.step === step) sent.add(`${event.from} ${event.to} ${event.number}`);
        },
      }),
  });
  return sent;
}
