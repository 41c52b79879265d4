/** Terminal colours by meaning, and the escaping of whatever else a terminal would obey. */
import { randomUUID } from "node:crypto";
import { styleText } from "node:util";

/** The meaning of a text; the colour follows from it. */
export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export type Paint = (tone: Tone, text: string) => string;

const FORMATS = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Stands before each control of this program's own until it is printed; no text of others can know that of this process. */
const OWN = randomUUID();
/** Line ends and tabs; controls, by which a text could move the cursor, and marks that turn the direction of a text. */
const CONTROL = new RegExp(`(\\r?\\n|\\t)|(${OWN})?([\\p{Cc}\\p{Bidi_C}])`, "gu");

/** Moves to the start of a line and empties it. */
export const REDRAW = ownControls("\r\u001b[K");

function ownControls(text: string): string {
  return text.replace(/\p{Cc}/gu, `${OWN}$&`);
}

/** Returns a text with its control characters escaped as in JSON, but line ends, tabs and what this program draws with. */
export function printable(text: string): string {
  return text.replace(CONTROL, (_, blank?: string, own?: string, control = "") => {
    if (blank !== undefined) return blank;
    return own === undefined ? `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}` : control;
  });
}

/** Returns a function that colours texts, or returns them unchanged if `colours` is false. */
export function painter(colours: boolean): Paint {
  if (!colours) return (_tone, text) => text;
  return (tone, text) => {
    const [begin = "", end = ""] = ownControls(styleText(FORMATS[tone], "|", { validateStream: false })).split("|");
    return `${begin}${text}${end}`;
  };
}
