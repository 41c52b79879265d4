/** The report of a hunt: how soon each known-bad variant is detected, and which are not. */
import type { HuntData, HuntRow } from "../../report/search-data.ts";
import { distribution } from "../../report/timeline/measures.ts";
import { Head, Section, Table } from "../parts.tsx";
import { Plot } from "../plot.tsx";
import { seconds, whole } from "./texts.ts";

export function HuntApp({ data }: { readonly data: HuntData }) {
  const { title, request, budget, repeats, selfCheckFailures, bugs, versions } = data;
  const found = bugs.filter((row) => row.found).length;
  const sometimes = bugs.filter((row) => !row.found && row.ranges_found > 0).length;
  return (
    <main>
      <Head
        brand={versions["quorumlab"]}
        title={title}
        tone={found === bugs.length && selfCheckFailures.length === 0 ? "pass" : "violation"}
        outcome={`${found} of ${bugs.length} variants found`}
        facts={{
          ...request,
          "Seeds of a range": budget === undefined ? undefined : whole(budget),
          Ranges: repeats === undefined ? undefined : String(repeats),
          "Found in fewer than half": String(sometimes),
          "Never found": String(bugs.length - found - sometimes),
          "Self-check": selfCheckFailures.length === 0 ? "passed" : selfCheckFailures.join("; "),
        }}
      />
      <Detection bugs={bugs} />
    </main>
  );
}

/** Those that take longest come first, before them those that are not found. */
function compareRows(a: HuntRow, b: HuntRow): number {
  const order = (row: HuntRow): number => row.seeds ?? Number.POSITIVE_INFINITY;
  return order(a) === order(b) ? a.ranges_found - b.ranges_found : order(b) - order(a);
}

function Detection({ bugs }: { readonly bugs: readonly HuntRow[] }) {
  const rows = [...bugs].sort(compareRows);
  const medians = rows.flatMap(({ seeds }) => seeds ?? []);
  const most = Math.max(1, ...medians);
  return (
    <Section class="plots" label="Detection">
      {medians.length === 0 ? null : (
        <Plot
          title="Variants found within, %"
          unit="seeds"
          names={["found"]}
          data={distribution(medians, rows.length)}
          top={100}
          isCount
        />
      )}
      <Table
        caption="Seeds and seconds until the first detection, of all ranges of seeds; bars on a logarithmic scale; marked: found in fewer than half of the ranges"
        head={[
          "Variant",
          "Ranges",
          "Seeds",
          "95 %",
          "Seconds",
          "95 % (s)",
          "Caught by",
          "Steps",
          "Source",
          "Repeat it",
        ]}
        numbers={[1, 2, 3, 4, 5, 7]}
        class="rows"
        none="The file has no variants."
        marked={new Set(rows.flatMap(({ found }, at) => (found ? [] : [at])))}
        rows={rows.map((row) => [
          <span key="name" title={row.mistake}>
            {row.bug}
          </span>,
          `${row.ranges_found}/${row.ranges}`,
          <Bar key="seeds" value={row.seeds} most={most} />,
          numberOr(row.seeds_95),
          row.wall_ms === null ? "–" : seconds(row.wall_ms),
          row.wall_ms_95 === null ? "–" : seconds(row.wall_ms_95),
          row.invariant ?? "missed",
          numberOr(row.shrunk_steps),
          row.source,
          <code key="replay">{row.replay}</code>,
        ])}
      />
    </Section>
  );
}

/** A number of seeds with its bar on a logarithmic scale. */
function Bar({ value, most }: { readonly value: number | null; readonly most: number }) {
  const share = value === null ? 0 : Math.log(value + 1) / Math.log(most + 1);
  return (
    <span class="bar" style={{ "--share": `${(100 * share).toFixed(1)}%` }}>
      {numberOr(value)}
    </span>
  );
}

function numberOr(value: number | null): string {
  return value === null ? "–" : whole(value);
}
