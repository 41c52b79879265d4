// Signatures of operations and statements, and certificates (validator wire 3, protocol 3.0).
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak, raw } from "./bytes.mjs";
import { Mix } from "./mix.mjs";
import { digestOf, multisigAddress, multisigParts } from "./operations.mjs";
import { governanceDigest, standInDigest, statementDigest } from "./values.mjs";

const ADDRESS_ZEROS = "0".repeat(24);

function tagOf(address, digest, second) {
  const mix = new Mix().hex(address).hex(digest);
  if (second) mix.word(1);
  return mix.digits();
}

/** Whether the stand-in of this address over this digest is shown. */
function standInHolds(signature, address, digest) {
  if (signature.length !== 132 || signature.slice(0, 26) !== `0x${ADDRESS_ZEROS}`) return false;
  if (signature.slice(26, 66) !== address.slice(2) || signature.slice(66, 98) !== `01${"0".repeat(30)}`) return false;
  if (signature.slice(130) !== "00") return false;
  const tag = signature.slice(98, 130);
  return tag === tagOf(address, digest, false) || tag === tagOf(address, digest, true);
}

function addressOfPoint(point) {
  return `0x${keccak(point.toBytes(false).slice(1)).slice(26)}`;
}

const recovered = new Map();

function recover(signature, digest) {
  try {
    const bytes = raw(signature);
    const parity = bytes[64];
    if (parity > 1 || bytes.length !== 65) return null;
    const parsed = secp256k1.Signature.fromBytes(bytes.slice(0, 64)).addRecoveryBit(parity);
    if (parsed.hasHighS()) return null;
    return addressOfPoint(parsed.recoverPublicKey(raw(digest)));
  } catch {
    return null;
  }
}

function recoverCached(signature, digest) {
  const key = signature + digest;
  if (!recovered.has(key)) {
    if (recovered.size > 16384) recovered.clear();
    recovered.set(key, recover(signature, digest));
  }
  return recovered.get(key);
}

function addressOfKey(key, crypto) {
  if (crypto === "keyed-hash") return `0x${key.slice(-40)}`;
  try {
    return addressOfPoint(secp256k1.Point.fromHex(key.slice(2)));
  } catch {
    return null;
  }
}

/** Verifies what others signed, by the scheme of the start. */
export class Verifier {
  constructor(crypto, chainId) {
    this.crypto = crypto;
    this.chainId = chainId;
    this.known = new WeakMap();
  }

  holds(signature, address, digest) {
    if (!/^0x[0-9a-f]{130}$/.test(signature)) return false;
    if (this.crypto === "keyed-hash") return standInHolds(signature, address, digest);
    return recoverCached(signature, digest) === address;
  }

  /** The digest that a statement is signed by. */
  digest(statement) {
    return this.crypto === "keyed-hash"
      ? standInDigest(this.chainId, statement)
      : statementDigest(this.chainId, statement);
  }

  statement(s) {
    return this.holds(s.signature, s.signer, this.digest(s));
  }

  proposal(signed, operator) {
    return this.holds(signed.signature, operator, governanceDigest(signed.proposal));
  }

  /** Specification 4.1: a single key, or enough weight of the account's set. */
  operation(signed) {
    let holds = this.known.get(signed);
    if (holds === undefined) {
      const { operation, sender, signature } = signed;
      holds = operation.account ? this.multisig(signed) : this.holds(signature, sender, digestOf(operation));
      this.known.set(signed, holds);
    }
    return holds;
  }

  multisig({ operation, sender, signature }) {
    if (operation.account !== sender || !/^0x([0-9a-f]{2})+$/.test(signature)) return false;
    const parts = multisigParts(signature);
    if (parts === null || multisigAddress(parts) !== sender || parts.seals.length === 0) return false;
    const digest = digestOf(operation);
    let weight = 0;
    let last = "";
    for (const seal of parts.seals) {
      const signer = parts.signers.find((s) => s.key === seal.key);
      if (signer === undefined || seal.key <= last) return false;
      if (!this.holds(seal.signature, addressOfKey(seal.key, this.crypto), digest)) return false;
      weight += signer.weight;
      last = seal.key;
    }
    return weight >= parts.threshold;
  }

  /** Protocol 3.0: q seals of members, ascending, each signer once. */
  certificate(certificate, committee, type) {
    if (certificate === null || certificate.type !== type || certificate.epoch !== committee.epoch) return false;
    const cached = this.known.get(certificate);
    if (cached !== undefined && cached.committee === committee.text) return cached.holds;
    const holds = this.seals(certificate, committee, type === "lock" ? "vote" : "commit");
    this.known.set(certificate, { committee: committee.text, holds });
    return holds;
  }

  seals(certificate, committee, type) {
    const { epoch, slot, round, value, seals } = certificate;
    if (seals.length !== committee.quorum) return false;
    const digest = this.digest({ type, epoch, slot, round, value });
    let last = "";
    for (const seal of seals) {
      if (seal.signer <= last || !committee.index.has(seal.signer)) return false;
      if (!this.holds(seal.signature, seal.signer, digest)) return false;
      last = seal.signer;
    }
    return true;
  }
}

/** The committee of an epoch: members in order, quorum and bound of faults (protocol 1.1). */
export function committeeOf(epoch, validators) {
  const keys = validators.map((member) => member.key);
  const size = keys.length;
  return {
    epoch,
    keys,
    index: new Map(keys.map((key, i) => [key, i])),
    quorum: Math.ceil((2 * size) / 3),
    faults: Math.ceil(size / 3) - 1,
    text: `${epoch}/${keys.join()}`,
  };
}
