const suffixes: Readonly<Record<string, number>> = {
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Whole CPUs of a Kubernetes quantity, rounded down; 0 when absent. */
export function cpuCount(quantity: string | number | undefined): number {
  return Math.floor(parseQuantity(quantity));
}

/** Whole mebibytes of a Kubernetes quantity, the unit of Slurm's RealMemory; 0 when absent. */
export function memoryMegabytes(quantity: string | number | undefined): number {
  return Math.floor(parseQuantity(quantity) / 2 ** 20);
}

/** @throws Error when the text is no Kubernetes quantity */
function parseQuantity(quantity: string | number | undefined): number {
  const match = /^(\d+(?:\.\d+)?)([a-zA-Z]*)$/.exec(String(quantity ?? 0));
  const factor = suffixes[match?.[2] ?? "?"];
  if (match === null || factor === undefined) {
    throw new Error(
      `"${String(quantity)}" is no quantity: use a number with m, k, M, G, T, Ki, Mi, Gi or Ti`,
    );
  }
  return Number(match[1]) * factor;
}
