/** Reading a scenario file and the JSON body of a payment. */
import type { Result } from "../../src/core/base/result.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { parseJson } from "../../src/server/wire/json.ts";
import { readWrite } from "../../src/server/wire/write.ts";
import { bodyOf, PATH } from "../http/served.ts";
import { keyOf, USD } from "../support/genesis.ts";
import { callsRow, type MicroGroup } from "./harness.ts";
import { EVERY_KIND, textOf } from "./runs.ts";

const SMALL = "rules/payments/payment";

export const parseGroup: MicroGroup = {
  name: "parse",
  about:
    "one text. A payment is read to its possible senders, a scenario file is checked; the reference of a file is the small one.",
  rows: () => {
    const body = bodyOf(USD, keyOf("payer"), 0, keyedHash);
    const spaced = JSON.stringify(JSON.parse(body), undefined, 1);
    const parser = createParser();
    const small = textOf(SMALL);
    const file = (text: string) => callsRow(fileName(text), [() => good(parser.parse(text))], fileName(small));
    return [
      callsRow("body: JSON.parse", [() => JSON.parse(body)]),
      callsRow("body: JSON without loss", [() => good(parseJson(body))]),
      callsRow("body with spaces: JSON without loss", [() => good(parseJson(spaced))]),
      callsRow("body: a payment", [() => good(readWrite(PATH, good(parseJson(body))))]),
      file(small),
      file(textOf(EVERY_KIND)),
    ];
  },
};

function fileName(text: string): string {
  return `scenario file of ${text.trimEnd().split("\n").length} lines`;
}

/** @throws Error for a text that is refused */
function good<T>(result: Result<T, unknown>): T {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}
