/**
 * The vectors of the validator wire, read by a decoder that was written from docs/validator-wire.md and the sections that
 * it names, with nothing of the core: RLP, hashes, stand-in signatures, proposers and roots of states.
 */
import { readFileSync } from "node:fs";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { interfaceSchema } from "../../src/external/interface-schema.ts";
import { validatorVectors, vectorsText } from "../../tools/vectors/validator.ts";

type Json = Readonly<Record<string, any>>;
type Item = Buffer | readonly Item[];

const FOLDER = "test/vectors/validator";
const read = (name: string): readonly Json[] => JSON.parse(readFileSync(`${FOLDER}/${name}.json`, "utf8"));

// Section 2: RLP and tagged hashes.

function rlp(item: Item): Buffer {
  if (Buffer.isBuffer(item)) {
    if (item.length === 1 && (item[0] as number) < 0x80) return item;
    return Buffer.concat([head(item.length, 0x80), item]);
  }
  const parts = Buffer.concat(item.map(rlp));
  return Buffer.concat([head(parts.length, 0xc0), parts]);
}

function head(length: number, kind: number): Buffer {
  if (length <= 55) return Buffer.from([kind + length]);
  const bytes = uint(length);
  return Buffer.concat([Buffer.from([kind + 55 + bytes.length]), bytes]);
}

function uint(value: number | string | bigint): Buffer {
  const digits = BigInt(value).toString(16);
  return digits === "0" ? Buffer.alloc(0) : Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

const text = (value: string): Buffer => Buffer.from(value, "utf8");
const hex = (value: string): Buffer => Buffer.from(value.slice(2), "hex");
const bool = (value: boolean): Buffer => Buffer.from(value ? [1] : []);
const maybe = (value: unknown, item: (value: never) => Item): Item => (value == null ? [] : [item(value as never)]);
const keccak = (bytes: Buffer): string => `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`;
const H = (tag: string, ...items: readonly Item[]): string => keccak(rlp([text(tag), ...items]));

const owner = (slot: Json): string | undefined => slot["address"] ?? slot["token"];
const numberOf = (slot: Json): number => slot["sequence"] ?? slot["version"] ?? slot["number"] ?? slot["epoch"];
const slotItem = (slot: Json): Item => [
  text(slot["kind"]),
  ...(owner(slot) === undefined ? [] : [hex(owner(slot) as string)]),
  uint(numberOf(slot)),
];
const slotKey = (slot: Json): string =>
  [slot["kind"], ...(owner(slot) === undefined ? [] : [owner(slot)]), String(numberOf(slot)).padStart(16, "0")].join("/");

function valueItem(value: Json): Item {
  switch (value["type"]) {
    case "operation":
      return [text("operation"), hex(value["id"])];
    case "burn":
      return [text("burn"), hex(value["id"]), text(value["outcome"])];
    case "skip":
      return [
        text("skip"),
        text(value["by"]),
        hex(value["id"]),
        value["displaced"].map(hex),
        maybe(value["feeToken"], hex),
      ];
    default:
      return [text("list"), value["ids"].map(hex)];
  }
}

const headerItem = (header: Json): Item => [
  uint(header["number"]),
  ...["parentHash", "stateRoot", "transactionsRoot", "receiptsRoot"].map((name) => hex(header[name])),
  uint(header["timestamp"]),
  uint(header["size"]),
  text(header["extraData"]),
];

const feeItem = ({ payment, cancellation, recovery }: Json): Item => [payment, cancellation, recovery].map(uint);

function parametersItem({ validators, fees, checkpoints, epochLength }: Json): Item {
  const tokens = [...fees.tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    validators.map(({ key, reward }: Json) => [hex(key), hex(reward)]),
    [feeItem(fees.default), tokens.map(([token, entry]) => [hex(token), feeItem(entry)])],
    maybe(checkpoints, ({ intervalMs, slots, limit, periodSeconds, empty }: Json) => [
      ...[intervalMs, slots, limit, periodSeconds].map(uint),
      bool(empty),
    ]),
    maybe(epochLength, uint),
  ];
}

/** Specification 10.4: roots of lists. */
function listRoot(leaves: readonly Buffer[]): string {
  const top = (part: readonly Buffer[]): string => {
    if (part.length === 1) return H("list leaf", part[0] as Buffer);
    let split = 1;
    while (split * 2 < part.length) split *= 2;
    return H("list node", hex(top(part.slice(0, split))), hex(top(part.slice(split))));
  };
  return H("list", uint(leaves.length), hex(leaves.length === 0 ? H("empty list") : top(leaves)));
}

function valueHash(value: Json): string {
  const { type, header, listed = [] } = value;
  const root = listRoot(
    listed.map(({ slot, value: decided, copies }: Json) => rlp([slotItem(slot), valueItem(decided), copies.map(hex)])),
  );
  if (type === "checkpoint") return H("value", text("checkpoint"), headerItem(header), hex(root));
  if (type !== "closing") return H("value", text(type === "list" ? "token" : "account"), valueItem(value));
  const parts = [headerItem(header), hex(root), parametersItem(value["next"]), hex(value["warrant"])];
  return H("value", text("closing"), uint(value["epoch"]), ...parts);
}

function contentItem(body: Json): Item {
  if (body["type"] === "roundChange")
    return body["lock"] === null ? [] : [uint(body["lock"].round), hex(body["lock"].value)];
  if (body["type"] !== "close") return hex(body["value"]);
  return body["claims"].map(({ type, slot, round, value }: Json) => [
    text(type),
    slotItem(slot),
    uint(round),
    hex(value),
  ]);
}

const statementDigest = (chain: number, body: Json): string =>
  H(body["type"], uint(chain), uint(body["epoch"]), slotItem(body["slot"]), uint(body["round"]), contentItem(body));

// Section 3: the stand-in for signatures.

const rotl = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

function spread(word: number): number {
  let w = word ^ (word >>> 16);
  w = Math.imul(w, 0x85ebca6b);
  w ^= w >>> 13;
  w = Math.imul(w, 0xc2b2ae35);
  return w ^ (w >>> 16);
}

class Mix {
  lanes = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];

  word(word: number): this {
    for (const [at, bits] of [0, 11, 19, 27].entries()) {
      const turned = bits === 0 ? word : rotl(word, bits);
      this.lanes[at] = (spread((this.lanes[at] as number) ^ turned) + (this.lanes[(at + 1) % 4] as number)) | 0;
    }
    return this;
  }

  hex(value: string): this {
    for (const word of value.slice(2).match(/.{8}/g) ?? []) this.word(Number.parseInt(word, 16));
    return this;
  }

  integer(value: number): this {
    return this.word(value | 0).word(Math.floor(value / 2 ** 32) | 0);
  }

  digits(): string {
    for (let at = 0; at < 8; at++) this.word(0x9e3779b9 + (at % 4));
    return this.lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
  }
}

