import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { systemClock } from "../../../cluster/clock.ts";
import { rotationPorts } from "../../../rotation/adapters/rotationPorts.ts";
import { fingerprint } from "../../../rotation/authKey.ts";
import type { RotationSettings } from "../../../rotation/context.ts";
import type { Journal } from "../../../rotation/model.ts";
import type { RotationPorts } from "../../../rotation/ports.ts";
import { rotate, type RotationResult } from "../../../rotation/rotate.ts";
import {
  inController,
  kindName,
  kubeconfigFile,
  kubectl,
  kubectlJson,
  npmRun,
  pulumi,
  succeed,
  until,
} from "./lab.ts";
import { compute, configureWholeStack, debug, up } from "./wholeStack.ts";

export const inSlurm = ["--namespace", "slurm"];

/** The whole stack on its first seed, with two NodeSets of two nodes; its key's fingerprint. */
export async function bringUpForRotations(): Promise<string> {
  await configureWholeStack({
    keySeed: "initial",
    nodeSets: { compute, debug: { ...debug, replicas: 2 } },
  });
  await up();
  return servedKey();
}

/** Plain `pulumi up`, which may fail. */
export const pulumiUp = () => pulumi(["up", "--yes", "--skip-preview"], 1200);

/** Fingerprint that the stack's state remembers. */
export const servedKey = async (): Promise<string> =>
  (await succeed("pulumi", ["stack", "output", "keyFingerprint"])).trim();

/** Seed of that key; a rotation that was rolled back leaves another one in the configuration. */
export const servedSeed = async (): Promise<string> => {
  const text = await succeed("pulumi", ["stack", "output", "keyRotation", "--json"]);
  return (JSON.parse(text) as { servedSeed: string }).servedSeed;
};

/** The journal of the last rotation. */
export async function journal(): Promise<Journal | undefined> {
  const words = ["get", "configmap", "slinky-stack-rotation", ...inSlurm];
  const { code, stdout } = await kubectl([...words, "--output", "jsonpath={.data.journal\\.json}"]);
  return code === 0 && stdout ? (JSON.parse(stdout) as Journal) : undefined;
}

/** Waits until the running rotation has come to a step, or turned back. */
export const comesTo = (what: string, reached: (journal: Journal) => boolean): Promise<void> =>
  until(what, 600, async () => {
    const now = await journal();
    return now !== undefined && now.outcome === undefined && reached(now);
  });

/** Every holder carries the key, and nothing of a rotation is left. */
export async function assertServedBy(expected: string): Promise<void> {
  const { code, stdout } = await npmRun("status");
  assert.equal(code, 0, stdout);
  assert.ok(stdout.split(expected).length > 5, `the fingerprint at every holder:\n${stdout}`);
  assert.match(await inController("scontrol", "show", "reservation"), /No reservations/);
  const reasons = await inController("sinfo", "--list-reasons", "--noheader");
  assert.doesNotMatch(reasons, /auth-key-rotation/);
  const staged = await kubectlJson<{ items: unknown[] }>([
    ...["get", "secrets", ...inSlurm, "--selector", "slinky-stack.dev/role=staged-key"],
  ]);
  assert.deepEqual(staged.items, []);
}

/** A pod that mounts the auth key and is none of Slurm's. */
export async function mountKeyInStranger(name: string, nodeName?: string): Promise<void> {
  const { versions } = JSON.parse(await succeed("pulumi", ["stack", "output", "--json"])) as {
    versions: { images: { slurmd: string } };
  };
  const image = versions.images.slurmd;
  const spec = {
    nodeName,
    terminationGracePeriodSeconds: 0,
    volumes: [{ name: "key", secret: { secretName: "slurm-auth" } }],
    containers: [
      {
        ...{ name: "stranger", image, command: ["sleep", "900"] },
        volumeMounts: [{ name: "key", mountPath: "/key" }],
      },
    ],
  };
  const words = ["run", name, ...inSlurm, `--image=${image}`, "--restart=Never"];
  const made = await kubectl([...words, `--overrides=${JSON.stringify({ spec })}`]);
  assert.equal(made.code, 0, made.all);
}

/** Defaults of the configuration, with short deadlines where a test waits for one. */
const settings: RotationSettings = {
  strategy: "drain",
  onDrainTimeout: "rollBack",
  drainTimeoutSeconds: 120,
  quiesceTimeoutSeconds: 120,
  restoreTimeoutSeconds: 200,
  verifyTimeoutSeconds: 60,
};

/**
 * The real engine on the real cluster, in this process: a fault can then strike between two calls, where no command
 * from outside would hit in time. The new key is random and gone afterwards, so only a rotation that ends on the old
 * key may be run this way.
 */
export async function rotateInProcess(
  spoil: (ports: RotationPorts) => RotationPorts,
): Promise<{ result: RotationResult; lines: string[] }> {
  const key = crypto.getRandomValues(new Uint8Array(64));
  const recorded = await servedKey();
  const { versions } = JSON.parse(await succeed("pulumi", ["stack", "output", "--json"])) as {
    versions: { images: { login: string } };
  };
  const place = {
    kubeconfig: readFileSync(kubeconfigFile, "utf8"),
    context: `kind-${kindName}`,
    namespace: "slurm",
    operatorNamespace: "slinky",
    release: "slurm",
    secretName: "slurm-auth",
    probeImage: versions.images.login,
  };
  const lines: string[] = [];
  const result = await rotate(
    {
      ...{ wanted: fingerprint(key), recorded, secretName: "slurm-auth", dataKey: "slurm.key" },
      ...{ generation: 1, settings, newKey: () => key },
      putBack: () => Promise.reject(new Error("the Secret is there")),
    },
    spoil(await rotationPorts(place, systemClock)),
    { clock: systemClock, log: (line) => lines.push(line) },
  );
  return { result, lines };
}
