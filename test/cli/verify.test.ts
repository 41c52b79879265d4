import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CertificateFile, CommitteeFile } from "../../src/proofs/certificate-file.ts";
import { folder, GOOD, runCommand } from "./support.ts";

type Named = { signer: string; r: string; s: string; v: number };
type Certificate = Omit<CertificateFile, "signatures"> & { signatures: Named[] };

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
let certificate: Certificate;
/** As it was written, with the hash over its members; and without it, as older versions wrote it. */
let whole: CommitteeFile;
let committee: CommitteeFile;

beforeAll(async () => {
  const out = folder({});
  await runCommand(["run", folder({ "a.yaml": GOOD }), "--out", out, "--crypto", "real"]);
  certificate = JSON.parse(readFileSync(join(out, "a", "x.json"), "utf8")) as Certificate;
  whole = JSON.parse(readFileSync(join(out, "a", "committee.json"), "utf8")) as CommitteeFile;
  const { committee_hash: _hash, ...members } = whole;
  committee = members;
});

async function judged(
  file: object,
  by: object = committee,
): Promise<{ code: number; line: Record<string, unknown> | undefined; err: string }> {
  const path = folder({});
  writeFileSync(join(path, "c.json"), JSON.stringify(file));
  writeFileSync(join(path, "committee.json"), JSON.stringify(by));
  const { code, lines, err } = await runCommand([
    "verify",
    join(path, "c.json"),
    "--committee",
    join(path, "committee.json"),
    "--json",
  ]);
  return { code, line: lines[0], err };
}

const first = (): Named => certificate.signatures[0] as Named;
const rest = (): Named[] => certificate.signatures.slice(1);

describe("quorumlab verify", () => {
  it("takes a certificate that proves its value", async () => {
    const covered = ["chain_id", "epoch", "slot", "round", "value", "signatures"];
    const line = { type: "verify", valid: true, reason: null, covered, uncovered: [] };
    expect(await judged(certificate)).toMatchObject({ code: 0, line });
    expect(await judged(certificate, whole)).toMatchObject({ code: 0, line: { committee: whole.committee_hash } });
  });

  it("takes signatures in any order, as numbers or as hex, with or without their signers", async () => {
    const word = (hex: string): string => hex.slice(2);
    const bare = certificate.signatures.map(({ r, s, v }) => `${r}${word(s)}0${v}`);
    const decimal = certificate.signatures.map(({ signer, r, s, v }) => ({
      signer,
      r: BigInt(r).toString(),
      s: BigInt(s).toString(),
      v: v + 27,
    }));
    expect(await judged({ ...certificate, signatures: [...certificate.signatures].reverse() })).toMatchObject({
      code: 0,
    });
    expect(await judged({ ...certificate, signatures: bare })).toMatchObject({ code: 0 });
    const members = bare.map((signature, at) => ({ signer: certificate.signatures[at]?.signer, signature }));
    expect(await judged({ ...certificate, signatures: decimal })).toMatchObject({ code: 0 });
    expect(await judged({ ...certificate, signatures: members })).toMatchObject({ code: 0 });
    const unnamed = bare.map((signature) => ({ signature }));
    expect(await judged({ ...certificate, signatures: unnamed })).toMatchObject({ code: 0 });
  });

  const refusals: readonly (readonly [what: string, change: () => object, by: () => object, reason: RegExp])[] = [
    ["another chain", () => ({ ...certificate, chain_id: 5 }), () => committee, /^wrong chain/],
    [
      "another chain on both sides",
      () => ({ ...certificate, chain_id: 5 }),
      () => ({ ...committee, chain_id: 5 }),
      /invalid signature/,
    ],
    ["another epoch", () => ({ ...certificate, epoch: 1 }), () => committee, /^wrong epoch/],
    [
      "another epoch on both sides",
      () => ({ ...certificate, epoch: 1 }),
      () => ({ ...committee, epoch: 1 }),
      /invalid signature/,
    ],
    ["another round", () => ({ ...certificate, round: 1 }), () => committee, /invalid signature/],
    [
      "another slot",
      () => ({ ...certificate, slot: { ...certificate.slot, number: 9 } }),
      () => committee,
      /invalid signature/,
    ],
    ["another value", () => ({ ...certificate, value: `0x${"1".repeat(64)}` }), () => committee, /invalid signature/],
    ["too few signatures", () => ({ ...certificate, signatures: rest() }), () => committee, /too few signatures/],
    ["no signatures", () => ({ ...certificate, signatures: [] }), () => committee, /too few signatures/],
    [
      "a repeated signer",
      () => ({ ...certificate, signatures: [first(), ...certificate.signatures] }),
      () => committee,
      /repeated signer/,
    ],
    [
      "a foreign signer",
      () => certificate,
      () => ({
        ...committee,
        validators: committee.validators.map((validator) =>
          validator === first().signer ? `0x${"2".repeat(40)}` : validator,
        ),
      }),
      /foreign signer/,
    ],
    [
      "a changed byte",
      () => ({
        ...certificate,
        signatures: [{ ...first(), r: first().r.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }, ...rest()],
      }),
      () => committee,
      /invalid signature/,
    ],
    [
      "a high s",
      () => ({
        ...certificate,
        signatures: [{ ...first(), s: `0x${(ORDER - BigInt(first().s)).toString(16)}`, v: 1 - first().v }, ...rest()],
      }),
      () => committee,
      /high s/,
    ],
    [
      "the signature of another",
      () => ({ ...certificate, signatures: [{ ...first(), signer: (rest()[0] as Named).signer }, ...rest().slice(1)] }),
      () => committee,
      /invalid signature/,
    ],
  ];
  for (const [name, change, by, reason] of refusals) {
    it(`refuses ${name}`, async () => {
      const { code, line } = await judged(change(), by());
      expect({ code, reason: line?.["reason"] }).toEqual({ code: 1, reason: expect.stringMatching(reason) });
    });
  }

  it("calls malformed what is no certificate, with the place", async () => {
    expect(await judged({ ...certificate, value: "0x12" })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/c\.json:1:\d+: expected the hash of the decided value/),
    });
    expect(await judged({ ...certificate, extra: 1 })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/unknown key "extra"/),
    });
    expect(await judged(certificate, { ...committee, validators: [] })).toMatchObject({ code: 2 });
    expect(await judged(certificate, { ...whole, validators: [...whole.validators].reverse() })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/committee\.json:1:\d+: the file was changed/),
    });
    expect((await runCommand(["verify", "/nowhere.json", "--committee", "/nowhere.json"])).code).toBe(2);
  });
});
