import type * as pulumi from "@pulumi/pulumi";
import { Job } from "@pulumi/kubernetes/batch/v1/job.js";

/** Seconds the database may take to answer. */
const reachSeconds = 60;

/** Fails with a sentence when nothing answers; arguments: host, port, seconds. */
const checkScript = `end=$((SECONDS + $3))
until timeout 5 bash -c ': <>"/dev/tcp/$0/$1"' "$1" "$2"; do
  if ((SECONDS >= end)); then
    echo "the accounting database $1:$2 does not answer within $3 s from inside the cluster" | tee /dev/termination-log
    exit 1
  fi
  sleep 2
done
`;

/** Arguments of {@link databaseReachable}. */
export interface DatabaseReachableArgs {
  readonly host: string;
  readonly port: number;
  readonly namespace: pulumi.Input<string>;
  /** Image with bash; slurmctld's. */
  readonly image: string;
  readonly imagePullSecrets: readonly string[];
}

/**
 * A Job that connects to an external database from where slurmdbd will: the machine that runs Pulumi may see other
 * names and networks than the cluster. Host and port are in the resource's name, so an address that changes is
 * checked again, and Pulumi's error for one that does not answer names it.
 */
export function databaseReachable(
  name: string,
  args: DatabaseReachableArgs,
  options: pulumi.CustomResourceOptions,
): Job {
  const { host, port, namespace } = args;
  const suffix = `${host.toLowerCase().replaceAll(".", "-").slice(0, 30).replace(/-+$/, "")}-${port}`;
  return new Job(
    `${name}-database-${host}:${port}`,
    {
      metadata: { name: `database-reachable-${suffix}`, namespace },
      spec: {
        backoffLimit: 0,
        activeDeadlineSeconds: reachSeconds + 60,
        template: {
          spec: {
            automountServiceAccountToken: false,
            imagePullSecrets: args.imagePullSecrets.map((secret) => ({ name: secret })),
            restartPolicy: "Never",
            containers: [
              {
                name: "check",
                image: args.image,
                command: ["bash", "-c", checkScript, "check", host, `${port}`, `${reachSeconds}`],
              },
            ],
          },
        },
      },
    },
    options,
  );
}
