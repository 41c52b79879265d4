/** Finalized answers of a served network, as `verify` judges them. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { readCommittee, type Verdict } from "../../../src/proofs/verify.ts";
import { finalizedVerdict, readFinalized } from "../../../src/server/wire/finalized-check.ts";
import { mutationsOf } from "../../proofs/mutations.ts";
import type { Running } from "./support.ts";

/** An answer as text, as somebody would save it. */
export async function textAt(net: Running, path: string): Promise<string> {
  return (await fetch(`${net.served.url}${path}`)).text();
}

export function finalizedTextOf(net: Running, hash: string): Promise<string> {
  return textAt(net, `/v1/transactions/finalized/by_hash?hash=${hash}`);
}

export function epochTextOf(net: Running, id: number): Promise<string> {
  return textAt(net, `/v1/governances/epoch/by_id?id=${id}`);
}

/** Advances until checkpoints list final operations: the next one may have been under way before they were final. */
export async function untilListed(net: Running, ...hashes: readonly string[]): Promise<void> {
  const isListed = async (hash: string): Promise<boolean> => {
    const { checkpoint_hash } = JSON.parse(await finalizedTextOf(net, hash)) as { readonly checkpoint_hash: unknown };
    return checkpoint_hash !== null;
  };
  for (const hash of hashes) while (!(await isListed(hash))) await net.admin("checkpoint");
}

/** The verdict over an answer; a malformed one is refused. */
export function verdictOf(finalized: string, epoch: string): Verdict {
  const [read, committee] = [readFinalized(finalized), readCommittee(epoch)];
  const problem = [read, committee].flatMap((result) => (result.ok ? [] : result.error))[0];
  if (!read.ok || !committee.ok) return { reason: problem?.message, covered: [], uncovered: [] };
  return finalizedVerdict(read.value, committee.value);
}

/** The answer of an operation, which is proved but for these members. */
export async function expectProved(net: Running, hash: string, uncovered: readonly string[]): Promise<string> {
  const text = await finalizedTextOf(net, hash);
  const { epoch } = JSON.parse(text) as { readonly epoch: number };
  const verdict = verdictOf(text, await epochTextOf(net, epoch));
  deepStrictEqual([verdict.reason, verdict.uncovered], [undefined, uncovered], text);
  return text;
}

/** Asserts that each change of a member of the answer is refused, or is of a member that the verdict does not cover. */
export function expectNoMutationProved(finalized: string, epoch: string): number {
  const mutations = mutationsOf(JSON.parse(finalized));
  for (const { path, how, file } of mutations) {
    const { reason, uncovered } = verdictOf(JSON.stringify(file), epoch);
    const isUncovered = uncovered.some((member) => path === member || (path === "" && member === "surplus"));
    // An answer that says less says nothing false: a signature has its signer, and without a checkpoint its place is open.
    if (how === "left out" && /\.signer$|^proof\.checkpoint$/.test(path)) continue;
    ok(reason !== undefined || isUncovered, `${path} ${how}: ${JSON.stringify(file)}`);
  }
  return mutations.length;
}

/** Asserts that each change of a member of the epoch's answer is refused. */
export function expectNoCommitteeProves(finalized: string, epoch: string): number {
  const mutations = mutationsOf(JSON.parse(epoch));
  for (const { path, how, file } of mutations) {
    const { reason } = verdictOf(finalized, JSON.stringify(file));
    ok(reason !== undefined || path === "committee_hash", `${path} ${how}: ${JSON.stringify(file)}`);
  }
  return mutations.length;
}
