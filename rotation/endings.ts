import { fingerprint } from "./authKey.ts";
import { mayResume } from "./drainReason.ts";
import { Refusal } from "./errors.ts";
import type { Journal, StepName } from "./model.ts";
import type { Wanted } from "./observe.ts";
import type { RotationPorts } from "./ports.ts";
import type { RunResult } from "./runner.ts";
import { RESERVATION } from "./wireNames.ts";

type Failed = Exclude<RunResult<StepName>, { kind: "completed" }>;

/** Says how a rotation that did not complete ended: cause, what was undone, which key serves, and what is to do. */
export async function describeEnd(
  result: Failed,
  journal: Journal,
  { secretName, dataKey }: Wanted,
  ports: RotationPorts,
): Promise<{ where: string; message: string }> {
  const { step, part, error } = result.failure;
  const where = `"${step}" (${part})`;
  const cause = ended(error.message);
  if (error instanceof Refusal && result.undoFailures.length === 0) {
    return {
      where,
      message: `${cause} Nothing was changed; the cluster uses key ${journal.from}.`,
    };
  }
  if (result.kind === "undone" && result.undoFailures.length === 0) {
    return {
      where,
      message: `${cause} Rolled back; the cluster uses key ${journal.from}, proved by a job. Nothing for you to do \
about the cluster; to end the wish for key ${journal.to}, put the previous keySeed back.`,
    };
  }
  const undone = result.undoFailures
    .map((each) => `could not undo "${each.step}": ${ended(each.error.message)}`)
    .join(" ");
  const state = await describeState(journal, { secretName, dataKey }, ports);
  return { where, message: [cause, undone, state].filter(Boolean).join(" ") };
}

const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** What stands, and the commands for it; parts that cannot be seen are said to be unseen. */
async function describeState(
  journal: Journal,
  { secretName, dataKey }: Pick<Wanted, "secretName" | "dataKey">,
  ports: RotationPorts,
): Promise<string> {
  const commands: string[] = [];
  const facts = await Promise.all([
    orUnseen("the Secret", async () => {
      const secret = await ports.secrets.read(secretName);
      const key = secret?.data[dataKey];
      return key ? `The Secret carries key ${fingerprint(key)}.` : "The Secret is absent.";
    }),
    orUnseen("the workloads", () => sizesOf(journal, ports, commands)),
    orUnseen("Slurm", () => slurmState(journal, ports, commands)),
  ]);
  const { from, to, direction } = journal;
  const way =
    direction === "back" ? `finishes the rollback to key ${from}` : `goes on to key ${to}`;
  const byHand =
    commands.length > 0 ? ` What it will do, by hand:\n  ${commands.join("\n  ")}` : "";
  return `${facts.join(" ")} To do: remove the cause, then run pulumi up: it ${way}.${byHand}`;
}

async function orUnseen(what: string, look: () => Promise<string>): Promise<string> {
  try {
    return await look();
  } catch {
    return `${what} cannot be seen now.`;
  }
}

async function sizesOf(
  { sizes }: Journal,
  { workloads }: RotationPorts,
  commands: string[],
): Promise<string> {
  const now = new Map((await workloads.workloads()).map(({ id, replicas }) => [id, replicas]));
  const small = sizes.filter(({ workload, replicas }) => (now.get(workload) ?? 0) < replicas);
  for (const { workload, replicas } of small) {
    const [namespace, kind, name] = workload.split("/");
    commands.push(`kubectl -n ${namespace} scale ${kind}/${name} --replicas=${replicas}`);
  }
  if (small.length === 0) return "No workload is scaled down.";
  return `Scaled down: ${small.map(({ workload }) => workload).join(", ")}.`;
}

async function slurmState(
  { drained }: Journal,
  { slurm, hold, workloads }: RotationPorts,
  commands: string[],
): Promise<string> {
  const controller = (await workloads.pods()).find((pod) => pod.component === "controller");
  if (!controller) return "slurmctld does not run.";
  const exec = `kubectl -n ${controller.namespace} exec ${controller.name} -c slurmctld -- scontrol`;
  const names = new Set(drained);
  const out = (await slurm.nodes())
    .filter((node) => names.has(node.name) && node.state.facts.has("DRAIN") && mayResume(node, ""))
    .map(({ name }) => name);
  if (out.length > 0) commands.push(`${exec} update nodename=${out.join(",")} state=resume`);
  const held = await hold.isSet();
  if (held) commands.push(`${exec} delete ReservationName=${RESERVATION}`);
  const nodes = out.length > 0 ? `Drained by us: ${out.join(", ")}.` : "No node is drained by us.";
  return `${nodes} The queue is ${held ? "held" : "not held"}.`;
}
