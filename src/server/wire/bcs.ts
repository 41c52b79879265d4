/** The certificate of an epoch in BCS, the encoding in which the published relayer may ask for it (wire 1.4, Epoch). */
import { fromHex, toHex } from "../../core/base/encoding.ts";
import type { EpochMessage } from "./schemas/network.ts";

type Bytes = readonly number[];

/** A length, or the index of a variant: seven bits a byte, the lowest first. */
function uleb(value: number): Bytes {
  return value < 128 ? [value] : [(value & 127) | 128, ...uleb(value >> 7)];
}

/** Eight bytes, the lowest first. */
function u64(value: number): Bytes {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return [...bytes];
}

function sequence(bytes: Bytes): Bytes {
  return [...uleb(bytes.length), ...bytes];
}

/** Returns 0x and hex digits: the variant, and the members of the message in their order. Addresses have a fixed length. */
export function epochBcs(type: "Genesis" | "Epoch", message: EpochMessage): string {
  const { epoch, chain, timestamp, special_accounts: accounts, validator_set } = message;
  const account = (key: string, address: string): Bytes => [...sequence([...fromHex(key)]), ...fromHex(address)];
  const members = validator_set.members.flatMap(({ consensus_public_key: key, address, peer_id, archive }) => [
    ...account(key, address),
    ...sequence([...Buffer.from(peer_id)]),
    archive ? 1 : 0,
  ]);
  const bytes = [
    ...uleb(type === "Genesis" ? 0 : 1),
    ...[...u64(epoch.epoch_id), ...u64(chain), ...u64(timestamp)],
    ...account(accounts.operator_public_key, accounts.operator_address),
    ...account(accounts.escrow_account_public_key, accounts.escrow_account_address),
    ...account(accounts.pricing_authority_public_key, accounts.pricing_authority_address),
    ...[...uleb(validator_set.members.length), ...members],
  ];
  return toHex(Uint8Array.from(bytes));
}