const TYPES = ["vote", "commit", "roundChange", "proposal", "close", "lock", "finality"];
const SLOTS = ["account", "token", "checkpoint", "epoch"];

function mixSlot(mix: Mix, slot: Json): void {
  mix.word(SLOTS.indexOf(slot["kind"]) + 1);
  if (owner(slot) !== undefined) mix.hex(owner(slot) as string);
  mix.integer(numberOf(slot));
}

function standInDigest(chain: number, body: Json): string {
  const mix = new Mix().integer(chain).word(TYPES.indexOf(body["type"]) + 1).integer(body["epoch"]);
  mixSlot(mix, body["slot"]);
  mix.integer(body["round"]);
  if (body["type"] === "roundChange") {
    mix.integer(body["lock"]?.round ?? -1);
    if (body["lock"] !== null) mix.hex(body["lock"].value);
  } else if (body["type"] === "close")
    for (const { type, slot, round, value } of body["claims"]) {
      mix.word(TYPES.indexOf(type) + 1);
      mixSlot(mix, slot);
      mix.integer(round).hex(value);
    }
  else mix.hex(body["value"]);
  return `0x${mix.digits()}${"0".repeat(32)}`;
}

function signatureOf(signer: string, digest: string): string {
  const tag = new Mix().hex(signer).hex(digest).digits();
  return `0x${"0".repeat(24)}${signer.slice(2)}01${"0".repeat(30)}${tag}00`;
}

