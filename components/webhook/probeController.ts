import { openKubeConfig } from "../../rotation/adapters/connect.ts";
import type { AdmissionAnswer } from "./classifyAdmission.ts";

/** Milliseconds for one probe; the API server gives the webhook 10 s. */
const probeTimeoutMilliseconds = 15_000;

/** A Controller that the webhook admits. Its name is made by the server, so nothing can be in its way. */
const validController = {
  apiVersion: "slinky.slurm.net/v1beta1",
  kind: "Controller",
  metadata: { generateName: "probe-" },
  spec: {
    slurmKeyRef: { name: "probe", key: "slurm.key" },
    jwtKeyRef: { name: "probe", key: "jwt.key" },
  },
};

/**
 * Makes probes: dry-run creates of a valid Controller, which pass through the webhook and leave nothing behind
 * (the webhook declares no side effects).
 */
export async function controllerProbe(
  kubeconfig: string,
  context: string,
  namespace: string,
): Promise<() => Promise<AdmissionAnswer>> {
  const { CustomObjectsApi } = await import("@kubernetes/client-node");
  const api = (await openKubeConfig(kubeconfig, context)).makeApiClient(CustomObjectsApi);
  const request = {
    group: "slinky.slurm.net",
    version: "v1beta1",
    plural: "controllers",
    namespace,
    dryRun: "All",
    body: validController,
  };
  return async () => {
    const create = api.createNamespacedCustomObject(request).then(
      () => ({ code: 201, message: "" }),
      (error: unknown) => toAnswer(error),
    );
    return Promise.race([create, timeout(probeTimeoutMilliseconds)]);
  };
}

function toAnswer(error: unknown): AdmissionAnswer {
  const { code, body, message, cause } = error as Record<string, unknown>;
  if (typeof code === "number") return { code, message: statusMessage(body) };
  const inner = cause as { code?: unknown; message?: unknown } | undefined;
  return { message: [message, inner?.code, inner?.message].filter(Boolean).join(": ") };
}

function statusMessage(body: unknown): string {
  if (typeof body === "string") {
    try {
      return statusMessage(JSON.parse(body));
    } catch {
      return body;
    }
  }
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : "";
}

function timeout(milliseconds: number): Promise<AdmissionAnswer> {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ message: "timeout" }), milliseconds).unref();
  });
}
