/** Head of the report: what ran, how it ended, and how to repeat it. */
import type { RunData } from "../../report/run-data.ts";
import { Fact } from "../fact.tsx";

export function Header({ data }: { readonly data: RunData }) {
  const { title, parties, end, events, isCut, commands, versions } = data;
  return (
    <header>
      <p class="brand">quorumlab {versions["quorumlab"]}</p>
      <h1 dir="auto">{title}</h1>
      <p class="verdict">
        <strong class={`badge ${end.verdict}`}>{end.verdict}</strong>
        <span>{end.reason.split("\n")[0]}</span>
      </p>
      <dl class="facts">
        <Fact name="Network" text={parties} />
        <Fact name="Final operations" text={String(end.finals)} />
        <Fact name="Virtual time" text={`${end.virtualMs} ms`} />
        <Fact name="Events" text={isCut ? `the first ${events.length}` : String(events.length)} />
        <Fact name="Hash" text={end.hash} isCode />
      </dl>
      {end.unmet.length === 0 ? null : (
        <ul class="unmet">
          {end.unmet.map((words) => (
            <li key={words}>expected {words}</li>
          ))}
        </ul>
      )}
      <Commands commands={commands} />
    </header>
  );
}

function Commands({ commands }: { readonly commands: readonly string[] }) {
  return (
    <ul class="commands" aria-label="Commands">
      {commands.map((command) => (
        <li key={command}>
          <code>{command}</code>
        </li>
      ))}
    </ul>
  );
}
