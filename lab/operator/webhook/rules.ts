import { isDeepStrictEqual } from "node:util";
import type { CustomKind } from "../crds.ts";

type Spec = Record<string, unknown>;

/** A field that must not change after creation, with the message of the refusal. */
interface FrozenField {
  read: (spec: Spec) => unknown;
  message: string;
}

function frozen(path: string, what: string): FrozenField {
  return {
    read: (spec) => readPath(spec, path.split(".")),
    message: `cannot change ${what} after deployment`,
  };
}

/**
 * Fields the webhook freezes (contract §4.5). Of the Controller's slurmKeyRef only the name is compared, and the
 * Accounting's slurmKeyRef may change: so is the real one.
 */
const frozenFields: Readonly<Record<CustomKind, FrozenField[]>> = {
  Controller: [
    frozen("slurmKeyRef.name", "SlurmKeyRef"),
    frozen("jwtKeyRef", "JwtKeyRef"),
    frozen("clusterName", "ClusterName"),
    frozen("persistence.enabled", "Persistence.Enabled"),
  ],
  Accounting: [frozen("jwtKeyRef", "JwtKeyRef")],
  Token: [frozen("jwtKeyRef", "JwtKeyRef")],
  NodeSet: [
    frozen("controllerRef", "ControllerRef"),
    frozen("volumeClaimTemplates", "VolumeClaimTemplates"),
  ],
  LoginSet: [frozen("controllerRef", "ControllerRef")],
  RestApi: [frozen("controllerRef", "ControllerRef")],
};

/** The part of an AdmissionRequest (admission.k8s.io/v1) that the rules need. */
export interface AdmissionRequest {
  uid: string;
  operation: string;
  kind: { kind: string };
  object?: { spec?: Spec } | null;
  oldObject?: { spec?: Spec } | null;
}

/** The answer to an AdmissionRequest. */
export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: { code: number; message: string };
}

/** Refuses an update that changes a frozen field; everything else is allowed. */
export function review(request: AdmissionRequest): AdmissionResponse {
  const messages = request.operation === "UPDATE" ? violations(request) : [];
  return messages.length === 0
    ? { uid: request.uid, allowed: true }
    : {
        uid: request.uid,
        allowed: false,
        status: { code: 403, message: messages.join("; ") },
      };
}

function violations(request: AdmissionRequest): string[] {
  const before = request.oldObject?.spec ?? {};
  const after = request.object?.spec ?? {};
  const fields = frozenFields[request.kind.kind as CustomKind] as FrozenField[] | undefined;
  return (fields ?? [])
    .filter(({ read }) => !isDeepStrictEqual(read(before), read(after)))
    .map(({ message }) => message);
}

/** Absent, null, "" and false are the same: the Go types have no difference between them. */
function readPath(value: unknown, path: string[]): unknown {
  const [field, ...rest] = path;
  if (field === undefined) {
    return value || undefined;
  }
  return typeof value === "object" && value !== null
    ? readPath((value as Spec)[field], rest)
    : undefined;
}
