/** Strategies about what is signed at once: batches that hide, repeat or misplace statements (protocol 3.5). */
import { required } from "../../../core/base/assert.ts";
import { fromHex } from "../../../core/base/encoding.ts";
import type { Hash } from "../../../core/base/ids.ts";
import {
  BATCH_LIMIT,
  type BatchedParts,
  type BatchPath,
  batchedParts,
  batchedSignature,
  batchRulesOf,
  type SealSignature,
} from "../../../core/crypto/batch.ts";
import { keccak } from "../../../core/crypto/hash.ts";
import type { Output } from "../../../core/validator/output.ts";
import { type InterceptedBatch, modeOf, type Strategy, type StrategyRecord } from "../strategy.ts";

const MODES = {
  crossed: "each statement goes out with the path of another one of its batch",
  turned: "the path goes up on the other side of its first step",
  shortened: "the path lacks its last hash",
  lengthened: "the path has a hash too many",
  deep: "the tree has more statements than a batch may have",
  doubled: "the tree has each statement twice, and the seal shows its second place",
  hidden: "the batch also holds a vote or commit for another value, which nobody is shown",
} as const;

type Mode = keyof typeof MODES;

export const falseBatches: StrategyRecord = {
  sentence: "Signs batches that hide, repeat or misplace statements, where validators sign in batches.",
  weight: 3,
  needs: "batches",
  modes: MODES,
  create: ({ mode }): Strategy<undefined> => {
    const chosen = modeOf<Mode>(MODES, mode);
    return {
      memory: undefined,
      intercept: ({ outputs }) => ({
        outputs: chosen === "hidden" ? outputs.flatMap(withHidden) : outputs,
        memory: undefined,
      }),
      ...(chosen === "hidden" ? {} : { seal: SEALS[chosen] }),
    };
  },
};

/** The same statement for another value comes into the same batch, and goes to nobody. */
function withHidden(output: Output): readonly Output[] {
  if (output.type !== "sign") return [output];
  const { body } = output.message;
  if (body.type !== "vote" && body.type !== "commit") return [output];
  const hidden = { ...body, value: keccak(fromHex(body.value)) };
  return [output, { ...output, to: [], message: { ...output.message, body: hidden, contents: [] } }];
}

const SEALS: Readonly<Record<Exclude<Mode, "hidden">, (batch: InterceptedBatch) => readonly SealSignature[]>> = {
  crossed: ({ records }) => records.map((_, at) => required(records[(at + 1) % records.length], "record").signature),
  turned: (batch) => misplaced(batch, (place) => ({ ...place, index: place.index ^ 1 })),
  shortened: (batch) => misplaced(batch, (place) => ({ ...place, path: place.path.slice(0, -1) })),
  lengthened: (batch) => misplaced(batch, (place) => ({ ...place, path: [...place.path, ...place.path.slice(-1)] })),
  deep: (batch) => overgrown(batch, filler),
  doubled: (batch) => overgrown(batch, ({ records }) => records.map(({ digest }) => digest)),
};

/** A plain signature has no path. */
function misplaced({ records }: InterceptedBatch, change: (place: BatchPath) => BatchPath): readonly SealSignature[] {
  return records.map(({ signature }) => {
    const parts: BatchedParts | undefined = batchedParts(signature);
    return parts === undefined ? signature : batchedSignature(parts.signature, change(parts.place));
  });
}

/** One leaf more than a batch may have in all: nobody knows what the others stand for. */
function filler({ records }: InterceptedBatch): readonly Hash[] {
  const [first] = records;
  return Array.from({ length: BATCH_LIMIT }, (_, at) =>
    keccak(new Uint8Array([...fromHex(first?.digest ?? "0x"), at >> 8, at & 255])),
  );
}

/** Seals under the root of a tree in which these leaves come before the batch. */
function overgrown(
  batch: InterceptedBatch,
  before: (batch: InterceptedBatch) => readonly Hash[],
): readonly SealSignature[] {
  const leaves = before(batch);
  const all = [...leaves, ...batch.records.map(({ digest }) => digest)];
  const { root, paths } = batchRulesOf({ limit: all.length }).batchOf(all);
  const signature = batch.sign(root);
  return batch.records.map((_, at) => batchedSignature(signature, required(paths[leaves.length + at], "path")));
}
