import { createHash } from "node:crypto";
import type { Component, StoredSecret } from "../../rotation/ports.ts";
import { type FakeJob, type FakeNode, type FakePod, sameBytes } from "./fakeSlurmObjects.ts";
import type { ManualClock } from "./manualClock.ts";

const secretName = "slurm-auth";
const dataKey = "slurm.key";
const second = 1000;

/**
 * A Slinky cluster in memory: kubelets that cache immutable Secrets, an operator that restores what is missing,
 * restarts slurmctld for another key and undrains its own nodes, daemons that reject another key, and a queue.
 * Time is the manual clock's; {@link advance} lets the seconds since the last look happen.
 */
export class FakeSlurmCluster {
  readonly clock: ManualClock;
  readonly secrets = new Map<string, StoredSecret>();
  pods: FakePod[] = [];
  readonly nodes = new Map<string, FakeNode>();
  readonly jobs: FakeJob[] = [];
  /** Replicas by component, the operator's included. */
  readonly sizes = new Map<Component, number>([
    ["operator", 1],
    ["controller", 1],
    ["accounting", 1],
    ["restapi", 1],
    ["login", 1],
  ]);
  readonly workers: { name: string; set: string; slurmNode: string; kubernetesNode: string }[] = [];
  /** The operator's hash of the Secret in the pod templates of slurmctld and slurmdbd, and how it hashes. */
  readonly hashes = new Map<Component, string>();
  hashAlgorithm = "sha256";
  isHeld = false;
  /** Staged keys that a probe is open for. */
  readonly probes = new Set<string>();
  /** Components whose pods never become ready, and pods that never end. */
  readonly broken = new Set<string>();
  readonly stuck = new Set<string>();
  /** Another pod on n1 that keeps the Secret referenced there: the kubelet keeps its copy (R01). */
  hiddenReference = false;
  #cache = new Map<string, StoredSecret>();
  #made = 0;
  #at: number;
  #operator = { uid: "", looksAt: 0, seesSlurm: false };

  constructor(clock: ManualClock) {
    this.clock = clock;
    this.#at = clock.now();
    this.addWorker("compute", 0);
    this.addWorker("compute", 1);
    this.addWorker("debug", 0);
  }

  addWorker(set: string, index: number): void {
    const slurmNode = `${set}-${index}`;
    const kubernetesNode = `n${1 + (this.workers.length % 2)}`;
    this.workers.push({ name: `slurm-worker-${slurmNode}`, set, slurmNode, kubernetesNode });
  }

  uid(): string {
    return `uid-${++this.#made}`;
  }

  /** Runs until everything is up. */
  settle(): this {
    for (let count = 0; count < 60; count++) {
      void this.clock.sleep(second);
      this.advance();
    }
    return this;
  }

  liveKey(): Uint8Array | undefined {
    return this.secrets.get(secretName)?.data[dataKey];
  }

  advance(): void {
    while (this.#at + second <= this.clock.now()) {
      this.#at += second;
      this.#tick();
    }
  }

  isReady(pod: FakePod): boolean {
    return pod.key !== undefined && !this.broken.has(pod.component) && !this.broken.has(pod.name);
  }

  controllerKey(): Uint8Array | undefined {
    const pod = this.pods.find((each) => each.component === "controller" && this.isReady(each));
    return pod && pod.goneAt === undefined ? pod.key : undefined;
  }

  end(pod: FakePod): void {
    if (pod.goneAt !== undefined) return;
    const node = this.nodes.get(pod.slurmNode);
    const isHeard = sameBytes(pod.key, this.controllerKey());
    // A preStop that slurmctld does not answer hangs for the whole grace period.
    const seconds = pod.component === "worker" && !isHeard ? 30 : 3;
    pod.goneAt = this.stuck.has(pod.name) ? Infinity : this.#at + seconds * second;
    if (!node || !isHeard) return;
    // It writes over whatever reason stood there.
    Object.assign(node, { down: true, reason: "slurm-operator: Pod is terminating" });
    for (const job of this.jobs.filter(({ on }) => on.includes(node.name))) {
      Object.assign(job, { state: "PENDING", on: [], kills: job.kills + 1 });
    }
  }

  #tick(): void {
    this.pods = this.pods.filter(({ goneAt = Infinity }) => goneAt > this.#at);
    this.#kubelets();
    this.#workloads();
    const isOperating = this.pods.some(
      (pod) => pod.component === "operator" && this.isReady(pod) && pod.goneAt === undefined,
    );
    if (isOperating) this.#operate();
    this.#register();
    this.#queue();
  }

  #kubelets(): void {
    for (const node of ["n1", "n2"]) {
      const isReferenced = this.pods.some(
        (pod) => pod.kubernetesNode === node && pod.component !== "operator",
      );
      if (!isReferenced && !(this.hiddenReference && node === "n1")) this.#cache.delete(node);
      const live = this.secrets.get(secretName);
      if (this.hiddenReference && node === "n1" && live && !this.#cache.has(node)) {
        this.#cache.set(node, live);
      }
    }
    for (const pod of this.pods) {
      if (pod.key || pod.startsAt > this.#at || pod.goneAt !== undefined) continue;
      if (pod.component === "operator") pod.key = new Uint8Array();
      const cached = this.#cache.get(pod.kubernetesNode) ?? this.secrets.get(secretName);
      const key = cached?.data[dataKey];
      if (!cached || !key || pod.component === "operator") continue;
      if (cached.immutable) this.#cache.set(pod.kubernetesNode, cached);
      pod.key = key;
    }
  }

