/** Tokenizer of JSON texts, valid or not, for checks before parsing. */

/** A string with its quotes, one of `{}[]:,`, or a run of other characters (numbers, `true`, errors). */
export interface JsonToken {
  readonly type: "string" | "mark" | "word";
  readonly raw: string;
  /** Index of its first character. */
  readonly at: number;
}

const SPACE = " \t\r\n";
const MARKS = "{}[]:,";

/** Yields the tokens without white space; an unterminated string extends to the end of the text. */
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
