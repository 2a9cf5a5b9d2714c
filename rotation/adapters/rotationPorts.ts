import type { Clock } from "../../cluster/clock.ts";
import { podSocketOpener } from "../../cluster/podExec.ts";
import type { RotationPorts } from "../ports.ts";
import { accessPort } from "./accessReview.ts";
import { canaryPort } from "./canary.ts";
import { callApiSteadily, openKubeConfig, unlessAbsent } from "./connect.ts";
import { journalStore } from "./journalStore.ts";
import { leasePort } from "./lease.ts";
import { controllerCommands, podCommands } from "./podCommands.ts";
import { probePort } from "./probe.ts";
import { secretStore } from "./secretStore.ts";
import { queueHold, slurmPort } from "./slurm.ts";
import { workloadsPort } from "./workloads.ts";

/** Where a rotation works. */
export interface RotationPlace {
  readonly kubeconfig: string;
  readonly context: string;
  /** Namespace of Slurm. */
  readonly namespace: string;
  readonly operatorNamespace: string;
  /** Name of the Controller, which is the Helm release's. */
  readonly release: string;
  readonly secretName: string;
  /** Image with sackd and Slurm's clients. */
  readonly probeImage: string;
}

/** All ports of a rotation on a real cluster. */
export async function rotationPorts(place: RotationPlace, clock: Clock): Promise<RotationPorts> {
  const { namespace, release } = place;
  const config = await openKubeConfig(place.kubeconfig, place.context);
  const client = await import("@kubernetes/client-node");
  const core = config.makeApiClient(client.CoreV1Api);
  const apps = config.makeApiClient(client.AppsV1Api);
  const authorization = config.makeApiClient(client.AuthorizationV1Api);
  const coordination = config.makeApiClient(client.CoordinationV1Api);

  const workloads = workloadsPort({ core, apps }, place);
  const isRunning = async (within: string, name: string): Promise<boolean> => {
    const read = callApiSteadily(`read pod ${within}/${name}`, () =>
      core.readNamespacedPod({ namespace: within, name }),
    );
    const pod = await unlessAbsent(read);
    return pod?.status?.phase === "Running" && !pod.metadata?.deletionTimestamp;
  };
  const runInPod = podCommands(podSocketOpener(config), isRunning);
  const runInController = controllerCommands(runInPod, namespace, release);
  return {
    secrets: secretStore(core, namespace),
    workloads,
    slurm: slurmPort(runInController),
    hold: queueHold(runInController),
    probe: probePort(core, clock, { runInPod, runInController }, place),
    canary: canaryPort(runInController, runInPod, () => workloads.pods()),
    journals: journalStore(core, namespace),
    lease: leasePort(coordination, namespace, clock),
    access: accessPort(authorization, namespace, place.operatorNamespace),
  };
}
