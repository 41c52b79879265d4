/** The examples in README.md are the ones that run here. `UPDATE_PAGES=1` rewrites them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = "README.md";

const EXAMPLES = ["global-setup.ts", "payment.test.ts", "property.test.ts", "changed-rule.test.ts"];

test.each(EXAMPLES)("README shows %s as it runs", (file) => {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const page = readFileSync(PAGE, "utf8");
  const place = new RegExp(`(?<=<!-- example ${file} -->\\n)[^]*?(?=<!-- /example ${file} -->)`);
  expect(page, `${PAGE} has no place for the example ${file}`).toMatch(place);
  const shown = page.replace(place, () => `\`\`\`ts\n${source}\`\`\`\n`);
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(PAGE, shown);
  else expect(page, `run UPDATE_PAGES=1 npx vitest run --config test/vitest.config.ts test/example`).toBe(shown);
});
