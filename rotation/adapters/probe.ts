import type { CoreV1Api, V1Pod } from "@kubernetes/client-node";
import type { Clock } from "../../cluster/clock.ts";
import { DIGEST_COMMAND, fingerprintIn, KEY_FILE } from "../../cluster/slurmPodContract.ts";
import { checkRest } from "../../cluster/slurmRest.ts";
import type { RunInController } from "../../cluster/slurmCommands.ts";
import type { Probe } from "../ports.ts";
import { Interrupted } from "../waiting.ts";
import { AUTH_SECRET, MANAGED_BY_LABEL, MANAGER, PROBE_POD } from "../wireNames.ts";
import { callApiSteadily, unlessAbsent } from "./connect.ts";
import type { RunInPod } from "./podCommands.ts";
import { outputOf } from "./slurm.ts";

/** Seconds one command in a pod may take. */
const commandSeconds = 20;

/** Times the probe's script looks, its seconds at most, seconds until its pod runs, and until it ends by itself. */
const [looks, scriptSeconds, startSeconds, lifeSeconds] = [100, 60, 60, 24 * 3600];

/**
 * Starts sackd with the key and asks for a ping: the accepted key fetches slurm.conf and prints UP, a refused one
 * never does and says why (lab figures in docs/rotation.md). Nothing of an earlier try is left that could answer.
 * Exit code 0 accepted, 3 refused, 4 neither.
 */
const script = `rm -rf /run/slurm/* /tmp/sackd.log
sackd -D --conf-server "$1" >/tmp/sackd.log 2>&1 &
daemon=$!
trap 'kill -9 "$daemon"' EXIT
looks=$2
while [ "$looks" -gt 0 ]; do
  if SLURM_CONF=/run/slurm/conf/slurm.conf timeout 5 scontrol ping 2>/dev/null | grep -q UP; then exit 0; fi
  if grep -qi 'authentication' /tmp/sackd.log; then exit 3; fi
  looks=$((looks - 1))
  sleep 0.3
done
tail -n 3 /tmp/sackd.log | cut -c1-200
exit 4
`;

/** What the probe needs to know of the place. */
export interface ProbePlace {
  readonly namespace: string;
  readonly release: string;
  /** Image with sackd and Slurm's clients. */
  readonly probeImage: string;
}

/** {@link Probe} by commands in the pods, and by a pod of its own for the keys. */
export function probePort(
  api: CoreV1Api,
  clock: Clock,
  { runInPod, runInController }: { runInPod: RunInPod; runInController: RunInController },
  place: ProbePlace,
): Probe {
  const { namespace, release } = place;
  return {
    async keyFile(pod) {
      const { exitCode, stdout } = await runInPod(pod, DIGEST_COMMAND, commandSeconds);
      const digest = fingerprintIn(stdout);
      if (exitCode === 0 && digest) return digest;
      throw new Error(`${KEY_FILE} cannot be read in ${pod.name} (exit code ${exitCode})`);
    },

    async clientCall(pod) {
      const command = ["sinfo", "--noheader", "--format=%P"];
      const { exitCode, stdout, stderr } = await runInPod(pod, command, commandSeconds);
      if (exitCode === 0 && stdout.trim() !== "") return;
      throw new Error(`sinfo in ${pod.name}: ${stderr.trim().slice(0, 200) || "no answer"}`);
    },

    async services(pods) {
      if (pods.some(({ component }) => component === "accounting")) {
        const sacct = ["sacct", "--noheader", "--parsable2", "--format=JobID", "--starttime=now"];
        await outputOf(runInController, sacct);
      }
      if (!pods.some(({ component }) => component === "restapi")) return;
      const { status, problem } = await checkRest(runInController, `${release}-restapi`);
      if (status !== 200) throw new Error(`slurmrestd: ${problem ?? `HTTP status ${status}`}`);
    },

    async tryKey(stagedSecret, signal) {
      const name = podName(stagedSecret);
      await startPod(api, place, stagedSecret, (what, look) => waitFor(clock, what, look, signal));
      const command = ["sh", "-c", script, "probe", `${release}-controller.${namespace}:6817`];
      const { exitCode, stdout } = await runInPod(
        { namespace, name, container: probeContainer },
        [...command, String(looks)],
        scriptSeconds,
      );
      if (exitCode === 0) return "accepted";
      if (exitCode === 3) return "refused";
      const said = stdout.trim().slice(0, 300);
      throw new Error(`pod ${name} got no clear answer (exit code ${exitCode}): ${said}`);
    },

    async end(stagedSecret) {
      await removePod(api, namespace, podName(stagedSecret));
    },
  };
}

