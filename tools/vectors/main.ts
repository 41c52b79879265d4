/** `npm run vectors`: writes the vectors of the validator wire to test/vectors/validator. */
import { mkdirSync, writeFileSync } from "node:fs";
import { validatorVectors, vectorsText } from "./validator.ts";

const FOLDER = "test/vectors/validator";

mkdirSync(FOLDER, { recursive: true });
for (const [name, vectors] of validatorVectors(".")) {
  const path = `${FOLDER}/${name}.json`;
  writeFileSync(path, vectorsText(vectors));
  process.stdout.write(`${path}\n`);
}