// Section 2 and specification 10.4: roots of states.

const POLICIES = ["excludedMinters", "excludedBurners", "clawbacks", "allowances", "batchFees", "deposits"];
const DEFAULTS: Json = {
  excludedMinters: "allowed",
  excludedBurners: "allowed",
  clawbacks: "any",
  allowances: "set",
  batchFees: "pool",
  deposits: "text",
};
const ROLES = ["MasterMintBurn", "MintBurnTokens", "Pause", "ManageList", "UpdateMetadata", "Clawback", "Bridge"];

const signersItem = ({ signers, threshold }: Json): Item => [
  uint(threshold),
  ...signers.map(({ key, weight }: Json) => [hex(key), uint(weight)]),
];

const PART_ITEMS: Readonly<Record<string, (value: any) => Item>> = {
  accounts: ({ nonce, sequence, bridgeNonce, multisig }: Json) => [
    uint(nonce),
    uint(sequence),
    ...(bridgeNonce === undefined ? [] : [uint(bridgeNonce)]),
    ...(multisig === undefined ? [] : [signersItem(multisig)]),
  ],
  balances: (balance: string) => (balance.startsWith("-") ? [uint(balance.slice(1))] : uint(balance)),
  tokens: (token: Json) => [
    uint(token["version"]),
    ...["symbol", "name", "uri"].map((name) => text(token[name])),
    token["additional"].map((pair: readonly string[]) => pair.map(text)),
    uint(token["decimals"]),
    hex(token["masterAuthority"]),
    ...["isPrivate", "isPaused", "clawbackEnabled"].map((name) => bool(token[name])),
    uint(token["minted"]),
    ROLES.map((role) =>
      token["roles"][role].map(([address, left]: readonly [string, string | null]) => [
        hex(address),
        ...(left === null ? [] : [uint(left)]),
      ]),
    ),
  ],
  listed: bool,
  bridged: bool,
  pools: uint,
  burned: uint,
  authorised: ({ id, authorisedBy, sequence }: Json) => [hex(id), text(authorisedBy), uint(sequence)],
};

const bitOf = (key: string, bit: number): number => ((key.charCodeAt(bit >> 3) || 0) >> (7 - (bit & 7))) & 1;

function partRoot(name: string, entries: readonly (readonly [string, unknown])[]): string {
  if (entries.length === 0) return H("empty");
  const [[key, value]] = entries as [readonly [string, unknown]];
  if (entries.length === 1) return H("leaf", text(key), rlp((PART_ITEMS[name] as (value: unknown) => Item)(value)));
  let bit = 0;
  while (entries.every(([other]) => bitOf(other, bit) === bitOf(key, bit))) bit++;
  const [left, right] = [0, 1].map((side) => partRoot(name, entries.filter(([other]) => bitOf(other, bit) === side)));
  return H("node", uint(bit), hex(left as string), hex(right as string));
}

function stateRoot(state: Json): { readonly root: string; readonly parts: readonly string[] } {
  const names = Object.keys(PART_ITEMS);
  const parts = names.map((name) => partRoot(name, state[name]));
  const changed = POLICIES.filter((name) => state["policies"][name] !== DEFAULTS[name]);
  const policies = changed.map((name) => [text(name), text(state["policies"][name])]);
  const header = H(
    "header",
    uint(state["chainId"]),
    hex(state["operator"]),
    uint(state["listLimit"]),
    bool(state["policies"].issuedTokens === "open"),
    ...(policies.length === 0 ? [] : [policies]),
    uint(state["epoch"]),
    uint(state["opened"]),
    parametersItem(state["parameters"]),
  );
  return { root: H("state", hex(header), parts.map((part, at) => [text(names[at] as string), hex(part)])), parts };
}

test("statements have the digests that are signed, and the stand-in's signatures", () => {
  const kinds = new Set<string>();
  for (const { chain, statement, digest, standIn, signer, signature } of read("statements")) {
    kinds.add(statement.type);
    expect(statementDigest(chain, statement)).toBe(digest);
    expect(standInDigest(chain, statement)).toBe(standIn);
    expect(signatureOf(signer, standIn)).toBe(signature);
  }
  expect([...kinds].sort()).toEqual(["close", "commit", "proposal", "roundChange", "vote"]);
});

