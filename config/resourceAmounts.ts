import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";

/** Kubernetes resource requirements, amounts as quantities such as 500m or 2Gi. */
export interface ResourceAmounts {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}

/** Reads a map of `requests` and `limits`. */
export function readResources(raw: RawValues, path: string, value: unknown): ResourceAmounts {
  const allowed = ["requests", "limits"];
  if (!isRecord(value)) {
    raw.problems.bad(path, value, "a map of requests and limits");
    return {};
  }
  refuseUnknownFields(path, value, allowed, raw.problems);
  const amounts = (part: string): Record<string, Record<string, string>> => {
    const given = value[part];
    if (given === undefined) return {};
    const entries = isRecord(given) ? Object.entries(given) : [];
    if (!isRecord(given) || entries.some(([, amount]) => !isQuantity(amount))) {
      raw.problems.bad(`${path}.${part}`, given, "a map of quantities such as 500m or 2Gi");
    }
    return { [part]: Object.fromEntries(entries.map(([name, amount]) => [name, String(amount)])) };
  };
  return { ...amounts("requests"), ...amounts("limits") };
}

/** Whether a value is a Kubernetes quantity such as 4Gi, 500m or 2. */
export function isQuantity(value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  return /^\d+(\.\d+)?(m|k|[KMGTPE]i?)?$/.test(String(value));
}
