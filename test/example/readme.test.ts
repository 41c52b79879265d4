/** The examples in the guides are the ones that run here. `UPDATE_PAGES=1` rewrites them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";

const EXAMPLES = [
  ["global-setup.ts", "docs/guides/local-network-for-wallets.md"],
  ["property.test.ts", "docs/guides/library-and-fast-check.md"],
  ["changed-rule.test.ts", "docs/guides/library-and-fast-check.md"],
] as const;

test.each(EXAMPLES)("%s stands in %s as it runs", (file, page) => {
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  const text = readFileSync(page, "utf8");
  const place = new RegExp(`(?<=<!-- example ${file} -->\\n)[^]*?(?=<!-- /example ${file} -->)`);
  expect(text, `${page} has no place for the example ${file}`).toMatch(place);
  const rendered = text.replace(place, () => `\`\`\`ts\n${source}\`\`\`\n`);
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(page, rendered);
  else expect(text, `run UPDATE_PAGES=1 npx vitest run --config test/vitest.config.ts test/example`).toBe(rendered);
});
