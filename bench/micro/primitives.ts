/** Hashing, signing, recovering and verifying by each implementation that loads here, beside that of noble. */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { quickKeccak } from "../../src/backends/keccak.ts";
import { BACKENDS, type Backend, realScheme } from "../../src/backends/secp256k1.ts";
import { type Epoch, type Round, type Sequence, toHash } from "../../src/core/base/ids.ts";
import { accountSlot } from "../../src/core/base/slot.ts";
import { createAuthenticator } from "../../src/core/consensus/authenticator.ts";
import { certificateFault, finalityOf } from "../../src/core/consensus/certificate.ts";
import { committeeOf } from "../../src/core/consensus/committee.ts";
import { consensusRules } from "../../src/core/consensus/rules.ts";
import { keccak } from "../../src/core/crypto/hash.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { CHAIN, keyOf } from "../support/genesis.ts";
import { callsRow, type MicroGroup, type MicroRow } from "./harness.ts";

const MESSAGE = new Uint8Array(100).fill(7);
const VALIDATORS = ["v1", "v2", "v3", "v4"].map(keyOf);
const REFERENCE = "noble";

/** Calls of one implementation by name: the same names for all. */
type Calls = Readonly<Record<string, () => unknown>>;

export const primitivesGroup: MicroGroup = {
  name: "primitives",
  about: "one call. The reference of each back end is the same call of @noble/hashes or @noble/curves.",
  rows: async () => {
    const quick = await quickKeccak();
    const hashes = { [REFERENCE]: keccak_256, ...(quick === undefined ? {} : { wasm: quick }) };
    const hashing = Object.entries(hashes).map(([name, hash]) => [name, { "hash 100 bytes": () => hash(MESSAGE) }]);
    const real = [...BACKENDS].reverse().flatMap(schemesOf);
    const signing = [...real, keyedHash].map((scheme) => [scheme.backend, callsOf(scheme)]);
    return [...rowsOf(Object.fromEntries(hashing)), ...rowsOf(Object.fromEntries(signing))];
  },
};

/** For each call one row of each implementation, that of noble first. */
function rowsOf(implementations: Readonly<Record<string, Calls>>): readonly MicroRow[] {
  return Object.keys(implementations[REFERENCE] ?? {}).flatMap((call) =>
    Object.entries(implementations).map(([name, calls]) =>
      callsRow(`${call}: ${name}`, [calls[call] as () => unknown], `${call}: ${REFERENCE}`),
    ),
  );
}

/** The scheme over an implementation; none where it does not load, which is told on stderr. */
function schemesOf(name: Backend): readonly Scheme[] {
  try {
    return [realScheme(name)];
  } catch (error) {
    console.error(error);
    return [];
  }
}

function callsOf(scheme: Scheme): Calls {
  const digest = toHash(keccak(MESSAGE));
  const key = keyOf("somebody");
  const address = scheme.addressOf(key);
  const signature = scheme.sign(key, digest, address);
  return {
    sign: () => scheme.sign(key, digest, address),
    recover: () => scheme.recover(digest, signature),
    "verify a certificate of 3 commits": verification(scheme),
  };
}

/** Checks a certificate that nobody has seen before. */
function verification(scheme: Scheme): () => unknown {
  const members = VALIDATORS.map((key) => scheme.addressOf(key));
  const committee = committeeOf(CHAIN, 0 as Epoch, members, consensusRules);
  const slot = accountSlot(scheme.addressOf(keyOf("somebody")), 0 as Sequence);
  const commit = { type: "commit", epoch: 0 as Epoch, slot, round: 0 as Round, value: keccak(MESSAGE) } as const;
  const { digest } = createAuthenticator(CHAIN, scheme).statement(commit);
  const seals = VALIDATORS.slice(0, committee.quorum).map((key, at) => ({
    signer: members[at] as (typeof members)[number],
    signature: scheme.sign(key, digest),
  }));
  const certificate = finalityOf(commit, seals);
  return () => {
    const fault = certificateFault(committee, createAuthenticator(CHAIN, scheme), { ...certificate });
    if (fault !== undefined) throw new Error(`a good certificate is refused: ${fault}`);
  };
}