test("signatures in messages hold, those of certificates included", () => {
  let checked = 0;
  const check = (chain: number, part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const record = part as Json;
    const { type, seals, signer, signature } = record;
    if (seals !== undefined) {
      const digest = standInDigest(chain, { ...record, type: type === "lock" ? "vote" : "commit" });
      for (const seal of seals) {
        expect(seal.signature).toBe(signatureOf(seal.signer, digest));
        checked += 1;
      }
    } else if (signature !== undefined && TYPES.includes(type)) {
      expect(signature).toBe(signatureOf(signer, standInDigest(chain, record)));
      checked += 1;
    }
    for (const below of Object.values(record)) check(chain, below);
  };
  for (const { chain, message } of read("messages")) check(chain, message);
  expect(checked).toBeGreaterThan(20);
});

test("values have the hashes that are voted for", () => {
  const types = read("values").map(({ value, hash }) => {
    expect(valueHash(value)).toBe(hash);
    return value.type;
  });
  expect(types).toEqual(["burn", "checkpoint", "closing", "list", "operation", "skip"]);
});

test("slots have their keys and proposers", () => {
  let proposers = 0;
  for (const { slot, key, members, epoch, round, proposer } of read("slots")) {
    expect(slotKey(slot)).toBe(key);
    if (members === undefined) continue;
    const turn = BigInt(H("slot", text(key))) + BigInt(epoch) + BigInt(round);
    expect(Number(turn % BigInt(members))).toBe(proposer);
    proposers += 1;
  }
  expect(proposers).toBeGreaterThan(2);
});

test("states have their roots", () => {
  const states = read("states");
  for (const { state, root, parts } of states) expect(stateRoot(state)).toEqual({ root, parts });
  expect(states.length).toBeGreaterThan(2);
});

test("proposals and warrants of closings have their digests", () => {
  const governance = ({ chainId, epoch, next }: Json): string =>
    H("governance", uint(chainId), uint(epoch), parametersItem(next));
  for (const { signed, digest } of read("proposals")) expect(governance(signed.proposal)).toBe(digest);
  const causes = read("warrants").map(({ chain, warrant, hash }) => {
    const { value, closing } = warrant;
    const { cause, closes, certificates } = closing;
    const causeItem =
      cause.kind === "proposal"
        ? [text("proposal"), hex(governance(cause.signed.proposal))]
        : [text("checkpoint"), slotItem(cause.certificate.slot), hex(cause.certificate.value)];
    const { epoch } = value;
    // The stand-in signs other digests, and the warrant covers what is signed.
    const items = closes.map(({ signer, signature, claims }: Json) => {
      const slot = { kind: "epoch", epoch };
      const body = { type: "close", epoch, slot, round: 0, claims: claims.map((at: number) => certificates[at]) };
      const digest = standInDigest(chain, body);
      expect(signature).toBe(signatureOf(signer, digest));
      return [hex(signer), hex(digest)];
    });
    expect(H("closing warrant", causeItem, items)).toBe(hash);
    return cause.kind;
  });
  expect(causes).toEqual(["checkpoint", "proposal"]);
});

test("every message, record, reply, event and submission fits the published schema", () => {
  const schema = interfaceSchema() as { readonly $defs: Json };
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const parts = { messages: "Message", records: "Record", replies: "Reply", events: "Event", submissions: "Submission" };
  for (const [file, name] of Object.entries(parts)) {
    const member = name.toLowerCase();
    const validate = ajv.compile({ $ref: `#/$defs/${name}`, $defs: schema.$defs });
    for (const vector of read(file)) {
      expect([validate(vector[member]), validate.errors]).toEqual([true, null]);
      expect(validate({ ...vector[member], surplus: 1 })).toBe(false);
    }
  }
});

test("the vectors are those that `npm run vectors` writes", () => {
  for (const [name, vectors] of validatorVectors("."))
    expect(readFileSync(`${FOLDER}/${name}.json`, "utf8"), name).toBe(vectorsText(vectors));
});
