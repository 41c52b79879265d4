/** Parts that pages share: head with facts, sections, lists, tables, choices. */
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
  /** Line below which the rest is folded; default: nothing is. */
  readonly summary?: string;
  /** By name; those without a value are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  readonly children?: ComponentChildren;
}

/** Head of a page: what it is about, how it stands or ended, and facts. */
export function Head({ brand, title, tone, outcome, reason, summary, facts, children }: HeadProps) {
  const details = (
    <>
      <Facts facts={facts} />
      {children}
    </>
  );
  return (
    <header>
      <p class="brand">quorumlab {brand}</p>
      <h1 dir="auto">{title}</h1>
      <p class="verdict">
        <strong class={`badge ${tone}`}>{outcome}</strong>
        {reason === undefined ? null : <span>{reason}</span>}
      </p>
      {summary === undefined ? (
        details
      ) : (
        <details>
          <summary>{summary}</summary>
          {details}
        </details>
      )}
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

interface EventLinkProps {
  readonly position: number;
  readonly choose: (position: number) => void;
  readonly children: ComponentChildren;
}

/** Words that choose an event. */
export function EventLink({ position, choose, children }: EventLinkProps) {
  return (
    <button type="button" class="link" onClick={() => choose(position)}>
      {children}
    </button>
  );
}

interface ListProps {
  readonly class?: string;
  readonly label?: string;
  readonly items: readonly ComponentChildren[];
}

export function List({ class: kind, label, items }: ListProps) {
  return (
    <ul class={kind} aria-label={label}>
      {items.map((item, at) => (
        <li key={at}>{item}</li>
      ))}
    </ul>
  );
}

interface TableProps {
  readonly head: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Names of rows that keep their elements wherever they move. */
  readonly keys?: readonly string[];
  /** Columns of numbers, from 0, which stand to the right. */
  readonly numbers?: readonly number[];
  readonly caption?: string;
  /** Stands in place of a table without rows. */
  readonly none?: ComponentChildren;
  /** `tall`: it scrolls up and down, too; `rows`: its cells break. */
  readonly class?: "scroll" | "scroll tall" | "rows";
  /** Rows that say of something that it is missing. */
  readonly marked?: ReadonlySet<number>;
}

/** A table that scrolls sideways. */
export function Table({ head, rows, keys, numbers = [], caption, none, class: kind = "scroll", marked }: TableProps) {
  if (none !== undefined && rows.length === 0) return <p class="hint">{none}</p>;
  const classOf = (column: number): string | undefined => (numbers.includes(column) ? "number" : undefined);
  return (
    <>
      {caption === undefined ? null : <p class="hint">{caption}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches it to scroll it, as WCAG 2.1.1 demands */}
      <section class={kind} tabIndex={0} aria-label={caption ?? head.join(", ")}>
        <table aria-label={caption}>
          <thead>
            <tr>
              {head.map((name, column) => (
                <th key={name} scope="col" class={classOf(column)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...cells], row) => (
              <tr key={keys?.[row] ?? row} class={marked?.has(row) === true ? "missing" : undefined}>
                <th scope="row" class={classOf(0)}>
                  {first}
                </th>
                {cells.map((cell, at) => (
                  <td key={head[at + 1]} class={classOf(at + 1)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
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
