import type { KeyRef } from "../crds.ts";
import type { DataObject } from "../kube/apply.ts";
import type { KubeApi } from "../kube/client.ts";

/**
 * The bytes behind one key of a Secret.
 * @throws Error when the Secret or the key is missing
 */
export async function secretBytes(api: KubeApi, namespace: string, ref: KeyRef): Promise<Buffer> {
  const secret = await api.get<DataObject>({ kind: "Secret", namespace, name: ref.name });
  const encoded = secret?.data?.[ref.key];
  if (encoded === undefined) {
    throw new Error(`Secret ${namespace}/${ref.name} has no key ${ref.key}: create it`);
  }
  return Buffer.from(encoded, "base64");
}
