/** Certificates of a run that signs in batches, as files: each verifies alone with the committee's addresses, and nothing else does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../src/core/crypto/secp256k1.ts";
import {
  type BatchPart,
  type CertificateFile,
  certificateFile,
  committeeFile,
  type SignaturePart,
} from "../../src/proofs/certificate-file.ts";
import { proofRefusal, readCertificate, readProof } from "../../src/proofs/verify.ts";
import { runScenario } from "../../src/run/run.ts";
import { directoryOf } from "../../src/scenario/directory.ts";
import { parsed } from "../run/support.ts";

const CHAIN = 1_212_101;
const TEXT = `
name: payments in batches
network: { delay_ms: 10, batched_signatures: true }
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "10" }, bob: { USD: "10" }, carol: { USD: "10" } }
steps:
  - { at: 0, submit: { id: a, payment: { from: alice, to: dave, token: USD, value: "1" }, nonce: 0 } }
  - { at: 0, submit: { id: b, payment: { from: bob, to: dave, token: USD, value: "1" }, nonce: 0 } }
  - { at: 0, submit: { id: c, payment: { from: carol, to: dave, token: USD, value: "1" }, nonce: 0 } }
`;

type Named = Exclude<SignaturePart, string> & { readonly r: string; readonly s: string; readonly v: string | number };

function filesOf(scheme: Scheme) {
  const scenario = parsed(TEXT);
  const { finals } = runScenario(scenario, { seed: "1", scheme });
  const directory = directoryOf(scenario, scheme);
  const validators = directory.validators.map((name) => directory.validator(name));
  const committee = committeeFile(CHAIN, 0 as Epoch, validators, scheme);
  return { certificates: finals.map(({ certificate }) => certificateFile(CHAIN, certificate)), committee };
}

describe.each([keyedHash, secp256k1])("certificates of a run in batches, $name", (scheme) => {
  const { certificates, committee } = filesOf(scheme);
  const refusal = (file: CertificateFile): string | undefined => {
    const read = readProof(JSON.stringify(file));
    return read.ok ? proofRefusal(read.value, committee) : read.error.map(({ message }) => message).join();
  };
  /** Without reading it, which compiles the schema anew each time. */
  const judged = (file: CertificateFile): string | undefined => proofRefusal(file, committee);
  const [first, second] = certificates as [CertificateFile, CertificateFile];
  const namedOf = ({ signatures }: CertificateFile): readonly Named[] => signatures as readonly Named[];
  const withFirst = (signature: SignaturePart): CertificateFile => ({
    ...first,
    signatures: [signature, ...first.signatures.slice(1)],
  });
  const [seal] = namedOf(first) as [Named];
  const batch = seal.batch as BatchPart;
  const withBatch = (changed: Partial<BatchPart>): CertificateFile =>
    withFirst({ ...seal, batch: { ...batch, ...changed } });

  test("verify alone, with signers and without, each part of three statements", () => {
    expect(certificates).toHaveLength(3);
    for (const file of certificates) {
      expect(namedOf(file).every(({ batch: of }) => of?.count === 3)).toBe(true);
      expect(refusal(file)).toBeUndefined();
      const unnamed = namedOf(file).map(({ signer: _, ...rest }) => rest as SignaturePart);
      expect(refusal({ ...file, signatures: unnamed.toReversed() })).toBeUndefined();
      const whole = namedOf(file).map(({ r, s, v, batch: of }) => ({
        signature: `${r}${s.slice(2)}0${v}`,
        ...(of === undefined ? {} : { batch: of }),
      }));
      expect(refusal({ ...file, signatures: whole })).toBeUndefined();
    }
  });

  test("are refused without the path, with another statement's, or with another root's signature", () => {
    const { batch: _, ...bare } = seal;
    expect(refusal(withFirst(bare as SignaturePart))).toBe("invalid signature");
    const other = namedOf(second).find(({ signer }) => signer === seal.signer) as Named;
    expect(refusal(withFirst(other))).toBe("invalid signature");
    expect(other.r).toBe(seal.r);
    const stranger = namedOf(first).find(({ signer }) => signer !== seal.signer) as Named;
    expect(refusal(withFirst({ ...stranger, signer: seal.signer as string }))).toBe("invalid signature");
  });

  test("are refused with any other index, count or path", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.integer({ min: 2, max: 12 }), fc.nat(), fc.nat(15), (index, count, which, digit) => {
        if (index !== batch.index) expect(judged(withBatch({ index }))).toBe("invalid signature");
        if (count !== batch.count) expect(judged(withBatch({ count }))).toBe("invalid signature");
        const at = which % batch.path.length;
        const place = 2 + (which % 64);
        const hash = batch.path[at] as string;
        const changed = `${hash.slice(0, place)}${digit.toString(16)}${hash.slice(place + 1)}`;
        if (changed === hash) return;
        const path = batch.path.map((one, step) => (step === at ? changed : one));
        expect(judged(withBatch({ path }))).toBe("invalid signature");
      }),
      { numRuns: scheme === keyedHash ? 100 : 20 },
    );
    expect(judged(withBatch({ path: batch.path.slice(1) }))).toBe("invalid signature");
    expect(judged(withBatch({ path: [...batch.path, ...batch.path] }))).toBe("invalid signature");
  });

  test("are read in upper case, and refused beyond the bounds by the schema", () => {
    expect(refusal(withBatch({ path: batch.path.map((hash) => `0x${hash.slice(2).toUpperCase()}`) }))).toBeUndefined();
    const tooMuch: readonly Partial<BatchPart>[] = [
      { count: 1 },
      { count: 1_025 },
      { index: -1 },
      { index: 1_024 },
      { path: [] },
      { path: Array.from({ length: 11 }, () => batch.path[0] as string) },
    ];
    for (const changed of tooMuch) expect(readCertificate(JSON.stringify(withBatch(changed))).ok).toBe(false);
  });
});
