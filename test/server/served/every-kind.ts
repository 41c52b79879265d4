/** One operation of each kind, on a network of the profile `clients`. */
import { expect } from "vitest";
import type { Fields, Kind } from "../client/layouts.ts";
import type { SigningOptions } from "../client/reference-client.ts";
import { text } from "../client/rlp.ts";
import { hashOf, publicKeyOf } from "../client/signing.ts";
import { settle } from "./settle.ts";
import type { Running } from "./support.ts";

/** Returns the hashes of the operations, which all took effect, and the token that they are of. */
export async function carryOutEveryKind(
  net: Running,
): Promise<{ readonly hashes: readonly string[]; readonly token: string }> {
  const hashes: string[] = [];
  const [user, other] = ["user", "other"].map((name) => hashOf(text(name))) as [string, string];
  const act = async <K extends Kind>(kind: K, fields: Fields[K], key: string, more: SigningOptions = {}) => {
    const settled = await settle(net.client, kind, fields, key, more);
    expect([kind, settled.receipt["success"]]).toEqual([kind, true]);
    hashes.push(settled.hash);
    return settled;
  };
  const [issuer, alice] = [net.key("issuer"), net.address("alice")];
  const terms = { symbol: "GEN", name: "Generation", decimals: 6, master_authority: net.address("issuer") };
  const made = await act("issue", { ...terms, is_private: false, clawback_enabled: true }, net.key("operator"));
  const { token } = made.answer.body as { readonly token: string };
  for (const authority_type of ["MintBurnTokens", "Pause", "ManageList", "UpdateMetadata", "Bridge", "Clawback"]) {
    // The suites grant roles to the master itself.
    const role = { authority_type, authority_address: net.address("issuer"), token, value: "9" };
    await act("authority", { action: "Grant", ...role }, issuer);
    if (authority_type === "Pause") await act("authority", { action: "Revoke", ...role, value: "0" }, issuer);
  }
  await act("mint", { recipient: alice, value: "1000", token }, issuer, { memo: { type: "t", data: "d" } });
  await act("payment", { recipient: net.address("bob"), value: "5", token }, net.key("alice"), {
    recent: { recent_epoch: 0, recent_checkpoint: 3 },
  });
  await act("burn", { value: "1", token, recipient: alice }, issuer);
  await act("clawback", { token, from: alice, recipient: net.address("bob"), value: "2" }, issuer);
  for (const action of ["Add", "Remove"])
    await act("blacklist", { action, address: net.address("carol"), token }, issuer);
  for (const action of ["Pause", "Unpause"]) await act("pause", { action, token }, issuer);
  const described = { name: "G", uri: "u", token, additional_metadata: [{ key: "k", value: "v" }] };
  await act("metadata", described, issuer);
  const there = { source_chain_id: 1, source_tx_hash: `0x${"5c".repeat(32)}` };
  await act("bridgeMint", { recipient: alice, value: "7", token, ...there }, issuer, { layout: "client-flat" });
  const away = { destination_chain_id: 2, destination_address: `0x${"d0".repeat(20)}`, escrow_fee: "1" };
  await act("bridgeBurn", { sender: alice, value: "2", token, ...away }, net.key("alice"), { layout: "client-raw" });
  const operations = [{ recipient: net.address("bob"), amount: "3" }];
  await act("batch", { token, operations, created_at: 7 }, net.key("alice"), { layout: "v2" });
  const signers = [user, other].map((key) => ({
    public_key: [...Buffer.from(publicKeyOf(key).slice(2), "hex")],
    weight: 1,
  }));
  await act("multisig", { signers, threshold: 2 }, net.key("operator"), { layout: "v2" });
  return { hashes, token };
}
