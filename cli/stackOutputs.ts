import type { OutputMap } from "@pulumi/pulumi/automation/index.js";

import type { Report } from "../rotation/model.ts";

/** A NodeSet as the program exports it. */
export interface NodeSetOutput {
  readonly replicas: number;
  readonly partition: string;
  /** Set where an autoscaler owns the number of nodes; `replicas` is then the first one only. */
  readonly replicasOwnedBy?: "autoscaler";
}

/** What the key remembers of its last rotation; a stack of an older program exports nothing of it. */
export interface KeyRotationOutput {
  readonly generation: number | undefined;
  /** How the last rotation ended; empty before the first one. */
  readonly outcome: string;
  readonly rotatedAt: string;
  readonly previousFingerprint: string;
  /** Seed of the key that serves; empty when it is not known. */
  readonly servedSeed: string;
  /** Seed of the key before; empty when there was none. */
  readonly previousSeed: string;
  readonly report: Partial<Report>;
}

/** What the commands need of the program's exports. */
export interface StackOutputs {
  /** Secret: never print it. */
  readonly kubeconfig: string;
  /** Context in the kubeconfig; empty means its current one. */
  readonly context: string;
  readonly clusterKind: "kind" | "existing";
  readonly kindName: string;
  readonly slurmNamespace: string;
  readonly operatorNamespace: string;
  readonly slurmRelease: string;
  readonly slurmClusterName: string;
  /** Whether slurmdbd runs. */
  readonly accounting: boolean;
  readonly nodeSets: Readonly<Record<string, NodeSetOutput>>;
  /** First 12 hex digits of the key's SHA-256, or the whole digest. */
  readonly keyFingerprint: string;
  readonly keyRotation: KeyRotationOutput;
  readonly versions: Readonly<Record<string, unknown>>;
}

/**
 * Reads the exports of the program.
 * @throws Error when one is missing: the last update has then not come to its end
 */
export function toStackOutputs(stackName: string, outputs: OutputMap): StackOutputs {
  const value = (name: string): unknown => outputs[name]?.value;
  const text = (name: string): string => {
    const found = value(name);
    if (typeof found === "string" && found !== "") return found;
    throw new Error(
      `the stack "${stackName}" has no output "${name}": it was not brought up to its end; run: npm run up`,
    );
  };
  return {
    kubeconfig: text("kubeconfig"),
    context: typeof value("context") === "string" ? (value("context") as string) : "",
    clusterKind: text("clusterKind") === "existing" ? "existing" : "kind",
    kindName: typeof value("kindName") === "string" ? (value("kindName") as string) : "",
    slurmNamespace: text("slurmNamespace"),
    operatorNamespace: text("operatorNamespace"),
    slurmRelease: text("slurmRelease"),
    slurmClusterName: text("slurmClusterName"),
    accounting: value("accounting") === true,
    nodeSets: toNodeSets(stackName, value("nodeSets")),
    keyFingerprint: text("keyFingerprint"),
    keyRotation: toKeyRotation(value("keyRotation")),
    versions: isRecord(value("versions")) ? (value("versions") as Record<string, unknown>) : {},
  };
}

function toKeyRotation(value: unknown): KeyRotationOutput {
  const given = isRecord(value) ? value : {};
  const text = (name: string): string => (typeof given[name] === "string" ? given[name] : "");
  return {
    generation: typeof given["generation"] === "number" ? given["generation"] : undefined,
    outcome: text("outcome"),
    rotatedAt: text("rotatedAt"),
    previousFingerprint: text("previousFingerprint"),
    servedSeed: text("servedSeed"),
    previousSeed: text("previousSeed"),
    report: isRecord(given["report"]) ? given["report"] : {},
  };
}

/**
 * NodeSets as the program exports them.
 * @throws Error when one has no replicas
 */
export function toNodeSets(stackName: string, value: unknown): Record<string, NodeSetOutput> {
  const entries = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.map(([name, nodeSet]) => {
      const { replicas, partition, replicasOwnedBy } = isRecord(nodeSet) ? nodeSet : {};
      if (typeof replicas !== "number") {
        throw new Error(`the stack "${stackName}" exports no replicas for the NodeSet "${name}"`);
      }
      const owner = replicasOwnedBy === "autoscaler" ? ({ replicasOwnedBy } as const) : {};
      return [
        name,
        { replicas, partition: typeof partition === "string" ? partition : name, ...owner },
      ];
    }),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
