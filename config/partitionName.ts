/** Slurm reads these words as all nodes and as defaults for the lines that follow. */
export const reservedWords: readonly string[] = ["all", "default"];

/** What a partition may be called, as a phrase. */
export const partitionNameRule = `up to 63 letters, digits, - and _, other than ${reservedWords.join(" and ")}`;

/** Whether a text can be the name of a partition. */
export function isPartitionName(text: string): boolean {
  return (
    /^[A-Za-z0-9][-_A-Za-z0-9]{0,62}$/.test(text) && !reservedWords.includes(text.toLowerCase())
  );
}
