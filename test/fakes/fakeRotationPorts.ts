import { fingerprint } from "../../rotation/authKey.ts";
import type { Journal } from "../../rotation/model.ts";
import {
  type Component,
  type KeyPod,
  LeaseHeld,
  LeaseLost,
  type NodeChange,
  type RotationPorts,
  SecretExists,
  type SecretToStore,
} from "../../rotation/ports.ts";
import { nodeView, podView, workloadsOf } from "./fakeRotationViews.ts";
import type { FakeSlurmCluster } from "./fakeSlurmCluster.ts";
import { type FakeNode, sameBytes } from "./fakeSlurmObjects.ts";

/** The process is dead: nothing it tries happens any more. */
export class Crash extends LeaseLost {}

/** Everything the ports of one process share: calls made, and the knobs. */
export class PortKnobs {
  /** Names of the calls, in order. */
  readonly calls: string[] = [];
  /** Process dies at this call (from 1), before or after it happened. */
  crash: { at: number; when: "before" | "after" } | undefined;
  /** Fails a call, instead of letting it happen. */
  fail: (name: string, words: readonly unknown[]) => Error | undefined = () => undefined;
  /** Sees every call before it happens. */
  watch: (name: string, words: readonly unknown[]) => void = () => undefined;
  isDead = false;
  /** Rights that the process lacks, in words. */
  missingAccess: readonly string[] = [];
}

/** What outlives a process: journal and Lease in the cluster. */
export interface FakeMemory {
  journal?: Journal;
  leaseHolder?: PortKnobs;
}

