/** One kind of object with resource versions, as client-node's APIs answer: 404 and 409 as exceptions with a code. */
export class FakeVersionedObjects<
  T extends { metadata?: { name?: string; resourceVersion?: string } },
> {
  readonly objects = new Map<string, T>();
  /** Makes the next write happen, but its answer be lost with this status. */
  losesAnswerWith: number | undefined;
  #version = 0;

  read = ({ name }: { name: string }): Promise<T> => {
    const found = this.objects.get(name);
    return found ? Promise.resolve(structuredClone(found)) : refuse(404, "NotFound");
  };

  create = ({ body }: { body: T }): Promise<T> =>
    this.objects.has(body.metadata?.name ?? "") ? refuse(409, "AlreadyExists") : this.#put(body);

  replace = ({ name, body }: { name: string; body: T }): Promise<T> => {
    const held = this.objects.get(name)?.metadata?.resourceVersion;
    const given = body.metadata?.resourceVersion;
    return given !== undefined && given !== held ? refuse(409, "Conflict") : this.#put(body);
  };

  #put(body: T): Promise<T> {
    const name = body.metadata?.name ?? "";
    const resourceVersion = String(++this.#version);
    const stored = { ...body, metadata: { ...body.metadata, resourceVersion } };
    // As the wire leaves it: client-node does not turn times with microseconds into dates again.
    this.objects.set(name, JSON.parse(JSON.stringify(stored)) as T);
    const code = this.losesAnswerWith;
    this.losesAnswerWith = undefined;
    return code ? refuse(code, "Lost") : this.read({ name });
  }
}

function refuse(code: number, reason: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(reason), { code, body: { reason } }));
}
