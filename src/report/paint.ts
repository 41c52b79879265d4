/** Terminal colours by meaning. */
import { styleText } from "node:util";

/** The meaning of a text; the colour follows from it. */
export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export type Paint = (tone: Tone, text: string) => string;

const FORMATS = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Sequences of this program: the colours of its tones and their ends. A line that is drawn again begins with two more. */
const OWN = "\\u001b\\[(?:1|2|22|31|32|33|39)m|\\r?\\n|\\t";
/** Controls, by which a text could move the cursor, and marks that turn the direction of a text. */
const CONTROL = new RegExp(`(^\\r\\u001b\\[K|${OWN})|[\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]`, "gu");

/** Returns a text with its control characters escaped as in JSON, but line ends, tabs and what this program draws with. */
export function printable(text: string): string {
  return text.replace(CONTROL, (character: string, own: string | undefined) =>
    own === undefined ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : own,
  );
}

/** Returns a function that colours texts, or returns them unchanged if `colours` is false. */
export function painter(colours: boolean): Paint {
  return colours ? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false }) : (_tone, text) => text;
}
