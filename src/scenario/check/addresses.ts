/** Addresses in mixed letter case, whose checksum tells a misspelt one (EIP-55). */
import { checksummedAddress, isChecksumRight } from "../../core/crypto/address-checksum.ts";
import type { Path, ScenarioIssue } from "../../schema/problem.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** Members with texts of their author, in which an address is one of any chain. */
const FREE_TEXTS: ReadonlySet<string> = new Set(
  "name shows symbol uri memo additional destination transaction bridge_metadata bridge_param batch_id".split(" "),
);

/** Returns an issue for each address with a wrong checksum, as a value and as a key. */
export function checkAddresses(value: unknown, path: Path = []): readonly ScenarioIssue[] {
  if (typeof value === "string") return checkAddress(value, { path });
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown, at) => checkAddresses(item, [...path, at]));
  return Object.entries(value).flatMap(([key, member]) => [
    ...checkAddress(key, { path: [...path, key], atKey: true }),
    ...(FREE_TEXTS.has(key) ? [] : checkAddresses(member, [...path, key])),
  ]);
}

function checkAddress(text: string, place: Omit<ScenarioIssue, "message">): readonly ScenarioIssue[] {
  if (!ADDRESS.test(text) || isChecksumRight(text)) return [];
  const message = `the checksum of ${text} is wrong: expected ${checksummedAddress(text)}, or lower case without one`;
  return [{ ...place, message }];
}
