/** A table of rows, beside a plot or alone: what a plot shows, for keyboards and screen readers. */
import type { ComponentChildren } from "preact";

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  /** Columns of text; the others are numbers, and stand to the right. */
  readonly texts?: readonly number[];
  /** Rows that say of something that it is missing. */
  readonly marked?: ReadonlySet<number>;
}

export function Table({ caption, head, rows, texts = [], marked }: TableProps) {
  const kind = (column: number): string | undefined => (texts.includes(column) ? undefined : "number");
  return (
    <>
      <p class="hint">{caption}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches it to scroll it, as WCAG 2.1.1 demands */}
      <section class="rows" tabIndex={0} aria-label={caption}>
        <table aria-label={caption}>
          <thead>
            <tr>
              {head.map((name, column) => (
                <th key={name} scope="col" class={column === 0 ? undefined : kind(column)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row} class={marked?.has(row) === true ? "missing" : undefined}>
                <th scope="row">{cells[0]}</th>
                {cells.slice(1).map((cell, at) => (
                  <td key={head[at + 1]} class={kind(at + 1)}>
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

/** A command, which breaks between its words only. */
export function Command({ text }: { readonly text: string }) {
  return (
    <code>
      {text.split(" ").map((word, at) => (
        <>
          {at > 0 && " "}
          <span>{word}</span>
        </>
      ))}
    </code>
  );
}

/** Seconds of milliseconds, a digit after the point. */
export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** A number with its thousands apart. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Three digits that count. */
export function digits(value: number): string {
  return value >= 1_000 ? whole(Number(value.toPrecision(3))) : String(Number(value.toPrecision(3)));
}
