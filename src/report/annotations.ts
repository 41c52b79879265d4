/** GitHub Actions annotations of failures: one workflow command per line. */
import type { RunReport } from "./run-lines.ts";

/** The annotation of a failed run. */
export function annotation({ id, file, result, replay }: RunReport): string {
  const { verdict, reason } = result;
  return line(file, 1, `${verdict}: ${id}`, `${reason}\nreproduce: ${replay}`);
}

/** The annotation of a position in an invalid file; `at`: line number from 1. */
export function problemAnnotation(file: string, at: number, message: string): string {
  return line(file, at, "not a scenario", message);
}

function line(file: string, at: number, title: string, message: string): string {
  return `::error file=${property(file)},line=${at},title=${property(title)}::${escaped(message)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
