import { fingerprint } from "./authKey.ts";
import { hasOurReason } from "./drainReason.ts";
import { forEach, isHolder } from "./keyHolders.ts";
import type { Observation } from "./model.ts";
import type { RotationPorts } from "./ports.ts";

/** What an observation is for. */
export interface Wanted {
  readonly wanted: string;
  readonly recorded: string | undefined;
  readonly secretName: string;
  readonly dataKey: string;
}

/** Looks at the cluster; changes nothing. Slurm may be down: then what it would tell is left out. */
export async function observe(
  { wanted, recorded, secretName, dataKey }: Wanted,
  { secrets, workloads, journals, slurm, hold, probe }: Omit<RotationPorts, "lease">,
): Promise<Observation> {
  const secret = await secrets.read(secretName);
  const key = secret?.data[dataKey];
  const live = key && fingerprint(key);
  const journal = await journals.read();
  const pods = await workloads.pods();
  const controllerRuns = pods.some((pod) => pod.component === "controller" && !pod.isTerminating);
  const isUnfinished = journal !== undefined && journal.outcome === undefined;
  const stale: string[] = [];
  const leftovers: string[] = [];
  if (!isUnfinished) {
    const readable = pods.filter((pod) => isHolder(pod) && pod.isReady && !pod.isTerminating);
    await forEach(readable, async (pod) => {
      // A file that cannot be read tells nothing; verification, which needs it, is strict.
      const carried = await probe.keyFile(pod).catch(() => undefined);
      if (carried && carried !== live) stale.push(`${pod.name}@${pod.kubernetesNode} (${carried})`);
    });
    for (const name of await secrets.staged()) leftovers.push(`staged key ${name}`);
    const slurmTells = async (): Promise<string[]> => {
      const held = await hold.isSet();
      const nodes = (await slurm.nodes()).filter(hasOurReason);
      return [
        ...(held ? ["the reservation that holds the queue"] : []),
        ...nodes.map(({ name }) => `node ${name} drained by a rotation`),
      ];
    };
    if (controllerRuns) leftovers.push(...(await slurmTells().catch(() => [])));
  }
  return { wanted, recorded, live, journal, controllerRuns, stale: stale.sort(), leftovers };
}
