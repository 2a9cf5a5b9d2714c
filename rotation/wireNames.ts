/**
 * Names that the cluster sees. They are a contract with every cluster that exists already: a changed name makes
 * the program blind to what it made before.
 */

/** The Secret that the chart's `slurmKeyRef` names. The operator refuses another name after the first install. */
export const AUTH_SECRET = { name: "slurm-auth", key: "slurm.key" } as const;

/** The Secret that the chart's `jwtKeyRef` names. */
export const JWT_SECRET = { name: "slurm-jwt", key: "jwt.key" } as const;

/** Who manages an object; Kubernetes' recommended label. Objects without our value are never changed or deleted. */
export const MANAGED_BY_LABEL = "app.kubernetes.io/managed-by";

/** Our value of {@link MANAGED_BY_LABEL}. */
export const MANAGER = "slinky-stack";

/**
 * First 12 hex digits of the SHA-256 of the key, so that people can compare without reading the key. It is an
 * annotation and no data entry: the operator hashes all data of the Secret and would restart slurmctld.
 */
export const FINGERPRINT_ANNOTATION = "slinky-stack.dev/key-fingerprint";

/** How many keys the Secret has carried under our rule, from 1. */
export const GENERATION_ANNOTATION = "slinky-stack.dev/key-generation";
