import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { readBundle } from "../bundle.ts";
import { isClusterRegistered } from "../cluster/slurmAccounting.ts";
import { systemClock } from "../cluster/clock.ts";
import { createProgress } from "../progress.ts";
import { waitForRegistration } from "./accountingReady.ts";
import { chosenStackName } from "./chosenStack.ts";
import { positiveNumber, runCommand } from "./commandLine.ts";
import { describeInstallation } from "./installation.ts";
import { connectKube } from "./kube.ts";
import { waitForNodes } from "./nodesReady.ts";
import { recoverStack } from "./recovery.ts";
import { runJobInStack } from "./runJob.ts";
import { scaleReport } from "./scaling.ts";
import { runInController, slurmInController } from "./slurmPods.ts";
import { toNodeSets, toStackOutputs } from "./stackOutputs.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import { projectFolder, readStackSettings } from "./stackSettings.ts";
import type { StackSettings } from "./stackSettings.ts";
import { openStack, prepareEnvironment, readOutputs, runEngine } from "./workspace.ts";

await runCommand({
  usage:
    "npm run up -- [--stack NAME] [--no-job] [--timeout SECONDS]: " +
    "brings everything up and proves it with a job; SECONDS bounds the wait for the Slurm nodes",
  options: { "no-job": "boolean", timeout: "string" },
  async run(options) {
    const deadlineSeconds = positiveNumber(options, "timeout") ?? 300;
    const progress = createProgress();
    const name = await chosenStackName(options, progress);
    const settings = await readStackSettings(name);
    await prepareEnvironment(settings, progress);
    for (const line of await installationOf(settings)) progress.note(line);

    await mkdir(join(projectFolder, ".slinky"), { recursive: true });
    const open = await openStack(name, settings, true);
    if (open === undefined) throw new Error(`the stack "${name}" could not be created`);
    await recoverStack(open, progress);
    const before = (await readOutputs(open))["nodeSets"]?.value as unknown;
    const result = await runEngine(open, "up", progress);
    console.log(result.summary);

    const outputs = toStackOutputs(name, result.outputs);
    const previous = before === undefined ? undefined : toNodeSets(name, before);
    for (const line of scaleReport(previous, outputs.nodeSets)) progress.note(line);
    await progress.step("every Slurm node usable", () => nodesUsable(outputs, deadlineSeconds));
    if (outputs.accounting) {
      await progress.step("cluster registered for accounting", () => registered(outputs));
    }
    if (options["no-job"] === true) return 0;
    const wish = { partition: undefined, nodes: undefined, deadlineSeconds: 120 };
    await runJobInStack(outputs, wish, progress);
    return 0;
  },
});

async function installationOf(settings: StackSettings): Promise<string[]> {
  const folder = settings.bundle === "lab" ? process.env["SLINKY_LAB_BUNDLE"] : settings.bundle;
  return describeInstallation(settings, folder ? await readBundle(folder) : undefined);
}

async function nodesUsable(outputs: StackOutputs, deadlineSeconds: number): Promise<void> {
  const { slurmNamespace: namespace, slurmRelease: release, nodeSets } = outputs;
  const kube = await connectKube(outputs.kubeconfig, outputs.context);
  const slurm = slurmInController(kube, namespace);
  await waitForNodes({
    release,
    nodeSets,
    deadlineSeconds,
    clock: systemClock,
    observe: async () => ({ pods: await kube.pods(namespace), nodes: await slurm.nodes() }),
  });
}

async function registered(outputs: StackOutputs): Promise<void> {
  const kube = await connectKube(outputs.kubeconfig, outputs.context);
  const run = runInController(kube, outputs.slurmNamespace);
  const cluster = outputs.slurmClusterName;
  await waitForRegistration({
    cluster,
    deadlineSeconds: 120,
    clock: systemClock,
    isRegistered: () => isClusterRegistered(run, cluster),
  });
}
