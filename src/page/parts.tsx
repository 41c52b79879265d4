/** Parts that pages share: head with facts, sections, tables, choices. */
import { type ComponentChildren, render, type VNode } from "preact";

/** Shows a page in place of what its file says without JavaScript. */
export function mount(page: VNode): void {
  const root = document.getElementById("app");
  if (root === null) throw new Error("expected an element #app in the page");
  root.textContent = "";
  render(page, root);
}

interface HeadProps {
  readonly brand: ComponentChildren;
  readonly title: string;
  /** Class of the badge. */
  readonly tone: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  /** By name; those without a value are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  readonly children?: ComponentChildren;
}

/** Head of a page: what it is about, how it stands or ended, and facts. */
export function Head({ brand, title, tone, outcome, reason, facts, children }: HeadProps) {
  return (
    <header>
      <p class="brand">quorumlab {brand}</p>
      <h1 dir="auto">{title}</h1>
      <p class="verdict">
        <strong class={`badge ${tone}`}>{outcome}</strong>
        {reason === undefined ? null : <span>{reason}</span>}
      </p>
      <Facts facts={facts} />
      {children}
    </header>
  );
}

/** Names and values; those without a value are left out. */
export function Facts({ facts }: Pick<HeadProps, "facts">) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface SectionProps {
  readonly label: string;
  /** Heading; default: the label. */
  readonly title?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Section({ label, title = label, class: kind, children }: SectionProps) {
  return (
    <section class={kind} aria-label={label}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface TableProps {
  readonly head: readonly string[];
  /** Columns of numbers, from 0, which stand to the right. */
  readonly numbers?: readonly number[];
  readonly caption?: ComponentChildren;
  /** Stands in place of a table without rows. */
  readonly none?: ComponentChildren;
  readonly isTall?: boolean;
  /** The rows. */
  readonly children: readonly ComponentChildren[];
}

/** A table that scrolls sideways. */
export function Table({ head, numbers = [], caption, none, isTall = false, children }: TableProps) {
  if (none !== undefined && children.flat().length === 0) return <p class="hint">{none}</p>;
  return (
    <div class={isTall ? "scroll tall" : "scroll"}>
      <table>
        {caption === undefined ? null : <caption>{caption}</caption>}
        <thead>
          <tr>
            {head.map((name, column) => (
              <th key={name} class={numbers.includes(column) ? "number" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  /** True if only screen readers say the name. */
  readonly isNameHidden?: boolean;
  readonly value: string;
  /** Values, each with its text where that is another one. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly set: (value: string) => void;
}

/** A labelled list of which one entry is chosen. */
export function Choice({ name, isNameHidden = false, value, options, set }: ChoiceProps) {
  return (
    <label>
      <span class={isNameHidden ? "hidden" : undefined}>{name}</span>
      <select value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
        {options.map((option) => {
          const [one, text] = typeof option === "string" ? [option, option] : option;
          return (
            <option key={one} value={one}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}
