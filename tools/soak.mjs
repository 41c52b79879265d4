/**
 * Runs for hours what `npm run nightly` runs for minutes, from a seed that nobody used before (or the one given), and keeps
 * each command with its exit code, its minutes and its last line in reports/soak.md. Exits with 1 if one of them failed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";

const seed = process.argv[2] ?? String(Date.now());
const vitest = "npx vitest run --config test/vitest.config.ts --root . --mode soak";
const fuzz = `node dist/cli/main.js fuzz --progress none --seed ${seed}`;
const COMMANDS = [
  `${vitest} test/properties test/server/told test/server/connections test/server/host/state.test.ts test/campaign/redis.nightly.test.ts`,
  `${fuzz} --seeds 20000 --no-guided`,
  `${fuzz}~1 --seeds 10000`,
  `${fuzz}~2 --seeds 3000 --profile deep --no-guided`,
  ...readdirSync("scenarios/explore").map((file) => `node dist/cli/main.js explore scenarios/explore/${file} --progress none`),
  "node dist/cli/main.js hunt --progress none",
  "node tools/soak-memory.mjs 3600",
  "node tools/soak-readers.mjs 600",
];

const rows = COMMANDS.map((command) => {
  const begin = Date.now();
  const { status, stdout } = spawnSync(command, { shell: true, stdio: ["inherit", "pipe", "inherit"], encoding: "utf8", maxBuffer: 2 ** 30 });
  process.stdout.write(stdout);
  const minutes = ((Date.now() - begin) / 60_000).toFixed(1);
  return { command, status, minutes, last: stdout.trim().split("\n").at(-1) ?? "" };
});

const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const table = rows.map(({ command, status, minutes, last }) => `| \`${command}\` | ${status} | ${minutes} | ${last} |`);
const head = ["# Soak", "", `Commit ${commit}, Node ${process.versions.node}.`, "", "| command | exit | minutes | last line |", "|---|--:|--:|---|"];
writeFileSync("reports/soak.md", `${[...head, ...table].join("\n")}\n`);
process.exit(rows.every(({ status }) => status === 0) ? 0 : 1);