/** All ports of a rotation on the fake cluster, for one process. */
export function fakeRotationPorts(
  cluster: FakeSlurmCluster,
  memory: FakeMemory,
  knobs = new PortKnobs(),
): RotationPorts {
  const call =
    <A extends unknown[], R>(name: string, work: (...words: A) => R) =>
    async (...words: A): Promise<R> => {
      await Promise.resolve();
      if (knobs.isDead) throw new Crash("dead");
      knobs.calls.push(name);
      const dies = knobs.calls.length === knobs.crash?.at;
      const die = () => {
        knobs.isDead = true;
        throw new Crash(`killed at ${name}`);
      };
      if (dies && knobs.crash?.when === "before") die();
      cluster.advance();
      knobs.watch(name, words);
      const error = knobs.fail(name, words);
      if (error) throw error;
      const answer = work(...words);
      if (dies) die();
      return answer;
    };

  const slurmctld = (): Uint8Array => {
    const key = cluster.controllerKey();
    if (!key) throw new Error("slurmctld does not answer");
    return key;
  };
  const known = (names: readonly string[]): FakeNode[] => {
    slurmctld();
    return names.map((name) => {
      const node = cluster.nodes.get(name);
      if (!node) throw new Error(`Invalid node name ${name}`);
      return node;
    });
  };

  return {
    secrets: {
      read: call("secrets.read", (name: string) => cluster.secrets.get(name)),
      create: call("secrets.create", (secret: SecretToStore) => {
        if (cluster.secrets.has(secret.name)) throw new SecretExists(secret.name);
        const stored = {
          ...secret,
          uid: cluster.uid(),
          immutable: true,
          finalizers: [],
          isBeingDeleted: false,
          createdAtSeconds: Math.floor(cluster.clock.now() / 1000),
          keyManagers: ["slinky-stack"],
        };
        cluster.secrets.set(secret.name, stored);
        return stored;
      }),
      remove: call("secrets.remove", (name: string, uid: string) => {
        const found = cluster.secrets.get(name);
        if (found && found.uid !== uid) throw new Error("409 Conflict: another uid");
        cluster.secrets.delete(name);
      }),
      lock: call("secrets.lock", (_name: string) => undefined),
      staged: call("secrets.staged", () =>
        [...cluster.secrets.keys()].filter((name) => name.startsWith("slurm-auth-")),
      ),
    },
    workloads: {
      pods: call("workloads.pods", () => cluster.pods.map((pod) => podView(cluster, pod))),
      workloads: call("workloads.workloads", () => workloadsOf(cluster)),
      scale: call("workloads.scale", (id: string, replicas: number, keyHash?: string) => {
        const component = id.split("-").at(-1) as Component;
        cluster.sizes.set(component, replicas);
        if (keyHash !== undefined) cluster.hashes.set(component, keyHash);
      }),
      deletePods: call("workloads.deletePods", (component: Component) => {
        cluster.pods
          .filter((pod) => pod.component === component)
          .forEach((pod) => cluster.end(pod));
      }),
    },
    slurm: {
      nodes: call("slurm.nodes", () => {
        slurmctld();
        return [...cluster.nodes.values()].map((node) => nodeView(cluster, node));
      }),
      blockingJobs: call("slurm.jobs", () => {
        slurmctld();
        const running = cluster.jobs.filter(({ state }) => state === "RUNNING");
        return running.map(({ id, state, on, endsAt }) => ({
          ...{ id, state, nodes: on.join(",") },
          endsAtSeconds: endsAt / 1000,
        }));
      }),
      update: call("slurm.update", (names: readonly string[], change: NodeChange) => {
        for (const node of known(names)) {
          if (change.to === "resume")
            Object.assign(node, { drain: false, down: false, reason: "" });
          else Object.assign(node, { [change.to]: true, reason: change.reason });
        }
      }),
      requeue: call("slurm.requeue", (ids: readonly number[]) => {
        for (const job of cluster.jobs.filter(({ id }) => ids.includes(id))) {
          Object.assign(job, { state: "PENDING", on: [] });
        }
      }),
    },
    hold: {
      isSet: call("hold.isSet", () => slurmctld() && cluster.isHeld),
      set: call("hold.set", () => void (slurmctld(), (cluster.isHeld = true))),
      release: call("hold.release", () => void (slurmctld(), (cluster.isHeld = false))),
    },
    probe: {
      keyFile: call("probe.keyFile", ({ uid }: KeyPod) => {
        const key = cluster.pods.find((pod) => pod.uid === uid)?.key;
        if (!key) throw new Error("no such file");
        return fingerprint(key);
      }),
      clientCall: call("probe.clientCall", ({ uid, name }: KeyPod) => {
        const key = cluster.pods.find((pod) => pod.uid === uid)?.key;
        if (!sameBytes(key, slurmctld())) throw new Error(`${name}: Protocol authentication error`);
      }),
      services: call("probe.services", (_pods: readonly KeyPod[]) => void slurmctld()),
      tryKey: call("probe.tryKey", (name: string) => {
        cluster.probes.add(name);
        const key = cluster.secrets.get(name)?.data["slurm.key"];
        return sameBytes(key, slurmctld()) ? "accepted" : "refused";
      }),
      end: call("probe.end", (name: string) => void cluster.probes.delete(name)),
    },
    canary: {
      submit: call("canary.submit", (name: string, node: string) => {
        slurmctld();
        const made = cluster.jobs.find((job) => job.name === name);
        const job = made ?? cluster.submit({ name, only: node, inReservation: true, seconds: 1 });
        return job.id;
      }),
      state: call("canary.state", (id: number, node: string) => {
        slurmctld();
        return { states: [cluster.jobs[id - 1]?.state ?? ""], output: `${node}\n` };
      }),
      cancel: call("canary.cancel", (id: number) => {
        const job = cluster.jobs[id - 1];
        if (job && job.state !== "COMPLETED") Object.assign(job, { state: "CANCELLED", on: [] });
      }),
    },
    access: { missing: call("access.missing", () => knobs.missingAccess) },
    journals: {
      read: call("journals.read", () => memory.journal),
      write: call("journals.write", (journal: Journal) => void (memory.journal = journal)),
    },
    lease: {
      acquire: call("lease.acquire", () => {
        const holder = memory.leaseHolder;
        if (holder && holder !== knobs && !holder.isDead)
          throw new LeaseHeld("held by another run");
        memory.leaseHolder = knobs;
      }),
      check: call("lease.check", () => {
        if (memory.leaseHolder !== knobs) throw new LeaseLost("another run has taken over");
      }),
      release: call("lease.release", () => void delete memory.leaseHolder),
    },
  };
}
