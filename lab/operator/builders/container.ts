import type { V1Container, V1Probe } from "@kubernetes/client-node";
import type { ContainerPatch } from "../crds.ts";
import { strategicMerge, withoutEmpty } from "./strategicMerge.ts";

const probeFields = ["livenessProbe", "readinessProbe", "startupProbe"] as const;
const handlers = ["exec", "grpc", "httpGet", "tcpSocket"] as const;

/**
 * A container from the operator's base and the user's fields: args are concatenated, a user's probe handler replaces
 * the base's, everything else is a strategic merge (contract §5.1).
 */
export function toContainer(base: V1Container, patch: ContainerPatch = {}): V1Container {
  const { args, ...fields } = patch;
  const withHandlers = { ...base };
  for (const field of probeFields) {
    const probe = base[field];
    const override = withoutEmpty(patch[field] ?? {}) as V1Probe;
    if (probe !== undefined && handlers.some((handler) => handler in override)) {
      withHandlers[field] = withoutHandler(probe);
    }
  }
  const merged = strategicMerge(withHandlers, fields);
  const allArgs = [...(base.args ?? []), ...(args ?? [])];
  return allArgs.length === 0 ? merged : { ...merged, args: allArgs };
}

function withoutHandler(probe: V1Probe): V1Probe {
  const rest = { ...probe };
  for (const handler of handlers) {
    delete rest[handler];
  }
  return rest;
}

/** Liveness, readiness and startup probes with the operator's thresholds: six failures, but three for readiness. */
export function probes(handler: V1Probe, readiness: V1Probe): Partial<V1Container> {
  return {
    startupProbe: { ...handler, failureThreshold: 6, periodSeconds: 10 },
    livenessProbe: { ...handler, failureThreshold: 6, periodSeconds: 10 },
    readinessProbe: readiness,
  };
}

/** HTTP probes that slurmctld and slurmd answer on their own ports (contract §7.2). */
export function daemonProbes(port: string): Partial<V1Container> {
  return probes({ httpGet: { path: "/livez", port } }, { httpGet: { path: "/readyz", port } });
}
