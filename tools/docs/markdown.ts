/** Parts of the documents: Markdown, hand-written prefaces and scenarios. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { findScenarios } from "../../src/scenario/files.ts";

const WIDTH = 120;

/** A table with one row a line. Line breaks are not allowed in cells. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(row)].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

export function yamlBlock(text: string): string {
  return `\`\`\`yaml\n${text}\n\`\`\``;
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Words as code, with commas between them. */
export function codes(words: readonly string[]): string {
  return words.map(code).join(", ");
}

/** A paragraph in lines of at most 120 characters. */
export function wrapText(text: string, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** Blocks with an empty line between each two, and one line feed at the end. */
export function page(blocks: readonly string[]): string {
  return `${blocks
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .join("\n\n")}\n`;
}

/** Folders whose scenarios were written for one statement each; generated ones are left out. */
const FOLDERS = ["attacks", "bugs", "regressions", "rules", "workloads"];

/** The members of a scenario that the documents name. */
export interface ScenarioText {
  /** Without its folder and suffix. */
  readonly name: string;
  readonly path: string;
  readonly bug?: string;
  readonly shows?: string;
  readonly steps?: readonly { readonly after?: { readonly coverage?: string } }[];
  readonly expect?: readonly { readonly coverage?: string | readonly string[]; readonly violation?: string }[];
}

/** The text before the generated sections of a document, with links from the folder of the document. */
export function preface(root: string, name: string): string {
  return readFileSync(join(root, "tools/docs", `${name}.md`), "utf8").replaceAll("](../../docs/", "](");
}

/** All hand-written scenarios, by path. */
export function scenarioTexts(root: string): readonly ScenarioText[] {
  const { files } = findScenarios(FOLDERS.map((folder) => join(root, "scenarios", folder)));
  return files.map(({ path, id }) => {
    const data = parse(readFileSync(path, "utf8")) as Omit<ScenarioText, "name" | "path">;
    return { ...data, name: id, path };
  });
}
