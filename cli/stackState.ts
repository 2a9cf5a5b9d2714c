/** What recovery and `down` read of an exported state; never a resource's inputs, and of outputs only names. */

import type { PendingOperation, StateRelease } from "./recoveryPlan.ts";

/** The read part of a state. */
export interface StackState {
  readonly resources: number;
  readonly protectedResources: number;
  readonly pending: readonly PendingOperation[];
  readonly releases: readonly StateRelease[];
  /** Namespaces that the stack made. */
  readonly namespaces: readonly string[];
}

interface ExportedResource {
  readonly urn?: unknown;
  readonly type?: unknown;
  readonly id?: unknown;
  readonly protect?: unknown;
}

interface ExportedOperation {
  readonly type?: unknown;
  readonly resource?: ExportedResource;
}

/** Reads `pulumi stack export`. A stack that was never updated has no resources. */
export function toStackState(exported: unknown): StackState {
  const { resources, pending_operations: operations } = deploymentOf(exported);
  const ofType = (type: string): ExportedResource[] =>
    resources.filter((each) => each.type === type);
  return {
    resources: resources.length,
    protectedResources: resources.filter((each) => each.protect === true).length,
    pending: operations.map(({ type, resource }) => ({
      urn: textOf(resource?.urn),
      type: textOf(type),
    })),
    // The id of a Release is <namespace>/<release>, of a Namespace its name.
    releases: ofType("kubernetes:helm.sh/v3:Release").map(({ urn, id }) => {
      const [namespace = "", release = ""] = textOf(id).split("/");
      return { urn: textOf(urn), namespace, release };
    }),
    namespaces: ofType("kubernetes:core/v1:Namespace").map(({ id }) => textOf(id)),
  };
}

/** The same state without the pending operations of the URNs given. */
export function withoutPending(exported: unknown, urns: readonly string[]): unknown {
  const whole = exported as { deployment: { pending_operations?: ExportedOperation[] } };
  const kept = deploymentOf(exported).pending_operations.filter(
    ({ type, resource }) => type !== "creating" || !urns.includes(textOf(resource?.urn)),
  );
  return { ...whole, deployment: { ...whole.deployment, pending_operations: kept } };
}

function deploymentOf(exported: unknown): {
  resources: ExportedResource[];
  pending_operations: ExportedOperation[];
} {
  const deployment = (exported as { deployment?: Record<string, unknown> } | undefined)?.deployment;
  const list = (name: string): unknown[] => {
    const value = deployment?.[name];
    return Array.isArray(value) ? (value as unknown[]) : [];
  };
  return {
    resources: list("resources") as ExportedResource[],
    pending_operations: list("pending_operations") as ExportedOperation[],
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
