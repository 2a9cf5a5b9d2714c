import { isRecord, type RawValues, refuseUnknownFields } from "./rawValues.ts";

/** Which Kubernetes nodes take a pod. */
export interface Placement {
  /** Labels that a node must carry. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Taints that do not keep the pods away. */
  readonly tolerations: readonly Toleration[];
}

/** A toleration, as Kubernetes takes it (Kubernetes, taints and tolerations). */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

const tolerationFields = ["key", "operator", "value", "effect", "tolerationSeconds"];
const effects: readonly unknown[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Reads the fields `nodeSelector` and `tolerations`. */
export function readPlacement(
  raw: RawValues,
  path: string,
  entry: Readonly<Record<string, unknown>>,
): Placement {
  const { nodeSelector = {}, tolerations = [] } = entry;
  const labels = isRecord(nodeSelector) ? Object.entries(nodeSelector) : [];
  if (!isRecord(nodeSelector) || labels.some(([, value]) => typeof value !== "string")) {
    raw.problems.bad(`${path}.nodeSelector`, nodeSelector, "a map of labels and their texts");
  }
  if (!Array.isArray(tolerations)) {
    raw.problems.bad(`${path}.tolerations`, tolerations, "a list of tolerations");
  }
  const list = Array.isArray(tolerations) ? (tolerations as unknown[]) : [];
  return {
    nodeSelector: Object.fromEntries(labels.map(([key, value]) => [key, String(value)])),
    tolerations: list.flatMap((item, index) => {
      const toleration = readToleration(raw, `${path}.tolerations[${index}]`, item);
      return toleration === undefined ? [] : [toleration];
    }),
  };
}

function readToleration(raw: RawValues, path: string, value: unknown): Toleration | undefined {
  if (!isRecord(value)) {
    raw.problems.bad(path, value, `a map of ${tolerationFields.join(", ")}`);
    return undefined;
  }
  refuseUnknownFields(path, value, tolerationFields, raw.problems);
  const { key, operator = "Equal", effect, value: wanted, tolerationSeconds } = value;
  if (operator !== "Equal" && operator !== "Exists") {
    raw.problems.bad(`${path}.operator`, operator, "Equal or Exists");
  }
  if (operator === "Equal" && (typeof key !== "string" || key === "")) {
    raw.problems.bad(`${path}.key`, key, "the key of a taint (only operator: Exists goes without)");
  }
  if (operator === "Exists" && wanted !== undefined) {
    raw.problems.bad(`${path}.value`, wanted, "no value with operator: Exists");
  }
  if (effect !== undefined && !effects.includes(effect)) {
    raw.problems.bad(`${path}.effect`, effect, effects.join(", "));
  }
  if (tolerationSeconds !== undefined && !Number.isInteger(tolerationSeconds)) {
    raw.problems.bad(`${path}.tolerationSeconds`, tolerationSeconds, "a whole number of seconds");
  }
  return value;
}
