/** HTML as values: whatever is put into a template is escaped, unless it is HTML already. */

export interface Html {
  readonly html: string;
}

type Part = Html | string | number | readonly Html[];

/** A piece of HTML. Texts and numbers are escaped; lists stand one after the other. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.flatMap((text, at) => (at < parts.length ? [text, written(parts[at] ?? "")] : [text]));
  return { html: pieces.join("") };
}

/** Text that is HTML already, such as a style sheet. */
export function trusted(text: string): Html {
  return { html: text };
}

/** No HTML. */
export const NOTHING: Html = { html: "" };

function written(part: Part): string {
  if (typeof part === "string" || typeof part === "number") return escaped(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
