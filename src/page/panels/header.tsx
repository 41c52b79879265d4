/** Head of the report: what ran, how it ended, and how to repeat it. */
import type { RunData } from "../../report/run-data.ts";
import { Head } from "../parts.tsx";

export function Header({ data }: { readonly data: RunData }) {
  const { title, parties, end, events, isCut, commands, versions } = data;
  return (
    <Head
      brand={versions["quorumlab"]}
      title={title}
      tone={end.verdict}
      outcome={end.verdict}
      reason={end.reason.split("\n")[0]}
      facts={{
        Network: parties,
        "Final operations": end.finals,
        "Virtual time": `${end.virtualMs} ms`,
        Events: isCut ? `the first ${events.length}` : events.length,
        Hash: <code>{end.hash}</code>,
      }}
    >
      {end.unmet.length === 0 ? null : (
        <ul class="unmet">
          {end.unmet.map((words) => (
            <li key={words}>expected {words}</li>
          ))}
        </ul>
      )}
      <ul class="commands" aria-label="Commands">
        {commands.map((command) => (
          <li key={command}>
            <code>{command}</code>
          </li>
        ))}
      </ul>
    </Head>
  );
}
