/** Commands that reproduce and explain a run. */
export function runs(file: string, seed: string): string {
  return `quorumlab run ${quoted(file)} --seed ${quoted(seed)}`;
}

/** Returns the command that explains a run. */
export function explains(file: string, seed: string): string {
  return `quorumlab explain ${quoted(file)} --seed ${quoted(seed)}`;
}

/** Returns a word quoted for a POSIX shell. */
export function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
