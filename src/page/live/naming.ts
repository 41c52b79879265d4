/** Names of addresses, and amounts in the units of their tokens, for people. */
import type { LiveState } from "../../report/live-state.ts";

/** A name of the network, or the address in short. */
export function nameOf({ accounts, tokens }: LiveState, address: string): string {
  const known = accounts.find((one) => one.address === address)?.name;
  return known ?? tokens.find((one) => one.address === address)?.symbol ?? short(address);
}

/** `0x12345678…9abc`. */
export function short(text: string): string {
  return /^0x[0-9a-f]{16,}$/.test(text) ? `${text.slice(0, 10)}…${text.slice(-4)}` : text;
}

/** Amount with its token; empty without an amount. */
export function amountText({ tokens }: LiveState, value: string | null, token: string | null): string {
  if (value === null) return "";
  const known = tokens.find(({ address }) => address === token);
  if (known === undefined) return value;
  const digits = value.padStart(known.decimals + 1, "0");
  const whole = digits.slice(0, digits.length - known.decimals);
  const part = digits.slice(digits.length - known.decimals).replace(/0+$/, "");
  return `${whole}${part === "" ? "" : `.${part}`} ${known.symbol}`;
}

/** Seconds and minutes of virtual time. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
