/** Terminal colours by meaning. */
import { styleText } from "node:util";

/** The meaning of a text; the colour follows from it. */
export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export type Paint = (tone: Tone, text: string) => string;

const FORMATS = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Returns a function that colours texts, or returns them unchanged if `colours` is false. */
export function painter(colours: boolean): Paint {
  return colours ? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false }) : (_tone, text) => text;
}
