/** The tokens of a JSON text, valid or not: enough to guard what parses it. */

/** A string with its quotes, one of `{}[]:,`, or a run of whatever else stands there (numbers, `true`, mistakes). */
export interface JsonToken {
  readonly type: "string" | "mark" | "word";
  readonly raw: string;
  /** Place of its first character. */
  readonly at: number;
}

const SPACE = " \t\r\n";
const MARKS = "{}[]:,";

/** In order, whitespace left out; a string that never ends goes to the end of the text. */
export function* tokensOf(text: string): Generator<JsonToken> {
  let at = 0;
  while (at < text.length) {
    const first = text.charAt(at);
    if (SPACE.includes(first)) {
      at++;
      continue;
    }
    const type = first === '"' ? "string" : MARKS.includes(first) ? "mark" : "word";
    const end = type === "string" ? endOfString(text, at) : type === "mark" ? at + 1 : endOfWord(text, at);
    yield { type, raw: text.slice(at, end), at };
    at = end;
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === "\\") at++;
  }
  return text.length;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !SPACE.includes(text.charAt(at)) && !MARKS.includes(text.charAt(at)) && text[at] !== '"')
    at++;
  return at;
}
