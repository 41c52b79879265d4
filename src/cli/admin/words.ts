/** Typed words as members of a call; those that were not typed are left out. */
import { type Args, textOf, texts } from "../command.ts";
import { UsageError } from "../exit-code.ts";

/** A text that yargs has made sure of. */
export function typed(args: Args, name: string): string {
  return textOf(args, name) ?? "";
}

/** `v1,v2` as names; `undefined` where it was not typed. */
export function namesIn(args: Args, name: string): readonly string[] | undefined {
  return args[name] === undefined ? undefined : texts(args, name).flatMap(split);
}

/** `v1,v2 v3,v4` as groups of names. */
export function groupsIn(args: Args, name: string): readonly (readonly string[])[] {
  return texts(args, name).map(split);
}

/** Members without those that are undefined. */
export function membersOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** @throws UsageError unless the text is a whole number. */
export function wholeIn(args: Args, name: string): number {
  const text = typed(args, name);
  if (/^-?(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new UsageError(`${name}: expected a whole number, got "${text}"`);
}

/** The same, or `undefined` where it was not typed. */
export function wholeOrNone(args: Args, name: string): number | undefined {
  return args[name] === undefined ? undefined : wholeIn(args, name);
}

/** `payment=0.01,cancellation=0.02` as members. @throws UsageError for a part without a `=`. */
export function pairsIn(args: Args, name: string): Readonly<Record<string, string>> | undefined {
  if (args[name] === undefined) return undefined;
  return Object.fromEntries(
    texts(args, name)
      .flatMap(split)
      .map((part) => pairOf(name, part)),
  );
}

/** `a=b` as two texts. @throws UsageError where one is missing. */
export function pairOf(name: string, text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`${name}: expected name=value, got "${text}"`);
}

function split(text: string): readonly string[] {
  return text.split(",").filter((part) => part !== "");
}
