/** Plots of a campaign over time: worlds, rate, coverage. */
import { useMemo } from "preact/hooks";
import type { CampaignSeries } from "../../report/campaign-state.ts";
import { Plot } from "../plot.tsx";

export function Course({ series }: { readonly series: CampaignSeries }) {
  const { seconds, worlds, rate, reached } = series;
  // The same numbers are not drawn again.
  const key = `${seconds.at(-1)} ${worlds.at(-1)} ${reached.at(-1)}`;
  const plots = useMemo(
    () => [
      { title: "Worlds", data: [seconds, worlds] },
      { title: "Worlds a second", data: [seconds, rate] },
      { title: "Coverage points reached", data: [seconds, reached] },
    ],
    [key],
  );
  return (
    <section class="plots" aria-label="Course">
      <h2>Course</h2>
      {seconds.length === 0 ? (
        <p class="hint">No job has ended.</p>
      ) : (
        <div class="thirds">
          {plots.map(({ title, data }) => (
            <Plot key={title} title={title} unit="seconds since the first job" names={["value"]} data={data} />
          ))}
        </div>
      )}
    </section>
  );
}
