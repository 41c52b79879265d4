/** The example in README.md is the one that runs here. `UPDATE_PAGES=1` rewrites it. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";

const PAGE = "README.md";

test.each(["global-setup.ts", "payment.test.ts"])("README shows %s as it runs", (file) => {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const page = readFileSync(PAGE, "utf8");
  const place = new RegExp(`(?<=<!-- example ${file} -->\\n)[^]*?(?=<!-- /example ${file} -->)`);
  expect(page, `${PAGE} has no place for the example ${file}`).toMatch(place);
  const shown = page.replace(place, () => `\`\`\`ts\n${source}\`\`\`\n`);
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(PAGE, shown);
  else expect(page, `run UPDATE_PAGES=1 npx vitest run --config test/vitest.config.ts test/example`).toBe(shown);
});
