/** Returns the command that runs a file. */
export function runs(file: string, seed: string): string {
  return `quorumlab run ${quoted(file)} --seed ${quoted(seed)}`;
}

/** Returns the command that prints the narrative of a run. */
export function explains(file: string, seed: string): string {
  return `quorumlab explain ${quoted(file)} --seed ${quoted(seed)}`;
}

/** Quotes a word for a shell, for commands that users paste. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
