/**
 * Names that the cluster sees. They are a contract with every cluster that exists already: a changed name makes
 * the program blind to what it made before.
 */

/** The Secret that the chart's `slurmKeyRef` names. The operator refuses another name after the first install. */
export const AUTH_SECRET = { name: "slurm-auth", key: "slurm.key" } as const;

/** The Secret that the chart's `jwtKeyRef` names. */
export const JWT_SECRET = { name: "slurm-jwt", key: "jwt.key" } as const;

/** Pattern of the names of key Secrets: the live ones, and those that a rotation keeps beside the auth key's. */
export const KEY_SECRET_NAMES = `^(${AUTH_SECRET.name}(-[0-9a-f]{12})?|${JWT_SECRET.name})$`;

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

/** Start of the reason of nodes that a rotation drained; the generation follows. Not the operator's prefix, so that it keeps off. */
export const DRAIN_REASON_PREFIX = "auth-key-rotation:";

/** The reservation that holds the queue until the new key is proved. */
export const RESERVATION = "auth-key-rotation";

/** Marks a Secret that holds a key beside the live one while a rotation runs. */
export const ROLE_LABEL = "slinky-stack.dev/role";

/** Our value of {@link ROLE_LABEL}. */
export const STAGED_ROLE = "staged-key";

/** On a staged key: type, labels, annotations and owners of the live Secret as JSON, for its replacement (R26). */
export const ORIGINAL_ANNOTATION = "slinky-stack.dev/original-metadata";

/** ConfigMap that holds the journal of the last rotation, under {@link JOURNAL_ENTRY}. */
export const JOURNAL_NAME = "slinky-stack-rotation";

/** Entry of {@link JOURNAL_NAME}. */
export const JOURNAL_ENTRY = "journal.json";

/** Lease that lets one rotation at a time touch the cluster. */
export const LEASE_NAME = "slinky-stack-rotation";

/** Name of the pod that tries the keys. */
export const PROBE_POD = "slinky-stack-key-probe";

/** On a key Secret: its uid, written just before the engine deletes it. The guard lets nobody delete without it. */
export const UNLOCK_ANNOTATION = "slinky-stack.dev/unlocked-for-deletion";

/**
 * On the namespace, followed by a Secret's name: `<generation>/<fingerprint>` of the key Secret that the engine is
 * about to create. The guard lets no other be created. An admission rule sees the namespace, and no other object.
 */
export const CREATION_MARK_PREFIX = "create.slinky-stack.dev/";

/** Verb of RBAC that admits to rotating: on Secrets, under the key's name. The guard asks for it. */
export const ROTATE_VERB = "rotate";
