/** Colours, or none. */
import { styleText } from "node:util";

/** What a word is, not which colour it has. */
export type Tone = "good" | "bad" | "warn" | "dim" | "strong";

export type Paint = (tone: Tone, text: string) => string;

const FORMATS = { good: "green", bad: "red", warn: "yellow", dim: "dim", strong: "bold" } as const;

/** Paints where colours are wanted. */
export function painter(colours: boolean): Paint {
  return colours ? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false }) : (_tone, text) => text;
}
