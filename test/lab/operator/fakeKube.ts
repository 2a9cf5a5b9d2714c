import { KubeApiError, type KubeApi } from "../../../lab/operator/kube/client.ts";
import {
  namespaceOf,
  nameOf,
  refOf,
  type KubeObject,
  type ObjectRef,
} from "../../../lab/operator/kube/object.ts";

type Json = Record<string, unknown>;

/** In-memory API server: uids, resource versions with conflicts, merge patches, uid preconditions; records writes. */
export class FakeKube implements KubeApi {
  readonly objects = new Map<string, KubeObject>();
  /** Writes that changed something, as "VERB Kind/name". */
  readonly writes: string[] = [];
  #version = 0;

  constructor(...objects: KubeObject[]) {
    for (const object of objects) {
      this.#store({
        ...object,
        metadata: {
          uid: `uid-${object.kind}-${nameOf(object)}`,
          namespace: "slurm",
          ...object.metadata,
        },
      });
    }
  }

  get<T extends KubeObject>(ref: ObjectRef): Promise<T | undefined> {
    return Promise.resolve(structuredClone(this.objects.get(key(ref))) as T | undefined);
  }

  list<T extends KubeObject>(kind: string, namespace: string): Promise<T[]> {
    const found = [...this.objects.values()].filter(
      (object) => object.kind === kind && namespaceOf(object) === namespace,
    );
    return Promise.resolve(structuredClone(found) as T[]);
  }

  create<T extends KubeObject>(object: T): Promise<T> {
    if (this.objects.has(key(refOf(object)))) {
      return Promise.reject(new KubeApiError(409, "exists"));
    }
    this.writes.push(`CREATE ${object.kind}/${nameOf(object)}`);
    const uid = `uid-${object.kind}-${nameOf(object)}-${String(this.#version)}`;
    return Promise.resolve(this.#store({ ...object, metadata: { ...object.metadata, uid } }) as T);
  }

  replace<T extends KubeObject>(object: T): Promise<T> {
    const live = this.objects.get(key(refOf(object)));
    if (live?.metadata.resourceVersion !== object.metadata.resourceVersion) {
      return Promise.reject(new KubeApiError(409, "conflict"));
    }
    if (JSON.stringify(live) !== JSON.stringify(object)) {
      this.writes.push(`REPLACE ${object.kind}/${nameOf(object)}`);
      this.#store(object);
    }
    return Promise.resolve(structuredClone(object));
  }

  replaceStatus<T extends KubeObject>(object: T): Promise<T> {
    this.writes.push(`STATUS ${object.kind}/${nameOf(object)}`);
    return Promise.resolve(this.#store(object) as T);
  }

  mergePatch(ref: ObjectRef, patch: object): Promise<void> {
    const live = this.objects.get(key(ref));
    if (live === undefined) {
      return Promise.reject(new KubeApiError(404, "gone"));
    }
    this.writes.push(`PATCH ${ref.kind}/${ref.name}`);
    this.#store(merge(live as unknown as Json, patch as Json) as unknown as KubeObject);
    return Promise.resolve();
  }

  delete(ref: ObjectRef, uid: string | undefined): Promise<void> {
    const live = this.objects.get(key(ref));
    if (live !== undefined && (uid === undefined || live.metadata.uid === uid)) {
      this.writes.push(`DELETE ${ref.kind}/${ref.name}`);
      this.objects.delete(key(ref));
    }
    return Promise.resolve();
  }

  /** The stored object, which must exist. */
  read<T extends KubeObject>(kind: string, name: string): T {
    const found = this.objects.get(key({ kind, namespace: "slurm", name }));
    if (found === undefined) {
      throw new Error(`the fake holds no ${kind} ${name}`);
    }
    return found as T;
  }

  /** Changes a stored object behind the operator's back. */
  edit<T extends KubeObject>(kind: string, name: string, change: (object: T) => void): void {
    const object = structuredClone(this.read<T>(kind, name));
    change(object);
    this.#store(object);
  }

  #store(object: KubeObject): KubeObject {
    this.#version += 1;
    const stored = structuredClone(object);
    stored.metadata.resourceVersion = String(this.#version);
    this.objects.set(key(refOf(stored)), stored);
    return structuredClone(stored);
  }
}

function key(ref: ObjectRef): string {
  return `${ref.kind}/${ref.namespace}/${ref.name}`;
}

function merge(target: Json, patch: Json): Json {
  const result = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) {
      result[field] = undefined;
    } else if (typeof value === "object" && !Array.isArray(value)) {
      result[field] = merge((result[field] ?? {}) as Json, value as Json);
    } else {
      result[field] = value;
    }
  }
  return JSON.parse(JSON.stringify(result)) as Json;
}
