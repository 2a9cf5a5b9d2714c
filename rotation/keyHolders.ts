import type { RotationContext } from "./context.ts";
import type { KeyPod, Workload } from "./ports.ts";

/** Most pods that are asked at once. */
const parallel = 10;

/** Whether a pod keeps a kubelet from forgetting the Secret. */
export const isHolder = (pod: KeyPod): boolean => pod.usesKey;

/** Pods that reference the live Secret, terminating ones included. */
export async function holders({ workloads }: Pick<RotationContext, "workloads">) {
  return (await workloads.pods()).filter(isHolder);
}

/**
 * Runs work for every item, a bounded number at once. After a failure none is begun any more, and the first failure is
 * thrown when those that run have ended: nothing goes on behind the caller's back.
 */
export async function forEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    while (queue.length > 0 && failures.length === 0) {
      await work(queue.shift() as T).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Pods whose key file is not `fingerprint`, as `pod@node (what it carries)`. */
export async function podsWithAnotherKey(
  { probe }: Pick<RotationContext, "probe">,
  pods: readonly KeyPod[],
  fingerprint: string,
): Promise<string[]> {
  const wrong: string[] = [];
  await forEach(pods, async (pod) => {
    const carried = await probe.keyFile(pod);
    if (carried !== fingerprint) wrong.push(`${pod.name}@${pod.kubernetesNode} (${carried})`);
  });
  return wrong.sort();
}

/** Slurm's workloads, without the operator. */
export const slurmWorkloads = (all: readonly Workload[]): Workload[] =>
  all.filter(({ component }) => component !== "operator");

/** Names of pods, for people. */
export const namesOf = (pods: readonly KeyPod[]): string => pods.map(({ name }) => name).join(", ");
