/** Requests of recoveries, from files of writes (wire 3.9). */
import type { Address, Nonce } from "../../core/base/ids.ts";
import { readCount } from "../../core/base/spelled-number.ts";
import { recoveryId } from "../../core/ledger/identity.ts";
import { readText } from "../../scenario/files.ts";
import type { WriteRequest } from "../../server/wire/write-of.ts";
import { UsageError } from "../command.ts";
import { type JsonMembers, objectIn } from "../http.ts";

/** Write that a file holds. */
interface Evidence extends WriteRequest {
  readonly file: string;
  readonly chainId: number;
  readonly nonce: Nonce;
}

/**
 * Returns a recovery with its hash, which is the same for every proof. The network checks the signatures.
 * @throws UsageError unless two files hold writes of one chain and nonce
 */
export function recoveryOf(account: Address, files: readonly string[]) {
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
