/** The command that runs a file. */
export function runs(file: string, seed: string): string {
  return `quorumlab run ${quoted(file)} --seed ${quoted(seed)}`;
}

/** The command that tells a run in sentences. */
export function explains(file: string, seed: string): string {
  return `quorumlab explain ${quoted(file)} --seed ${quoted(seed)}`;
}

/** A word as a shell reads it back, for lines that are pasted. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
