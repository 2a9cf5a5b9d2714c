import type { Clock } from "../cluster/clock.ts";
import type { KeyInputs, KeyOutputs } from "./keyProperties.ts";
import { deriveKey, fingerprint, sameKey } from "./authKey.ts";
import {
  ClusterUnreachable,
  type ConnectCluster,
  type KeyCluster,
  type LiveSecret,
  SecretExists,
} from "./ports.ts";
import {
  FINGERPRINT_ANNOTATION,
  GENERATION_ANNOTATION,
  MANAGED_BY_LABEL,
  MANAGER,
} from "./wireNames.ts";

/** What the engine needs from outside. */
export interface KeyEngineEdges {
  readonly connect: ConnectCluster;
  readonly clock: Clock;
}

/** Milliseconds between two looks at the pods that use a key. */
const holderPollMilliseconds = 2000;

/**
 * Puts the first key in place. Absent Secret: created, immutable. A Secret with the same bytes, immutable: adopted.
 * Anything else by that name is refused: replacing a live key is a rotation, never a creation.
 */
export async function createKey(inputs: KeyInputs, edges: KeyEngineEdges): Promise<KeyOutputs> {
  const key = deriveKey(inputs.root, inputs.keySeed);
  const cluster = await edges.connect(inputs.kubeconfig, inputs.context);
  const clusterIdentity = await cluster.identity();
  const live = await createOrRead(cluster, inputs, key);
  requireOurKey(live, inputs, key);
  return toOutputs(inputs, live, fingerprint(key), clusterIdentity);
}

/** What the cluster holds now; undefined when the Secret is gone. */
export async function readKey(
  outputs: KeyOutputs,
  edges: KeyEngineEdges,
): Promise<KeyOutputs | undefined> {
  const cluster = await edges.connect(outputs.kubeconfig, outputs.context);
  const clusterIdentity = await requireSameCluster(cluster, outputs);
  const live = await cluster.readSecret(outputs.namespace, outputs.secretName);
  const key = live?.data[outputs.dataKey];
  if (!live || !key) return undefined;
  return toOutputs(outputs, live, fingerprint(key), clusterIdentity);
}

/**
 * Whether an update is needed. Only another fingerprint asks for another key; a new kubeconfig is a change so that
 * read and delete get to know it, and the update then only verifies.
 */
export function keyChanges(olds: Partial<KeyOutputs>, news: KeyInputs): boolean {
  return (
    olds.fingerprint !== fingerprint(deriveKey(news.root, news.keySeed)) ||
    olds.namespace !== news.namespace ||
    olds.secretName !== news.secretName ||
    olds.dataKey !== news.dataKey ||
    olds.kubeconfig !== news.kubeconfig ||
    olds.context !== news.context
  );
}

/**
 * Verifies that the live Secret carries the key of the inputs. A missing Secret is put back with that key;
 * nothing that exists is changed.
 * @throws when the inputs ask for another key, or the live Secret is not the one the stack made
 */
export async function updateKey(
  olds: Partial<KeyOutputs>,
  news: KeyInputs,
  edges: KeyEngineEdges,
): Promise<KeyOutputs> {
  const key = deriveKey(news.root, news.keySeed);
  const wanted = fingerprint(key);
  const where = `${news.namespace}/${news.secretName}`;
  if (olds.fingerprint !== undefined && olds.fingerprint !== wanted) {
    throw new Error(
      `${where} carries key ${olds.fingerprint}, and the configuration asks for key ${wanted}. A live key is swapped ` +
        "only by a rotation, under drained nodes; nothing was touched. Put the previous keySeed back.",
    );
  }
  const { cluster, clusterIdentity } = await requireSamePlace(olds, news, edges);
  const live = await createOrRead(cluster, news, key);
  requireOurKey(live, news, key);
  return toOutputs(news, live, wanted, clusterIdentity);
}

/**
 * Connects to the cluster that the key has always lived in.
 * @throws when the inputs name another Secret, or the kubeconfig leads to another cluster (R21)
 */
export async function requireSamePlace(
  olds: Partial<KeyOutputs>,
  news: KeyInputs,
  edges: KeyEngineEdges,
): Promise<{ cluster: KeyCluster; clusterIdentity: string }> {
  const moved = ["namespace", "secretName", "dataKey"] as const;
  if (moved.some((field) => olds[field] !== undefined && olds[field] !== news[field])) {
    throw new Error(
      `the key lives in ${olds.namespace}/${olds.secretName} (${olds.dataKey}) and cannot move to ` +
        `${news.namespace}/${news.secretName} (${news.dataKey}): the operator refuses another Secret. Nothing was touched.`,
    );
  }
  const cluster = await edges.connect(news.kubeconfig, news.context);
  return { cluster, clusterIdentity: await requireSameCluster(cluster, olds) };
}

