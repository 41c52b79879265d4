/** Forms of operations: reading what is written gives the same operation (scenarios 3). */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Signature } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { directoryOf } from "../../src/scenario/directory.ts";
import { signerOf } from "../../src/scenario/members.ts";
import type { SubmitSpec } from "../../src/scenario/schema/submit.ts";
import { formOf } from "../../src/scenario/submission-form.ts";
import { operationOf } from "../../src/scenario/submissions.ts";
import { VERBS } from "../../src/scenario/verbs.ts";
import { drawWorld } from "../../src/search/fuzz/draw.ts";

test("the form of a drawn submission makes the same operation again, of every verb", () => {
  const seen = new Set<string>();
  const property = fc.property(fc.integer({ min: 1, max: 2_000 }), (seed) => {
    const scenario = drawWorld(String(seed), "default").scenario;
    const directory = directoryOf(scenario, keyedHash);
    for (const { submit } of scenario.steps ?? []) {
      if (submit === undefined || submit.recovery !== undefined || submit.repeat !== undefined) continue;
      const operation = operationOf(submit, directory, 1);
      const sender = directory.account(signerOf(submit) ?? "");
      const form = formOf({ operation, sender, signature: "0x" as Signature } as SignedOperation, directory);
      expect(form).toBeDefined();
      const { verb = "payment", members } = form ?? {};
      seen.add(verb);
      const { id, nonce, layout, memo, recent_epoch, recent_checkpoint } = submit;
      const more = Object.entries({ layout, memo, recent_epoch, recent_checkpoint }).filter(
        ([, value]) => value !== undefined,
      );
      const again = { id, nonce, ...Object.fromEntries(more), [verb]: members } as unknown as SubmitSpec;
      expect(operationOf(again, directory, 1)).toEqual(operation);
      expect(signerOf(again)).toBe(signerOf(submit));
    }
  });
  fc.assert(property, { numRuns: 400 });
  expect([...seen].sort()).toEqual(Object.keys(VERBS).sort());
});
