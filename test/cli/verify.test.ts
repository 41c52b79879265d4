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
    const members = bare.map((signature, at) => ({ signer: certificate.signatures[at]?.signer, signature }));
    const unnamed = bare.map((signature) => ({ signature }));
    for (const signatures of [certificate.signatures.toReversed(), bare, decimal, members, unnamed])
      expect(await judged({ ...certificate, signatures })).toMatchObject({ code: 0 });
  });

  const high = ({ s, v, ...more }: Named) => ({ ...more, s: `0x${(ORDER - BigInt(s)).toString(16)}`, v: 1 - v });
  const foreign = (): readonly string[] =>
    committee.validators.map((one) => (one === first().signer ? `0x${"2".repeat(40)}` : one));

  const refusals: [what: string, reason: RegExp, change: () => object, by?: () => object][] = [
    ["another chain", /^wrong chain/, () => ({ chain_id: 5 })],
    ["another chain on both sides", /invalid signature/, () => ({ chain_id: 5 }), () => ({ chain_id: 5 })],
    ["another epoch", /^wrong epoch/, () => ({ epoch: 1 })],
    ["another epoch on both sides", /invalid signature/, () => ({ epoch: 1 }), () => ({ epoch: 1 })],
    ["too few signatures", /too few signatures/, () => ({ signatures: rest() })],
    ["a foreign signer", /foreign signer/, () => ({}), () => ({ validators: foreign() })],
    ["a high s", /high s/, () => ({ signatures: [high(first()), ...rest()] })],
    [
      "the signature of another",
      /invalid signature/,
      () => ({ signatures: [{ ...first(), signer: (rest()[0] as Named).signer }, ...rest().slice(1)] }),
    ],
  ];
  it.each(refusals)("refuses %s", async (_what, reason, change, by = () => ({})) => {
    const { code, line } = await judged({ ...certificate, ...change() }, { ...committee, ...by() });
    expect({ code, reason: line?.["reason"] }).toEqual({ code: 1, reason: expect.stringMatching(reason) });
  });

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
  });
});
