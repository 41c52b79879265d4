/** Decoders of answers: each returns why a value does not decode. */
import type { Json } from "./support.ts";

/** Returns why a value does not decode, `undefined` if it does. */
export type Decoder = (value: unknown) => string | undefined;

export const matching =
  (what: string, is: (value: unknown) => boolean): Decoder =>
  (value) =>
    is(value) ? undefined : `no ${what}: ${JSON.stringify(value)}`;
export const str = matching("text", (value) => typeof value === "string");
export const num = matching("unsigned integer", (value) => Number.isSafeInteger(value) && (value as number) >= 0);
export const byte = matching(
  "u8",
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256,
);
export const bool = matching("flag", (value) => typeof value === "boolean");
export const dec = matching("decimal text", (value) => typeof value === "string" && /^\d+$/.test(value));
export const hex = matching("hex", (value) => typeof value === "string" && /^0x[0-9a-f]*$/i.test(value));
export const addr = matching("address", (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value));
export const hash = matching("hash", (value) => typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value));
export const none = matching("null", (value) => value === null);
export const any: Decoder = () => undefined;
/** Null or absent, or a value. */
export const opt =
  (decoder: Decoder): Decoder =>
  (value) =>
    value === undefined || value === null ? undefined : decoder(value);
export const all =
  (decoder: Decoder): Decoder =>
  (value) =>
    Array.isArray(value)
      ? first(value.map((each, at) => [String(at), decoder(each)]))
      : `no list: ${JSON.stringify(value)}`;
export const has =
  (members: Readonly<Record<string, Decoder>>): Decoder =>
  (value) => {
    if (typeof value !== "object" || value === null) return `no object: ${JSON.stringify(value)}`;
    return first(Object.entries(members).map(([name, one]) => [name, one((value as Json)[name])]));
  };
/** Exactly these members, and those that may be absent. */
export const only =
  (members: Readonly<Record<string, Decoder>>, optional: Readonly<Record<string, Decoder>> = {}): Decoder =>
  (value) => {
    if (typeof value !== "object" || value === null) return `no object: ${JSON.stringify(value)}`;
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name) && !Object.hasOwn(optional, name));
    if (unknown !== undefined) return `unknown member ${unknown}`;
    const missing = Object.keys(members).find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) return `no member ${missing}`;
    const given = Object.entries(optional).filter(([name]) => Object.hasOwn(value, name));
    return has({ ...members, ...Object.fromEntries(given) })(value);
  };
/** Null, or a value. */
export const nullOr =
  (decoder: Decoder): Decoder =>
  (value) =>
    value === null ? undefined : decoder(value);
export const both =
  (decoder: Decoder, other: Decoder): Decoder =>
  (value) =>
    decoder(value) ?? other(value);

function first(faults: readonly (readonly [string, string | undefined])[]): string | undefined {
  const [found] = faults.filter(([, fault]) => fault !== undefined);
  return found && `${found[0]}: ${found[1]}`;
}
