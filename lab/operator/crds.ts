import type {
  V1Container,
  V1ObjectMeta,
  V1PersistentVolumeClaimSpec,
  V1PodSpec,
  V1ServiceSpec,
} from "@kubernetes/client-node";
import type { KubeObject } from "./kube/object.ts";

/** A Slinky custom resource with its spec and status. */
export interface CustomResource<Spec = unknown, Status = unknown> extends KubeObject {
  spec: Spec;
  status?: Status | null;
}

/** Name of an object, and a key inside it. */
export interface KeyRef {
  name: string;
  key: string;
}

/** User's container fields; the CRD holds no schema for them, the merge decides (contract §5.1). */
export type ContainerPatch = Partial<V1Container>;

/** User's pod metadata and pod spec. */
export interface PodTemplatePatch {
  metadata?: Pick<V1ObjectMeta, "labels" | "annotations">;
  spec?: Partial<V1PodSpec>;
}

/** User's Service metadata and spec. */
export interface ServicePatch {
  metadata?: Pick<V1ObjectMeta, "labels" | "annotations">;
  spec?: Partial<V1ServiceSpec>;
}

/** An external daemon that the operator only points at. */
export interface ExternalConfig {
  host: string;
  port?: number;
}

interface NameRef {
  name: string;
}

/** Spec of a Controller: slurmctld and the cluster's configuration. */
export interface ControllerSpec {
  clusterName?: string;
  slurmKeyRef: KeyRef;
  jwtKeyRef: KeyRef;
  jwksKeyRef?: KeyRef | null;
  accountingRef?: NameRef | null;
  external?: boolean;
  externalConfig?: ExternalConfig | null;
  extraConf?: string;
  configFileRefs?: NameRef[] | null;
  prologScriptRefs?: NameRef[] | null;
  epilogScriptRefs?: NameRef[] | null;
  prologSlurmctldScriptRefs?: NameRef[] | null;
  epilogSlurmctldScriptRefs?: NameRef[] | null;
  inplaceReconfigure?: boolean;
  metrics?: { enabled?: boolean };
  persistence?: Partial<V1PersistentVolumeClaimSpec> & {
    enabled?: boolean;
    existingClaim?: string;
  };
  slurmctld?: ContainerPatch;
  reconfigure?: ContainerPatch;
  logfile?: ContainerPatch;
  template?: PodTemplatePatch;
  service?: ServicePatch;
}

/** Spec of an Accounting: slurmdbd and its database. */
export interface AccountingSpec {
  slurmKeyRef: KeyRef;
  jwtKeyRef: KeyRef;
  external?: boolean;
  externalConfig?: ExternalConfig | null;
  extraConf?: string;
  storageConfig?: {
    host: string;
    port?: number;
    database?: string;
    username?: string;
    passwordKeyRef?: KeyRef;
  };
  slurmdbd?: ContainerPatch;
  template?: PodTemplatePatch;
  service?: ServicePatch;
}

/** Spec of a RestApi: slurmrestd. */
export interface RestApiSpec {
  controllerRef: NameRef;
  replicas?: number;
  slurmrestd?: ContainerPatch;
  template?: PodTemplatePatch;
  service?: ServicePatch;
}

/** Spec of a LoginSet: sackd, sshd and the client commands. */
export interface LoginSetSpec {
  controllerRef: NameRef;
  replicas?: number;
  rootSshAuthorizedKeys?: string;
  extraSshdConfig?: string;
  sssdConfRef?: KeyRef;
  login?: ContainerPatch;
  initconf?: ContainerPatch;
  template?: PodTemplatePatch;
  service?: ServicePatch;
}

/** Update strategies; any type but RollingUpdate leaves old pods alone (contract §4.2). */
export interface NodeSetUpdateStrategy {
  type?: string;
  rollingUpdate?: { maxUnavailable?: number | string };
}

/** Spec of a NodeSet: a set of slurmd pods. */
export interface NodeSetSpec {
  controllerRef: NameRef;
  replicas?: number;
  extraConf?: string;
  logfile?: ContainerPatch;
  slurmd?: ContainerPatch;
  ssh?: unknown;
  ordinalPadding?: number;
  oversubscribeNode?: boolean;
  partition?: { enabled?: boolean; config?: string };
  revisionHistoryLimit?: number;
  scalingMode?: string;
  template?: PodTemplatePatch;
  updateStrategy?: NodeSetUpdateStrategy;
  volumeClaimTemplates?: unknown;
  workloadDisruptionProtection?: boolean;
}

/** Status of a NodeSet; counters that are zero are left out except the replica counters. */
export interface NodeSetStatus {
  desired: number;
  replicas: number;
  updatedReplicas: number;
  readyReplicas: number;
  availableReplicas: number;
  slurmIdle?: number;
  slurmAllocated?: number;
  slurmDown?: number;
  slurmDrain?: number;
  observedGeneration: number;
  nodeSetHash: string;
  collisionCount: number;
  selector: string;
}

/** Spec of a Token: a JWT for a Slurm user, kept fresh in a Secret. */
export interface TokenSpec {
  jwtKeyRef: KeyRef;
  username: string;
  /** Go duration such as `15m`; 15 minutes by default. */
  lifetime?: string;
  refresh?: boolean;
}

export type Controller = CustomResource<ControllerSpec>;
export type Accounting = CustomResource<AccountingSpec>;
export type RestApi = CustomResource<RestApiSpec>;
export type LoginSet = CustomResource<LoginSetSpec, { replicas: number; selector: string }>;
export type NodeSet = CustomResource<NodeSetSpec, NodeSetStatus>;
export type Token = CustomResource<TokenSpec>;

/** The kinds with a reconciler. */
export const customKinds = [
  "Accounting",
  "Controller",
  "LoginSet",
  "NodeSet",
  "RestApi",
  "Token",
] as const;
export type CustomKind = (typeof customKinds)[number];
