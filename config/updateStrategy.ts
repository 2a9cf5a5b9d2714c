import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";

/** How slurmd pods follow a change of their NodeSet (slinky-contract, NodeSet template change). */
export interface UpdateStrategy {
  /** RollingUpdate drains and replaces pods; OnDelete leaves them until somebody deletes them. */
  readonly type: "RollingUpdate" | "OnDelete";
  /** Pods that may be replaced at once: a count or a percentage. Only for RollingUpdate. */
  readonly maxUnavailable?: number | string;
}

const fields = ["type", "maxUnavailable"];

/** Reads the field `updateStrategy`; the chart's default is RollingUpdate with a quarter of the pods. */
export function readUpdateStrategy(raw: RawValues, path: string, value: unknown): UpdateStrategy {
  if (value === undefined) return { type: "RollingUpdate" };
  if (!isRecord(value)) {
    raw.problems.bad(path, value, `a map of ${fields.join(" and ")}`);
    return { type: "RollingUpdate" };
  }
  refuseUnknownFields(path, value, fields, raw.problems);
  const { type = "RollingUpdate", maxUnavailable } = value;
  if (type !== "RollingUpdate" && type !== "OnDelete") {
    raw.problems.bad(`${path}.type`, type, "RollingUpdate or OnDelete");
  }
  if (maxUnavailable === undefined) {
    return { type: type === "OnDelete" ? "OnDelete" : "RollingUpdate" };
  }
  if (type === "OnDelete") {
    raw.problems.add(`${path}.maxUnavailable`, "means nothing with type: OnDelete; leave it out");
  }
  const count = typeof maxUnavailable === "number" ? maxUnavailable : text(maxUnavailable);
  // Zero would never replace a pod.
  if (!/^([1-9]\d{0,3}|([1-9]\d?|100)%)$/.test(String(count))) {
    raw.problems.bad(`${path}.maxUnavailable`, maxUnavailable, "a count such as 1, or 1% to 100%");
  }
  return { type: "RollingUpdate", maxUnavailable: count };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
