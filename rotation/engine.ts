import { systemClock } from "../cluster/clock.ts";
import { connectKubernetes } from "./adapters/kubernetes.ts";
import { rotationPorts } from "./adapters/rotationPorts.ts";
import { createKey, deleteKey, keyChanges, readKey, updateKey } from "./firstKey.ts";
import type { KeyInputs, KeyOutputs } from "./keyProperties.ts";
import { previewPlan } from "./previewPlan.ts";
import { progressLog } from "./progressLog.ts";
import {
  noHistory,
  placeOf,
  type RotatingInputs,
  type RotationEdges,
  rotateKey,
} from "./rotateKey.ts";

/*
 * The key engine in the shape of Pulumi's dynamic provider. The serialized shell (provider.ts) loads this file in the
 * provider process, so a stored shell always runs the current engine (R39).
 *
 * | call   | does                                                                              |
 * | ------ | --------------------------------------------------------------------------------- |
 * | create | puts the immutable Secret in place, or adopts one with the same key                |
 * | diff   | a change for another key, another place, new access, a new shell, or a live cluster |
 * |        | that is not what it should be; says what an update would do                        |
 * | update | rotates, rolls back, repairs or only verifies; a key without rotation: verifies     |
 * | read   | reports the live fingerprint; undefined id when the Secret is gone for good         |
 * | delete | deletes the Secret while it is the one we made and nobody uses it                  |
 */

/** Value that Pulumi's SDK sends in previews for an input that is not known yet (@pulumi/pulumi runtime/rpc). */
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const realEdges: RotationEdges = {
  connect: connectKubernetes,
  clock: systemClock,
  openPorts: (place) => rotationPorts(place, systemClock),
  openLog: progressLog,
};

/** What the SDK adds to inputs and outputs: the serialized shell. */
interface WithShell {
  readonly __provider?: string;
}

/** Puts the first key in place; the id names the Secret, never the key. */
export async function create(
  inputs: KeyInputs,
  edges = realEdges,
): Promise<{ id: string; outs: KeyOutputs }> {
  const id = `${inputs.namespace}/${inputs.secretName}`;
  if (!isRotating(inputs)) return { id, outs: await createKey(inputs, edges) };
  if (await isUnfinished(inputs, edges)) {
    throw new Error(
      `a rotation of ${id} is unfinished, so its key cannot be made anew. Its journal is ConfigMap ` +
        `${inputs.namespace}/slinky-stack-rotation; restore the stack's state and run pulumi up, see docs/rotation.md`,
    );
  }
  const outs = await createKey(inputs, edges);
  return { id, outs: { ...outs, ...noHistory(inputs), rotation: inputs.rotation } };
}

/** Never asks for a replacement: that would be an unprotected swap. */
export async function diff(
  olds: Partial<KeyOutputs> & WithShell,
  news: KeyInputs & WithShell,
  edges = realEdges,
): Promise<{ changes: boolean; replaces: string[] }> {
  const unknown = Object.entries(news).some(
    ([name, value]) => name !== "kubeconfig" && value === unknownValue,
  );
  const known = {
    ...news,
    kubeconfig: news.kubeconfig === unknownValue ? (olds.kubeconfig ?? "") : news.kubeconfig,
  };
  // A state from before rotation gets the outputs that read needs; the update only verifies.
  const isOlder = isRotating(known) && olds.rotation === undefined;
  const isAsked =
    unknown || isOlder || olds.__provider !== news.__provider || keyChanges(olds, known);
  const isDrifted = !unknown && isRotating(known) && (await tellPlan(olds, known, edges));
  return { changes: isAsked || isDrifted, replaces: [] };
}

/** Rotates or verifies; see {@link rotateKey} and {@link updateKey}. */
export async function update(
  olds: Partial<KeyOutputs>,
  news: KeyInputs & WithShell,
  edges = realEdges,
): Promise<{ outs: KeyOutputs }> {
  if (!isRotating(news)) return { outs: await updateKey(olds, news, edges) };
  const id = `${news.namespace}/${news.secretName}`;
  return { outs: await rotateKey(id, olds, news, edges, news.__provider) };
}

/**
 * Reports what the cluster holds; without an id Pulumi forgets the resource and the next `up` creates it anew. In the
 * middle of a rotation the Secret may be absent, and the resource is not forgotten for that.
 */
export async function read(
  id: string,
  outputs: KeyOutputs,
  edges = realEdges,
): Promise<{ id?: string; props?: KeyOutputs }> {
  const live = await readKey(outputs, edges);
  if (!isRotating(outputs)) return live ? { id, props: live } : {};
  if (live) return { id, props: { ...outputs, ...live } };
  return (await isUnfinished(outputs, edges)) ? { id, props: outputs } : {};
}

/** Deletes what is ours; see {@link deleteKey}. */
export async function remove(outputs: KeyOutputs, edges = realEdges): Promise<void> {
  await deleteKey(outputs, edges);
}

function isRotating<T extends Pick<KeyInputs, "rotation">>(
  properties: T,
): properties is T & Pick<RotatingInputs, "rotation"> {
  return properties.rotation !== undefined;
}

async function isUnfinished(
  from: Parameters<typeof placeOf>[0],
  edges: RotationEdges,
): Promise<boolean> {
  const ports = await edges.openPorts(placeOf(from));
  const journal = await ports.journals.read();
  return journal !== undefined && journal.outcome === undefined;
}

/** Tells people what an update would do; false when nothing, or when the cluster cannot be looked at. */
async function tellPlan(
  olds: Partial<KeyOutputs>,
  news: RotatingInputs,
  edges: RotationEdges,
): Promise<boolean> {
  const progress = edges.openLog(news.rotation.progressUrn);
  try {
    const ports = await edges.openPorts(placeOf(news));
    const words = await previewPlan(olds, news, ports, new Date(edges.clock.now()));
    if (words) progress.log(`plan: ${words}`);
    return words !== undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    progress.log(
      `plan: the cluster could not be looked at (${why}); the configuration alone decides`,
    );
    return false;
  } finally {
    await progress.flush();
  }
}
