import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";
import { isQuantity } from "./resourceAmounts.ts";

/** A persistent volume. */
export interface Storage {
  /** Kubernetes quantity. */
  readonly size: string;
  /** StorageClass; the cluster's default when absent. */
  readonly storageClass?: string;
}

/** Reads a map of `size` and `storageClass`. */
export function readStorage(
  raw: RawValues,
  path: string,
  value: unknown,
  defaultSize: string,
): Storage {
  if (!isRecord(value)) {
    raw.problems.bad(path, value, "a map of size and storageClass");
    return { size: defaultSize };
  }
  refuseUnknownFields(path, value, ["size", "storageClass"], raw.problems);
  const { size = defaultSize, storageClass } = value;
  if (!isQuantity(size)) raw.problems.bad(`${path}.size`, size, "a quantity such as 4Gi");
  if (storageClass === undefined) return { size: String(size) };
  if (typeof storageClass !== "string" || !/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(storageClass)) {
    raw.problems.bad(`${path}.storageClass`, storageClass, "the name of a StorageClass");
    return { size: String(size) };
  }
  return { size: String(size), storageClass };
}
