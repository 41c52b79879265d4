/** Head of the report of a campaign or a hunt. */
import type { ComponentChildren } from "preact";
import { Fact } from "../fact.tsx";

interface HeadProps {
  readonly title: string;
  readonly version: string | number | undefined;
  readonly isGood: boolean;
  readonly outcome: string;
  readonly facts: Readonly<Record<string, string | undefined>>;
  readonly children?: ComponentChildren;
}

export function Head({ title, version = "", isGood, outcome, facts, children }: HeadProps) {
  return (
    <header>
      <p class="brand">quorumlab {version}</p>
      <h1 dir="auto">{title}</h1>
      <p class="verdict">
        <strong class={`badge ${isGood ? "pass" : "violation"}`}>{outcome}</strong>
      </p>
      <dl class="facts">
        {Object.entries(facts).map(([name, text]) =>
          text === undefined ? null : <Fact key={name} name={name} text={text} />,
        )}
      </dl>
      {children}
    </header>
  );
}
