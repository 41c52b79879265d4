/** Goal: a command line that is used wrongly is refused with exit code 2, and with what is wrong and what was expected. */
import { expect, test } from "vitest";
import { BUGS } from "../../src/bugs/catalogue.ts";
import { folder, GOOD, refusalOf, runCommand } from "./support.ts";

const FILE = `${folder({ "good.yaml": GOOD })}/good.yaml`;
const NOTHING = `no known-bad variant is called "nothing"`;

test.each<readonly [line: string, words: string | RegExp]>([
  ["", /expected a command/],
  ["rnu x", /run/],
  ["run", /Not enough/],
  ["run x.yaml --sede 1", /sede/],
  ["run x.yaml --crypto none", /stand-in/],
  ["run x.yaml -t nosuch", /Unknown argument: t\n/],
  [`run ${FILE} --seed 9..5`, /--seed: expected an ascending range of at most 1000000 seeds/],
  [`run ${FILE} --seed 1..5 --seeds 2`, /no --seeds beside it/],
  [`run ${FILE} --seed blue --seeds 2`, '--seed: expected the number of the first seed, got "blue"'],
  [`run ${FILE} --seeds 2 --update`, "--update: expected one seed"],
  ["verify x.json", /committee/],
  ["check run", /^run:1:1: cannot be read/],
  ["check -- -dash.yaml", /^\.\/-dash\.yaml:1:1: cannot be read/],
  ["explain run", /run/],
  ["explain nowhere.yaml", /nowhere/],
  ["explain agreemnt", 'did you mean "agreement"?'],
  [`explain ${FILE} --lines 0`, "--lines: expected a whole number from 1"],
  ["fuzz --seeds=0", "--seeds: expected a whole number from 1"],
  ["fuzz --seed=x", "--seed: expected the number of the first seed"],
  ["fuzz --bug=nothing", `--bug: ${NOTHING}`],
  ["fuzz --stop-after=-1", "--stop-after: expected a whole number"],
  ["fuzz --threshold p99<=1", 'of admitted, final, contended, disturbed, empty; got "p99<=1"'],
  ["hunt nothing", `${NOTHING}; quorumlab explain variant lists all ${BUGS.length}`],
  ["hunt --seeds 0", "--seeds: expected a whole number from 1"],
  ["hunt --repeats x", "--repeats: expected a whole number from 1"],
  ["hunt --seed x", "--seed: expected the number of the first seed"],
  [`shrink ${FILE} --runs 0`, "--runs: expected a whole number from 1"],
  [`why ${FILE} --bug nothing`, `--bug: ${NOTHING}`],
  ["twins --validators 9 --twins 3", "twins: expected twins from 0 to 0"],
  ["twins --rounds 0", "--rounds: expected a whole number from 1"],
  ["twins --bug nothing", `--bug: ${NOTHING}`],
  ["twins --bug quorum-off-by-one --node x", "--node: expected no --bug beside it"],
  [`explore ${FILE} --rounds 9`, "--rounds: expected a whole number from 0 to 4"],
  [`explore ${FILE} --byzantine v9`, "no validator is called v9"],
  [`explore ${FILE} --liveness often`, /liveness/],
  ["replay nowhere.ndjson", "nowhere.ndjson: cannot be read"],
  ["replay x.ndjson --until soon", '--until: expected a whole number from 0 to 9007199254740991, got "soon"'],
  ["serve --port 99999", "--port: expected a whole number from 0 to 65535"],
  ["serve --ports some", "--ports: expected one or each"],
  ["serve --validator v9", "--validator: expected one of v1, v2, v3, v4"],
  ["serve --rate-limit x", "--rate-limit: expected a whole number from 0"],
  ["serve --admin-host 0.0.0.0", "set a secret with --admin-token"],
  ["serve --validators none", "--validators: expected a whole number"],
  ["serve --genesis nowhere.yaml", "nowhere.yaml: cannot be read"],
  ["bench --mix bridge=1", "--mix: expected kinds with weights such as payment=9,mint=1"],
  ["bench --fault crash", '--fault: expected a step such as {"crash":{"node":"v2"}}'],
  ["bench --threshold p98<=1", "--threshold: expected a condition such as p99<=200"],
  ["bench --rate 0", "--rate: expected a whole number from 1 to 100000"],
  ["bench --mnemonic junk", "--mnemonic: expected 12, 15, 18, 21 or 24 words"],
])("%s", async (line, words) => {
  expect(await runCommand(line === "" ? [] : line.split(" "), { interrupted: async () => true })).toEqual(
    refusalOf(words),
  );
});

test.each(["run", "check", "explore", "replay"])("%s reads no standard input", async (command) =>
  expect(await runCommand([command, "-"])).toEqual(refusalOf('expected a name or a value in place of "-"')),
);
