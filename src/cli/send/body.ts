/** Requests of operations (wire 1.2), in the spelling of the newest clients, and of recoveries (wire 3.9). */
import { requireDefined } from "../../core/base/assert.ts";
import { fromHex } from "../../core/base/encoding.ts";
import { type AccountSignature, type Address, isMultisigSignature, type Nonce } from "../../core/base/ids.ts";
import type { Leg, Operation, SignedOperation, WeightedKey } from "../../core/base/operation.ts";
import { readCount } from "../../core/base/spelled-number.ts";
import { recoveryId } from "../../core/ledger/identity.ts";
import { decodeMultisig } from "../../core/ledger/multisig.ts";
import type { Field, FieldType } from "../../core/ledger/operations/kind.ts";
import { kindOf } from "../../core/ledger/operations/kinds.ts";
import { readText } from "../../scenario/files.ts";
import { writePathsOf } from "../../server/wire/paths.ts";
import { UsageError } from "../command.ts";
import { type JsonMembers, objectIn } from "../http.ts";

/** Request of a write. */
export type WriteRequest = Readonly<{ path: string; body: JsonMembers }>;

/** Of version 1, or of version 2 where only that signs it. Amounts are decimal text, r and s have 64 hex digits, and v is 0 or 1 (wire 3.5). */
export function writeOf({ operation, sender, signature }: SignedOperation): WriteRequest {
  const { chainId, nonce, memo, layout } = operation;
  const head = { chain_id: chainId, nonce, ...fieldsOf(operation), ...(memo === undefined ? {} : { memo }) };
  const path = pathOf(operation);
  if (layout !== "v2") return { path, body: { ...head, signature: numbersOf(signature) } };
  return { path, body: { ...head, authorization: authorizationOf(sender, signature) } };
}

function authorizationOf(account: Address, signature: AccountSignature): JsonMembers {
  if (!isMultisigSignature(signature)) return { type: "single_secp256k1", signature: numbersOf(signature) };
  const { signatures } = requireDefined(decodeMultisig(signature), "signatures of a multisig account");
  return {
    type: "multisig_secp256k1",
    account,
    signatures: signatures.map((keySignature) => ({
      signer_pubkey: keySignature.key,
      signature: numbersOf(keySignature.signature),
    })),
  };
}

function numbersOf(signature: string): JsonMembers {
  const [r, s] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`];
  return { r, s, v: Number(`0x${signature.slice(130)}`) };
}

/** The newest path of the kind; of a list, the path that names it. */
function pathOf(operation: Operation): string {
  const paths = writePathsOf(operation.kind, operation.layout === "v2" ? 2 : 1);
  const found = paths.find(([, { list }]) => operation.kind !== "list" || list === operation.list);
  return requireDefined(found, `path of a ${operation.kind}`)[0];
}

/** JSON leaves out members without a value. */
function fieldsOf(operation: Operation): JsonMembers {
  const fields = Object.entries<Field>(kindOf(operation).fields);
  return Object.fromEntries(
    fields.map(([name, { wire, type }]) => [wire, jsonOf(type, (operation as Operation & JsonMembers)[name])]),
  );
}

function jsonOf(type: FieldType, value: unknown): unknown {
  if (value === undefined) return undefined;
  switch (type) {
    case "amount":
      return String(value);
    case "time":
      return Number(value);
    case "legs":
      return (value as readonly Leg[]).map(({ recipient, amount }) => ({ recipient, amount: String(amount) }));
    case "pairs":
      return (value as readonly (readonly [string, string])[]).map(([key, text]) => ({ key, value: text }));
    case "signers":
      // Clients write keys as numbers.
      return (value as readonly WeightedKey[]).map(({ key, weight }) => ({ public_key: [...fromHex(key)], weight }));
    default:
      return value;
  }
}

/** A recovery with its hash, which is the same for every proof. */
interface SendRecovery {
  readonly request: WriteRequest;
  readonly nonce: Nonce;
  readonly hash: string;
}

/** Write that a file holds. */
interface Evidence extends WriteRequest {
  readonly file: string;
  readonly chainId: number;
  readonly nonce: Nonce;
}

/** The network checks the signatures. @throws UsageError unless two files hold writes of one chain and nonce. */
export function recoveryOf(account: Address, files: readonly string[]): SendRecovery {
  const [first, second, ...surplus] = files.map(evidenceIn);
  if (first === undefined || second === undefined || surplus.length > 0)
    throw new UsageError(`--evidence: expected two files, got ${files.length}`);
  const { chainId, nonce } = first;
  if (second.chainId !== chainId || second.nonce !== nonce)
    throw new UsageError(
      `--evidence: expected two writes of one chain and nonce, got chain ${chainId}, nonce ${nonce} in ${first.file} and chain ${second.chainId}, nonce ${second.nonce} in ${second.file}`,
    );
  const evidence = [first, second].map(({ path, body }) => ({ path, body }));
  return {
    request: { path: "/v1/transactions/recovery", body: { chain_id: chainId, account, nonce, evidence } },
    nonce,
    hash: recoveryId(chainId, account, nonce),
  };
}

function evidenceIn(file: string): Evidence {
  const text = readText(file);
  if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
  const { path, body } = objectIn(text.value) ?? {};
  const [chainId, nonce] = ["chain_id", "nonce"].map((member) =>
    readCount((body as JsonMembers | null | undefined)?.[member]),
  );
  if (typeof path === "string" && chainId !== undefined && nonce !== undefined)
    return { file, path, body: body as JsonMembers, chainId, nonce: nonce as Nonce };
  throw new UsageError(
    `${file}: expected a write as send --print prints it, {"path": "/v1/...", "body": {"chain_id": 1, "nonce": 0, ...}}`,
  );
}
