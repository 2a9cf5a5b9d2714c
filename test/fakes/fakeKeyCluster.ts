import {
  ClusterUnreachable,
  type KeyCluster,
  type LiveSecret,
  type NewSecret,
  SecretExists,
} from "../../rotation/ports.ts";

/** Secrets of a cluster in memory. Knobs make it fail; `log` tells every write. */
export class FakeKeyCluster implements KeyCluster {
  readonly secrets = new Map<string, LiveSecret>();
  /** Writes made, such as `create slurm/slurm-auth`. */
  readonly log: string[] = [];
  uid = "cluster-1";
  isReachable = true;
  /** Pods that use the key, one list for each time it is asked; the last one stays. */
  holderAnswers: string[][] = [[]];
  /** Called before a create: stands for another process that is faster. */
  beforeCreate: () => void = () => undefined;
  #made = 0;

  put(where: string, data: Record<string, Uint8Array>, fields: Partial<LiveSecret> = {}): void {
    const uid = `uid-${++this.#made}`;
    const secret = { uid, immutable: true, data, labels: {}, annotations: {}, ...fields };
    this.secrets.set(where, secret);
  }

  identity(): Promise<string> {
    return this.#answer(() => this.uid);
  }

  readSecret(namespace: string, name: string): Promise<LiveSecret | undefined> {
    return this.#answer(() => this.secrets.get(`${namespace}/${name}`));
  }

  createSecret({ namespace, name, data, labels, annotations }: NewSecret): Promise<LiveSecret> {
    return this.#answer(() => {
      this.beforeCreate();
      const where = `${namespace}/${name}`;
      if (this.secrets.has(where)) throw new SecretExists(`${where} exists`);
      this.log.push(`create ${where}`);
      this.put(where, { ...data }, { labels, annotations });
      return this.secrets.get(where) as LiveSecret;
    });
  }

  deleteSecret(namespace: string, name: string, uid: string): Promise<void> {
    return this.#answer(() => {
      const where = `${namespace}/${name}`;
      if (this.secrets.get(where)?.uid !== uid) throw new Error("precondition failed");
      this.log.push(`delete ${where}`);
      this.secrets.delete(where);
    });
  }

  holders(): Promise<readonly string[]> {
    return this.#answer(() => {
      const [next = []] = this.holderAnswers;
      if (this.holderAnswers.length > 1) this.holderAnswers.shift();
      return next;
    });
  }

  #answer<T>(work: () => T): Promise<T> {
    if (!this.isReachable) return Promise.reject(new ClusterUnreachable("no answer"));
    return Promise.resolve().then(work);
  }
}
