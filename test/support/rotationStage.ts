import { deriveKey, fingerprint } from "../../rotation/authKey.ts";
import type { RotationSettings } from "../../rotation/context.ts";
import { rotate, type RotationRequest, type RotationResult } from "../../rotation/rotate.ts";
import { type FakeMemory, fakeRotationPorts, PortKnobs } from "../fakes/fakeRotationPorts.ts";
import { FakeSlurmCluster } from "../fakes/fakeSlurmCluster.ts";
import { ManualClock } from "../fakes/manualClock.ts";

const root = Buffer.alloc(64, 7).toString("base64");

/** Keys by what they are to a rotation. */
export const keys = { old: deriveKey(root, "old"), next: deriveKey(root, "next") };
export const oldPrint = fingerprint(keys.old);
export const newPrint = fingerprint(keys.next);

export const settings: RotationSettings = {
  strategy: "drain",
  drainTimeoutSeconds: 600,
  onDrainTimeout: "rollBack",
  quiesceTimeoutSeconds: 120,
  restoreTimeoutSeconds: 300,
  verifyTimeoutSeconds: 60,
};

/** Metadata that must survive a rotation (R26). */
export const metadata = {
  labels: { "app.kubernetes.io/managed-by": "slinky-stack", team: "hpc" },
  annotations: { "slinky-stack.dev/key-generation": "3", "example.test/kept": "yes" },
  ownerReferences: [{ kind: "ConfigMap", name: "owner", uid: "o-1", apiVersion: "v1" }],
};

/** A running fake cluster on the old key, and what is needed to rotate it. */
export class RotationStage {
  readonly clock = new ManualClock();
  readonly cluster = new FakeSlurmCluster(this.clock);
  readonly memory: FakeMemory = {};
  readonly lines: string[] = [];
  knobs = new PortKnobs();

  constructor() {
    this.cluster.secrets.set("slurm-auth", {
      ...metadata,
      name: "slurm-auth",
      type: "Opaque",
      uid: "live-1",
      data: { "slurm.key": keys.old, "ca.pem": Buffer.from("other entry") },
      immutable: true,
      finalizers: [],
      isBeingDeleted: false,
      createdAtSeconds: this.clock.now() / 1000,
      keyManagers: ["slinky-stack"],
    });
    this.cluster.settle();
  }

  /** One update, by a process of its own unless told otherwise. */
  async update(
    wanted: "old" | "next" = "next",
    overrides: Partial<RotationRequest> & { signal?: AbortSignal; knobs?: PortKnobs } = {},
  ): Promise<RotationResult> {
    const { signal, knobs = new PortKnobs(), ...request } = overrides;
    this.knobs = knobs;
    return rotate(
      {
        wanted: fingerprint(keys[wanted]),
        recorded: oldPrint,
        secretName: "slurm-auth",
        dataKey: "slurm.key",
        generation: 3,
        settings,
        newKey: () => keys[wanted],
        putBack: () => Promise.reject(new Error("put back was not expected")),
        ...request,
      },
      fakeRotationPorts(this.cluster, this.memory, knobs),
      { clock: this.clock, log: (line) => this.lines.push(line), ...(signal && { signal }) },
    );
  }

  /** Fingerprints of the live Secret and of every pod's key. */
  fingerprints(): string[] {
    const live = this.cluster.liveKey();
    const pods = this.cluster.pods.filter(({ component }) => component !== "operator");
    const carried = pods.map(({ key }) => (key ? fingerprint(key) : "none"));
    return [...new Set([live ? fingerprint(live) : "absent", ...carried])];
  }

  /** What of ours still stands in the way of users; empty after a good end. */
  leftovers(): string[] {
    const { cluster, memory } = this;
    const ours = [...cluster.nodes.values()].filter(({ reason }) => /^auth-key/.test(reason));
    return [
      ...(cluster.isHeld ? ["hold"] : []),
      ...ours.map(({ name }) => `drained ${name}`),
      ...[...cluster.sizes].filter(([, size]) => size === 0).map(([name]) => `scaled ${name}`),
      ...[...cluster.secrets.keys()].filter((name) => name !== "slurm-auth"),
      ...[...cluster.probes].map((name) => `probe of ${name}`),
      ...(memory.leaseHolder ? ["lease"] : []),
      ...(memory.journal && !memory.journal.outcome ? ["journal"] : []),
    ];
  }
}