  #workloads(): void {
    for (const [component, size] of this.sizes) {
      const own = this.pods.filter((pod) => pod.component === component);
      if (size === 0) own.forEach((pod) => this.end(pod));
      if (size > 0 && own.length === 0) this.#start(component, `slurm-${component}-0`);
    }
  }

  #start(component: Component, name: string, set = "", slurmNode = "", on = "n1"): void {
    const startsAt = this.#at + (component === "worker" ? 3 : 2) * second;
    const pod = { name, component, set, slurmNode, kubernetesNode: on, startsAt };
    this.pods.push({ ...pod, uid: this.uid() });
  }

  #operate(): void {
    for (const [component, size] of this.sizes) {
      if (size === 0 && component !== "operator") this.sizes.set(component, 1);
    }
    const entries = Object.entries(this.secrets.get(secretName)?.data ?? {}).sort();
    const values = Buffer.concat(entries.map(([, value]) => value));
    const hash = createHash(this.hashAlgorithm).update(values).digest("hex");
    for (const component of ["controller", "accounting"] as const) {
      const before = this.hashes.get(component);
      this.hashes.set(component, hash);
      if (before === undefined || before === hash) continue;
      this.pods.filter((pod) => pod.component === component).forEach((pod) => this.end(pod));
    }
    if (!this.#seesSlurm() || !this.controllerKey()) return;
    const names = new Set(this.pods.map(({ name }) => name));
    for (const worker of this.workers) {
      if (!names.has(worker.name)) {
        this.#start("worker", worker.name, worker.set, worker.slurmNode, worker.kubernetesNode);
      }
    }
    for (const pod of this.pods.filter((each) => each.component === "worker" && each.key)) {
      const node = this.nodes.get(pod.slurmNode);
      if (node?.reason.startsWith("slurm-operator: "))
        Object.assign(node, { drain: false, reason: "" });
    }
  }

  /** Its Slurm client looks at slurmrestd when the process begins, and keeps what it saw for 30 seconds. */
  #seesSlurm(): boolean {
    const ready = (component: Component): FakePod | undefined =>
      this.pods.find((pod) => pod.component === component && this.isReady(pod) && !pod.goneAt);
    const uid = ready("operator")?.uid ?? "";
    if (uid !== this.#operator.uid || this.#at >= this.#operator.looksAt) {
      const seesSlurm = ready("restapi") !== undefined && this.controllerKey() !== undefined;
      this.#operator = { uid, looksAt: this.#at + 30 * second, seesSlurm };
    }
    return this.#operator.seesSlurm;
  }

  #register(): void {
    const controllerKey = this.controllerKey();
    if (!controllerKey) return;
    for (const pod of this.pods.filter(({ component }) => component === "worker")) {
      const fresh = { name: pod.slurmNode, reason: "", drain: false, down: false };
      const known = this.nodes.get(pod.slurmNode);
      const isHeard =
        this.isReady(pod) && pod.goneAt === undefined && sameBytes(pod.key, controllerKey);
      if (!isHeard) continue;
      const node = known ?? { ...fresh, silent: false, startedAt: 0 };
      const isNew = node.startedAt !== pod.startsAt;
      // ReturnToService=2: a node that registers is not DOWN any more.
      if (isNew) Object.assign(node, { startedAt: pod.startsAt, down: false });
      Object.assign(node, { silent: false });
      this.nodes.set(node.name, node);
    }
    const pods = new Map(this.pods.map((pod) => [pod.slurmNode, pod]));
    for (const node of this.nodes.values()) {
      const pod = pods.get(node.name);
      const isHeard = pod && pod.goneAt === undefined && this.isReady(pod);
      if (!isHeard || !sameBytes(pod.key, controllerKey)) node.silent = true;
    }
  }

  #queue(): void {
    if (!this.controllerKey()) return;
    for (const job of this.jobs) {
      if (job.state === "RUNNING" && this.#at >= job.endsAt) {
        Object.assign(job, { state: "COMPLETED", on: [] });
      }
    }
    for (const job of this.jobs.filter(({ state }) => state === "PENDING")) {
      if (this.isHeld && !job.inReservation) continue;
      const busy = new Set(this.jobs.flatMap(({ on }) => on));
      const free = [...this.nodes.values()].filter(
        (node) =>
          !node.drain &&
          !node.down &&
          !node.silent &&
          !busy.has(node.name) &&
          (job.only === undefined || job.only === node.name),
      );
      if (free.length < job.count) continue;
      const on = free.slice(0, job.count).map(({ name }) => name);
      Object.assign(job, { state: "RUNNING", on, endsAt: this.#at + job.seconds * second });
    }
  }

  submit(job: Partial<FakeJob>): FakeJob {
    const id = this.jobs.length + 1;
    const blank = { name: `job-${id}`, count: 1, inReservation: false, seconds: 5, on: [] };
    const made: FakeJob = { id, ...blank, endsAt: 0, kills: 0, state: "PENDING", ...job };
    this.jobs.push(made);
    return made;
  }
}