/**
 * Deletes the Secret if it is the one the stack made and no pod uses it. A cluster, namespace or Secret that is
 * gone is fine; a Secret with another uid or key is left alone.
 * @throws when pods still use the key at the deadline, or the kubeconfig leads to another cluster
 */
export async function deleteKey(outputs: KeyOutputs, edges: KeyEngineEdges): Promise<void> {
  const { namespace, secretName } = outputs;
  try {
    const cluster = await edges.connect(outputs.kubeconfig, outputs.context);
    await requireSameCluster(cluster, outputs);
    const live = await cluster.readSecret(namespace, secretName);
    const key = live?.data[outputs.dataKey];
    if (!live || !key || live.uid !== outputs.secretUid) return;
    if (fingerprint(key) !== outputs.fingerprint) return;
    await waitUntilUnused(cluster, outputs, edges.clock);
    await cluster.deleteSecret(namespace, secretName, live.uid);
  } catch (error) {
    if (error instanceof ClusterUnreachable) return;
    throw error;
  }
}

async function createOrRead(
  cluster: KeyCluster,
  inputs: KeyInputs,
  key: Uint8Array,
): Promise<LiveSecret> {
  const { namespace, secretName: name, dataKey } = inputs;
  const found = await cluster.readSecret(namespace, name);
  if (found) return found;
  try {
    return await cluster.createSecret({
      namespace,
      name,
      data: { [dataKey]: key },
      labels: { [MANAGED_BY_LABEL]: MANAGER },
      annotations: { [FINGERPRINT_ANNOTATION]: fingerprint(key), [GENERATION_ANNOTATION]: "1" },
    });
  } catch (error) {
    // Created between our two calls: judge it like any Secret that was there before.
    const other =
      error instanceof SecretExists ? await cluster.readSecret(namespace, name) : undefined;
    if (!other) throw error;
    return other;
  }
}

function requireOurKey(live: LiveSecret, inputs: KeyInputs, key: Uint8Array): void {
  const where = `Secret ${inputs.namespace}/${inputs.secretName}`;
  const liveKey = live.data[inputs.dataKey];
  const wanted = fingerprint(key);
  if (!liveKey || !sameKey(liveKey, key)) {
    const holds = liveKey ? `key ${fingerprint(liveKey)}` : `no ${inputs.dataKey}`;
    throw new Error(
      `${where} holds ${holds}, not key ${wanted} of this stack; it was left as it is. If another stack or chart ` +
        "made it, remove that installation first; if this stack did, restore its state or its previous keySeed.",
    );
  }
  if (!live.immutable) {
    throw new Error(
      `${where} holds key ${wanted} but is not immutable; it was left as it is. Check who made it, then run: ` +
        `kubectl -n ${inputs.namespace} patch secret ${inputs.secretName} -p '{"immutable":true}'`,
    );
  }
}

async function requireSameCluster(
  cluster: KeyCluster,
  known: Partial<KeyOutputs>,
): Promise<string> {
  const identity = await cluster.identity();
  if (known.clusterIdentity !== undefined && known.clusterIdentity !== identity) {
    throw new Error(
      `the key belongs to the cluster with kube-system UID ${known.clusterIdentity}, but context ${known.context} ` +
        `leads to ${identity}; nothing was touched. Check kubeconfig and context. If the cluster was made anew, ` +
        "run `npm run down` and `npm run up`.",
    );
  }
  return identity;
}

async function waitUntilUnused(
  cluster: KeyCluster,
  { namespace, secretName, deleteTimeoutSeconds }: KeyOutputs,
  clock: Clock,
): Promise<void> {
  const deadline = clock.now() + deleteTimeoutSeconds * 1000;
  for (;;) {
    const holders = await cluster.holders(namespace, secretName);
    if (holders.length === 0) return;
    if (clock.now() >= deadline) {
      throw new Error(
        `Secret ${namespace}/${secretName} is still used by ${holders.join(", ")} after ${deleteTimeoutSeconds} s; ` +
          "it was not deleted. Remove the Slurm release first, then run the command again.",
      );
    }
    await clock.sleep(holderPollMilliseconds);
  }
}

function toOutputs(
  from: KeyInputs | KeyOutputs,
  live: LiveSecret,
  liveFingerprint: string,
  clusterIdentity: string,
): KeyOutputs {
  return {
    fingerprint: liveFingerprint,
    generation: Number(live.annotations[GENERATION_ANNOTATION] ?? 1),
    secretUid: live.uid,
    clusterIdentity,
    namespace: from.namespace,
    secretName: from.secretName,
    dataKey: from.dataKey,
    kubeconfig: from.kubeconfig,
    context: from.context,
    deleteTimeoutSeconds: from.deleteTimeoutSeconds,
  };
}
