/** Reader of `--token symbol:decimals[:private|public][:paused|open][:name]`. */
import { text } from "../../core/base/encoding.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { DECIMALS_MAX, NAME_BYTES, SYMBOL_BYTES } from "../../core/ledger/limits.ts";
import type { TokenSpec } from "../../scenario/scenario.ts";
import { READY_TOKENS_MAX } from "./limits.ts";
import type { ReadyToken } from "./options.ts";
import { quoted, readInteger } from "./read-values.ts";

/** Default ready token. */
export const TOKEN_DEFAULT = "USDX:6";
/** The master authority of the ready tokens: an account's name. */
export const MASTER = "issuer";

const SYMBOL = new RegExp(`^[A-Za-z][A-Za-z0-9_.-]{0,${SYMBOL_BYTES - 1}}$`);
const SHAPE = "symbol:decimals[:private|public][:paused|open][:name]";

/** Returns the tokens of an option. Rejects repeated symbols: a master has a symbol once (wire 3.6). */
export function readTokens(texts: readonly string[]): Result<readonly ReadyToken[], string> {
  if (texts.length > READY_TOKENS_MAX)
    return err(`--token: expected at most ${READY_TOKENS_MAX} tokens, got ${texts.length}`);
  const tokens: ReadyToken[] = [];
  for (const one of texts) {
    const read = readToken(one);
    if (!read.ok) return read;
    const { symbol } = read.value;
    if (tokens.some((token) => token.symbol === symbol)) return err(`--token: ${symbol} is named twice`);
    tokens.push(read.value);
  }
  return ok(tokens);
}

/** Reads one token. Its name may contain colons; the default is the symbol. */
export function readToken(from: string): Result<ReadyToken, string> {
  const [symbol = "", decimalsText, ...rest] = from.split(":");
  if (!SYMBOL.test(symbol))
    return err(
      `--token: expected ${SHAPE}, with a symbol of letters, digits, "_", "-" and "." that begins with a letter and has at most ${SYMBOL_BYTES}; got ${quoted(from)}`,
    );
  if (decimalsText === undefined) return err(`--token: expected ${SHAPE}, got no decimals in ${quoted(from)}`);
  const decimals = readInteger(`token ${symbol}: decimals`, decimalsText, 0, DECIMALS_MAX);
  if (!decimals.ok) return decimals;
  const isPrivate = takeWord(rest, "private", "public");
  const isPaused = takeWord(rest, "paused", "open");
  const name = rest.length === 0 ? symbol : rest.join(":");
  const { length } = text(name);
  if (length < 1 || length > NAME_BYTES)
    return err(`--token ${symbol}: name: expected 1 to ${NAME_BYTES} bytes, got ${length}`);
  if (/[\p{Cc}\p{Cs}]/u.test(name))
    return err(`--token ${symbol}: name: expected no control characters, got ${quoted(name)}`);
  const state: TokenSpec["state"] = isPaused ? "paused" : "unpaused";
  return ok({ symbol, part: { decimals: decimals.value, master: MASTER, name, state, private: isPrivate } });
}

/** Removes the next word if it is one of two; returns whether it was the first. */
function takeWord(words: string[], yes: string, no: string): boolean {
  const [word] = words;
  if (word === yes || word === no) words.shift();
  return word === yes;
}
