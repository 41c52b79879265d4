/** The oracles by event: each judges the records of one run once more. */
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import { Chronicle } from "../../src/invariants/history/chronicle.ts";
import { createJudge } from "../../src/invariants/judge.ts";
import type { ObservedEvent, RunSetting } from "../../src/invariants/observation.ts";
import type { MicroGroup, Stopwatch } from "./harness.ts";
import { EVERY_KIND, passing } from "./runs.ts";

export const oraclesGroup: MicroGroup = {
  name: "oracles",
  about: "one event that the oracle handles; of the chronicle, which all of them read, and of all together: any event.",
  rows: () => {
    const { setting, records } = observed(EVERY_KIND);
    return [
      { name: "chronicle", run: () => judgedBy(createJudge(setting, []), records) },
      ...CATALOGUE.map(({ name, oracle }) => ({
        name,
        run: (watch: Stopwatch) => {
          const [chronicle, one] = [new Chronicle(setting), oracle(setting)];
          const handled = new Set(one.handles);
          let count = 0;
          for (const record of records) {
            chronicle.observe(record);
            if (!handled.has(record.type)) continue;
            watch.start();
            one.observe(record, chronicle);
            watch.stop();
            count++;
          }
          return count;
        },
      })),
      // Last, since each of them is compiled by then.
      { name: "all, with the chronicle", run: () => judgedBy(createJudge(setting), records) },
    ];
  },
};

function observed(file: string): { readonly setting: RunSetting; readonly records: readonly ObservedEvent[] } {
  const records: ObservedEvent[] = [];
  let setting: RunSetting | undefined;
  const watch = (compiled: { readonly setting: RunSetting }) => {
    ({ setting } = compiled);
    return {};
  };
  passing(file, { watch, observed: (record) => void records.push(record) });
  if (setting === undefined) throw new Error(`${file} was not compiled`);
  return { setting, records };
}

function judgedBy({ observe }: ReturnType<typeof createJudge>, records: readonly ObservedEvent[]): number {
  for (const record of records) observe(record);
  return records.length;
}
