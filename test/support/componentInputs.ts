import type { NodeSetConfig } from "../../config/nodeSets.ts";
import type { Scripts } from "../../config/scripts.ts";
import { defaultImages } from "../../versions.ts";

/** A NodeSet with overrides. */
export const nodeSet = (overrides: Partial<NodeSetConfig> = {}): NodeSetConfig => ({
  replicas: 2,
  replicasOwnedBy: "stack",
  partition: "compute",
  isDefault: true,
  oversubscribe: false,
  extraConf: {},
  features: [],
  resources: {},
  nodeSelector: {},
  tolerations: [],
  updateStrategy: { type: "RollingUpdate" },
  pdb: true,
  ...overrides,
});

/** No script of any kind. */
export const noScripts: Scripts = {
  prolog: {},
  epilog: {},
  prologSlurmctld: {},
  epilogSlurmctld: {},
};

/** What charts need from the configuration. */
export const chartInputs = {
  chart: { chart: "oci://registry.example.com/charts/some", version: "1.2.3" },
  images: defaultImages,
  imagePullSecrets: [],
  timeoutSeconds: 600,
};

/** Every path in a value that holds null or undefined. */
export function emptyPaths(value: unknown, path = "values"): string[] {
  if (value === null || value === undefined) return [path];
  if (typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => emptyPaths(item, `${path}.${key}`));
}
