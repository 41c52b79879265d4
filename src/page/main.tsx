/** Entry of the report's page: unpacks the data of its file, and shows it. */
import "uplot/dist/uPlot.min.css";
import "./page.css";
import type { RunData } from "../report/run-data.ts";
import type { SearchData } from "../report/search-data.ts";
import { modelOf } from "../report/timeline/model.ts";
import { App } from "./app.tsx";
import { mount } from "./parts.tsx";
import { CampaignApp } from "./searches/campaign-app.tsx";
import { HuntApp } from "./searches/hunt-app.tsx";

/** The page for the data of any report. */
function Report({ data }: { readonly data: RunData | SearchData }) {
  switch (data.type) {
    case "quorumlab run":
      return <App model={modelOf(data)} />;
    case "quorumlab campaign":
      return <CampaignApp data={data} />;
    case "quorumlab hunt":
      return <HuntApp data={data} />;
  }
}

/** Returns the data that the file holds, gzip in base 64. */
async function dataIn(element: Element | null): Promise<RunData | SearchData> {
  const letters = atob(element?.textContent ?? "");
  const packed = new Uint8Array(letters.length);
  // A callback for each of millions of letters would take longer than all that follows.
  for (let at = 0; at < letters.length; at++) packed[at] = letters.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as RunData | SearchData;
}

dataIn(document.getElementById("data")).then(
  (data) => mount(<Report data={data} />),
  (error: unknown) => mount(<>The data of this report cannot be read: {String(error)}</>),
);
