/** Head of the report: how the run ended; folded below it what ran, and how to repeat it. */
import type { RunData } from "../../report/run-data.ts";
import { Head } from "../parts.tsx";

export function Header({ data }: { readonly data: RunData }) {
  const { title, parties, seed, end, events, isTimed, isCut, commands, versions } = data;
  const count = `${isCut ? "the first " : ""}${events.length} events`;
  const times = isTimed === false ? "" : ` · ${end.virtualMs} ms`;
  return (
    <Head
      brand={versions["quorumlab"]}
      title={title}
      tone={end.verdict}
      outcome={end.verdict}
      reason={end.reason.split("\n")[0]}
      summary={`seed ${seed} · ${end.finals} final${times} · ${count}`}
      facts={{ Network: parties, Hash: <code>{end.hash}</code> }}
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
