/** Names of addresses, and durations, for people. */
import type { LiveState } from "../../report/live-state.ts";

/** A name of the network, or the address in short. */
export function nameOf({ accounts, tokens }: LiveState, address: string): string {
  const known = accounts.find((one) => one.address === address)?.name;
  return known ?? tokens.find((one) => one.address === address)?.symbol ?? shortHash(address);
}

/** `0x12345678…9abc`. */
export function shortHash(text: string): string {
  return /^0x[0-9a-f]{16,}$/.test(text) ? `${text.slice(0, 10)}…${text.slice(-4)}` : text;
}

/** Seconds and minutes of virtual time. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
