/** Data of the reports of a campaign and a hunt, from the text of the file that a command wrote. */
import { err, ok, type Result } from "../../core/base/result.ts";
import { type CampaignData, campaignDataOf } from "./campaign-data.ts";
import { type HuntData, huntDataIn, huntDataOf } from "./hunt-data.ts";
import { readLines } from "./read-lines.ts";

export type SearchData = CampaignData | HuntData;

const EXPECTED =
  "expected a recording of serve, lines of fuzz --json, campaign results --json or hunt --json, or a hunt.json";

/** The error says what is wrong with the text. `title`: where the text names none. */
export function searchDataOf(
  text: string,
  about: Pick<CampaignData, "title" | "versions">,
): Result<SearchData, string> {
  const whole = wholeObject(text);
  if (Array.isArray(whole?.["bugs"])) return ok(huntDataOf(whole["bugs"] as readonly object[], whole, about));
  const lines = readLines(text);
  if (!lines.ok) return err(`${EXPECTED}; ${lines.error}`);
  if (lines.value.some(({ type }) => type === "bug")) return ok(huntDataIn(lines.value, about));
  const isCampaign = lines.value.some(({ type }) => type === "coverage" || type === "progress" || type === "failure");
  return isCampaign ? ok(campaignDataOf(lines.value, about)) : err(EXPECTED);
}

/** The one object that the text is, if it is one. */
function wholeObject(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (error) {
    // Lines of JSON are not one object.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
