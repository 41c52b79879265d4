/** Markdown parts: tables, code blocks, wrapped paragraphs. */

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
