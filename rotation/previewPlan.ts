import { compressHostlist } from "../cluster/hostlist.ts";
import { deriveKey, fingerprint } from "./authKey.ts";
import { isForeign } from "./drainReason.ts";
import { isHolder } from "./keyHolders.ts";
import type { KeyOutputs } from "./keyProperties.ts";
import type { Plan } from "./model.ts";
import { observe } from "./observe.ts";
import { plan } from "./plan.ts";
import type { RotationPorts } from "./ports.ts";
import type { RotatingInputs } from "./rotateKey.ts";

/**
 * What an update would do, judged by the live cluster and in words; undefined for nothing. Changes nothing, and takes
 * no Lease.
 */
export async function previewPlan(
  olds: Partial<KeyOutputs>,
  news: RotatingInputs,
  ports: RotationPorts,
  now: Date,
): Promise<string | undefined> {
  const wanted = fingerprint(deriveKey(news.root, news.keySeed));
  const { secretName, dataKey } = news;
  const recorded = olds.fingerprint;
  const seen = await observe({ wanted, recorded, secretName, dataKey }, ports);
  const made = plan(seen);
  if (made.kind !== "rotate" && made.kind !== "restart") return inWords(made);
  return `${inWords(made)}; ${await effort(ports, olds, now)}`;
}

function inWords(made: Plan): string | undefined {
  switch (made.kind) {
    case "nothing":
      return undefined;
    case "rotate":
      return `the auth key is rotated from ${made.from} to ${made.to}`;
    case "restart":
      return `Slurm is restarted under drain on the same key, because ${made.why}`;
    case "tidy":
      return `traces of a dead rotation are removed: ${made.leftovers.join(", ")}`;
    case "putBack":
      return "the Secret is gone and is put back with the same key";
    case "resume":
      return `an unfinished rotation goes on at ${made.at}`;
    case "rollBack":
      return "an unfinished rotation is rolled back";
    case "refuse":
      return `the update will be refused: ${made.reason}`;
  }
}

/** What it costs: nodes, jobs, pods, and how long slurmctld was away the last time. */
async function effort(ports: RotationPorts, olds: Partial<KeyOutputs>, now: Date): Promise<string> {
  const [nodes, jobs, pods] = await Promise.all([
    ports.slurm.nodes(),
    ports.slurm.blockingJobs(),
    ports.workloads.pods(),
  ]);
  const drained = nodes.filter((node) => !isForeign(node)).map(({ name }) => name);
  const outage = olds.report?.outageSeconds
    ? `slurmctld was away for ${olds.report.outageSeconds} s the last time`
    : "slurmctld is away for about 15 s";
  return [
    `nodes to drain: ${drained.length > 0 ? compressHostlist([...drained].sort()) : "none"}`,
    jobs === "unknown" ? "the queue could not be read" : jobsInWords(jobs, now),
    `pods to replace: ${pods.filter(isHolder).length}`,
    outage,
  ].join("; ");
}

function jobsInWords(jobs: readonly { endsAtSeconds: number | undefined }[], now: Date): string {
  if (jobs.length === 0) return "no job to wait for";
  const left = jobs.map(({ endsAtSeconds = Infinity }) => endsAtSeconds - now.getTime() / 1000);
  const longest = Math.max(...left);
  const limit = Number.isFinite(longest) ? `at most ${Math.ceil(longest)} s` : "no time limit";
  return `jobs to wait for: ${jobs.length} (${limit})`;
}
