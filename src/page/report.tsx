/** The page for the data of any report. */
import type { RunData } from "../report/run-data.ts";
import type { SearchData } from "../report/searches/search-data.ts";
import { modelOf } from "../report/timeline/model.ts";
import { App } from "./app.tsx";
import { BenchApp } from "./searches/bench-app.tsx";
import { CampaignApp } from "./searches/campaign-app.tsx";
import { HuntApp } from "./searches/hunt-app.tsx";

export function Report({ data }: { readonly data: RunData | SearchData }) {
  switch (data.type) {
    case "quorumlab run":
      return <App model={modelOf(data)} />;
    case "quorumlab campaign":
      return <CampaignApp data={data} />;
    case "quorumlab hunt":
      return <HuntApp data={data} />;
    case "quorumlab bench":
      return <BenchApp data={data} />;
  }
}
