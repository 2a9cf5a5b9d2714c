import { connectKubernetes } from "./adapters/kubernetes.ts";
import { systemClock } from "../cluster/clock.ts";
import {
  createKey,
  deleteKey,
  type KeyEngineEdges,
  type KeyInputs,
  type KeyOutputs,
  keyChanges,
  readKey,
  updateKey,
} from "./firstKey.ts";

/*
 * The key engine in the shape of Pulumi's dynamic provider. The serialized shell (provider.ts) loads this file in the
 * provider process, so a stored shell always runs the current engine (R39).
 *
 * | call   | does                                                                        |
 * | ------ | --------------------------------------------------------------------------- |
 * | create | puts the immutable Secret in place, or adopts one with the same key          |
 * | diff   | a change only for another key, another place, new access, or a new shell     |
 * | update | verifies; refuses another key                                                |
 * | read   | reports the live fingerprint; undefined id when the Secret is gone           |
 * | delete | deletes the Secret while it is the one we made and nobody uses it            |
 */

/** Value that Pulumi's SDK sends in previews for an input that is not known yet (@pulumi/pulumi runtime/rpc). */
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const realEdges: KeyEngineEdges = { connect: connectKubernetes, clock: systemClock };

/** What the SDK adds to inputs and outputs: the serialized shell. */
interface WithShell {
  readonly __provider?: string;
}

/** Puts the first key in place; the id names the Secret, never the key. */
export async function create(
  inputs: KeyInputs,
  edges = realEdges,
): Promise<{ id: string; outs: KeyOutputs }> {
  const outs = await createKey(inputs, edges);
  return { id: `${inputs.namespace}/${inputs.secretName}`, outs };
}

/** Compares without touching the cluster; never asks for a replacement: that would be an unprotected swap. */
export function diff(
  olds: Partial<KeyOutputs> & WithShell,
  news: KeyInputs & WithShell,
): { changes: boolean; replaces: string[] } {
  const unknown = Object.entries(news).some(
    ([name, value]) => name !== "kubeconfig" && value === unknownValue,
  );
  const known = {
    ...news,
    kubeconfig: news.kubeconfig === unknownValue ? (olds.kubeconfig ?? "") : news.kubeconfig,
  };
  const changes = unknown || olds.__provider !== news.__provider || keyChanges(olds, known);
  return { changes, replaces: [] };
}

/** Verifies; see {@link updateKey}. */
export async function update(
  olds: Partial<KeyOutputs>,
  news: KeyInputs,
  edges = realEdges,
): Promise<{ outs: KeyOutputs }> {
  return { outs: await updateKey(olds, news, edges) };
}

/** Reports what the cluster holds; without an id Pulumi forgets the resource and the next `up` creates it anew. */
export async function read(
  id: string,
  outputs: KeyOutputs,
  edges = realEdges,
): Promise<{ id?: string; props?: KeyOutputs }> {
  const props = await readKey(outputs, edges);
  return props ? { id, props } : {};
}

/** Deletes what is ours; see {@link deleteKey}. */
export async function remove(outputs: KeyOutputs, edges = realEdges): Promise<void> {
  await deleteKey(outputs, edges);
}
