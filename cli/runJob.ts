import { systemClock } from "../cluster/clock.ts";
import type { Progress } from "../progress.ts";
import { connectKube } from "./kube.ts";
import { readNodeFile, slurmInController } from "./slurmPods.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import { defaultRequest, runTestJob } from "./testJob.ts";

/** What the user asked for; undefined takes the default. */
export interface JobWish {
  readonly partition: string | undefined;
  readonly nodes: number | undefined;
  readonly deadlineSeconds: number;
}

/** Runs the test job in the stack's cluster and prints its output on stdout. */
export async function runJobInStack(
  outputs: StackOutputs,
  wish: JobWish,
  progress: Progress,
): Promise<void> {
  const kube = await connectKube(outputs.kubeconfig, outputs.context);
  const namespace = outputs.slurmNamespace;
  const slurm = slurmInController(kube, namespace);
  const [partitions, nodes] = await Promise.all([slurm.partitions(), slurm.nodes()]);
  const chosen = defaultRequest(partitions, outputs.nodeSets, nodes, wish);
  const report = await progress.step(
    `job on ${chosen.nodes} node(s) of partition ${chosen.partition}`,
    () =>
      runTestJob(
        {
          slurm,
          clock: systemClock,
          readFile: (node, path) => readNodeFile(kube, namespace, node, path),
        },
        { ...chosen, deadlineSeconds: wish.deadlineSeconds },
      ),
  );
  console.log(`job ${report.id} COMPLETED on ${report.nodes}, exit code 0`);
  console.log(report.output.trimEnd());
}