const probeContainer = "probe";

const podName = (stagedSecret: string): string => `${PROBE_POD}-${stagedSecret}`.slice(0, 63);

/** Makes the pod of a staged key run: one pod serves all tries of a rotation. */
async function startPod(
  api: CoreV1Api,
  place: ProbePlace,
  stagedSecret: string,
  wait: Wait,
): Promise<void> {
  const { namespace, release } = place;
  const name = podName(stagedSecret);
  const now = await readPod(api, namespace, name);
  const isOver = /^(Succeeded|Failed)$/.test(now?.status?.phase ?? "");
  if (!now || isOver || now.metadata?.deletionTimestamp) {
    if (isOver) await removePod(api, namespace, name);
    if (now)
      await wait(`pod ${name} to be gone`, async () => !(await readPod(api, namespace, name)));
    const secrets = await pullSecrets(api, namespace, `${release}-controller-0`);
    const body = probePod(name, stagedSecret, place, secrets);
    await callApiSteadily(`create pod ${namespace}/${name}`, () =>
      api.createNamespacedPod({ namespace, body }),
    );
  }
  await wait(`pod ${name} to run`, async () => {
    const pod = await readPod(api, namespace, name);
    return pod?.status?.containerStatuses?.[0]?.state?.running !== undefined;
  });
}

type Wait = (what: string, look: () => Promise<boolean>) => Promise<void>;

async function waitFor(
  clock: Clock,
  what: string,
  look: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const until = clock.now() + startSeconds * 1000;
  while (!(await look())) {
    if (signal?.aborted) throw new Interrupted(`stopped waiting for ${what}`);
    if (clock.now() >= until) throw new Error(`waited ${startSeconds} s for ${what}, in vain`);
    await clock.sleep(300);
  }
}

const readPod = (api: CoreV1Api, namespace: string, name: string): Promise<V1Pod | undefined> =>
  unlessAbsent(
    callApiSteadily(`read pod ${namespace}/${name}`, () =>
      api.readNamespacedPod({ namespace, name }),
    ),
  );

async function removePod(api: CoreV1Api, namespace: string, name: string): Promise<void> {
  await unlessAbsent(
    callApiSteadily(`delete pod ${namespace}/${name}`, () =>
      api.deleteNamespacedPod({ namespace, name, gracePeriodSeconds: 0 }),
    ),
  );
}

async function pullSecrets(api: CoreV1Api, namespace: string, controller: string) {
  const pod = await readPod(api, namespace, controller);
  return pod?.spec?.imagePullSecrets ?? [];
}

/** Pure: a pod that mounts a staged key under its own name, so that no kubelet can have another one in its cache. */
export function probePod(
  name: string,
  stagedSecret: string,
  { namespace, probeImage }: ProbePlace,
  imagePullSecrets: { name?: string }[],
): V1Pod {
  const [slurmUser, groupRead] = [401, 0o440];
  const key = AUTH_SECRET.key;
  return {
    metadata: { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGER } },
    spec: {
      restartPolicy: "Never",
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      imagePullSecrets,
      securityContext: { runAsUser: slurmUser, runAsGroup: slurmUser, fsGroup: slurmUser },
      containers: [
        {
          name: probeContainer,
          image: probeImage,
          imagePullPolicy: "IfNotPresent",
          // It waits for tries; a rotation that died does not leave it for ever.
          command: ["sleep", String(lifeSeconds)],
          env: [{ name: "SLURM_SACK_KEY", value: `/key/${key}` }],
          securityContext: { allowPrivilegeEscalation: false },
          volumeMounts: [
            { name: "key", mountPath: "/key", readOnly: true },
            { name: "run", mountPath: "/run/slurm" },
          ],
        },
      ],
      volumes: [
        {
          name: "key",
          secret: { secretName: stagedSecret, defaultMode: groupRead, items: [{ key, path: key }] },
        },
        { name: "run", emptyDir: {} },
      ],
    },
  };
}
