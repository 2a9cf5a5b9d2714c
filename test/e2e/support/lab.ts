import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutSalt } from "../../../cli/stackSalt.ts";
import { cacheFolder, projectFolder } from "../../../lab/paths.ts";
import { prepareLab } from "../../../lab/launch.ts";
import { createProgress } from "../../../progress.ts";

/** The stack and KinD cluster of the e2e suite; nothing else uses these names. */
export const stackName = "e2e";
export const kindName = "slinky-e2e";

/** Everything any command of the suite printed; searched for key bytes at the end. */
export const transcript = join(cacheFolder(), "logs", "e2e-transcript.log");

export interface Ended {
  code: number | null;
  stdout: string;
  /** stdout and stderr as they came. */
  all: string;
  seconds: number;
}

let environment: NodeJS.ProcessEnv | undefined;

/** Prepares the lab (a lab that cannot start fails the suite) and the suite's stack file. */
export async function openLab(): Promise<NodeJS.ProcessEnv> {
  if (environment) return environment;
  mkdirSync(join(cacheFolder(), "logs"), { recursive: true });
  writeFileSync(transcript, "");
  const env = await prepareLab(createProgress(), ["kubectl", "helm"]);
  environment = { ...env, SLINKY_STACK: stackName };
  const lab = readFileSync(join(projectFolder, "Pulumi.lab.yaml"), "utf8");
  const named = withoutSalt(lab).replace(/kindName: .*/, `kindName: ${kindName}`);
  writeFileSync(join(projectFolder, `Pulumi.${stackName}.yaml`), named);
  return environment;
}

interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  timeoutSeconds?: number;
  /** Text for standard input. */
  input?: string;
}

export interface Running {
  child: ChildProcess;
  /** What was printed so far. */
  output(): string;
  ended: Promise<Ended>;
  /** Kills the whole process group at once, as a power cut would. */
  kill(): void;
}

/** Starts a command in the project folder, in a process group of its own. */
export async function start(
  command: string,
  args: string[],
  more: CommandOptions = {},
): Promise<Running> {
  const env = { ...(await openLab()), ...more.env };
  const begun = performance.now();
  const child = spawn(command, args, { cwd: projectFolder, env, detached: true });
  if (more.input !== undefined) child.stdin.end(more.input);
  let all = "";
  let stdout = "";
  const take = (chunk: Buffer): void => {
    all += chunk.toString();
    appendFileSync(transcript, chunk);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    take(chunk);
  });
  child.stderr.on("data", take);
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // already gone
    }
  };
  const timer = setTimeout(kill, (more.timeoutSeconds ?? 600) * 1000);
  process.once("exit", kill);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      process.off("exit", kill);
      resolve({ code, stdout, all, seconds: (performance.now() - begun) / 1000 });
    });
  });
  return { child, output: () => all, ended, kill };
}

/** Runs a command to its end. */
export async function execute(
  command: string,
  args: string[],
  more: CommandOptions = {},
): Promise<Ended> {
  return (await start(command, args, more)).ended;
}

/** Runs a command that must succeed and returns its stdout. */
export async function succeed(
  command: string,
  args: string[],
  timeoutSeconds = 300,
): Promise<string> {
  const { code, stdout, all } = await execute(command, args, { timeoutSeconds });
  if (code !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${all.slice(-3000)}`);
  return stdout;
}

/** Runs one of the project's npm commands, such as `npm run up`. */
export const npmRun = (script: string, args: string[] = [], timeoutSeconds = 900): Promise<Ended> =>
  execute("npm", ["run", "--silent", script, "--", ...args], { timeoutSeconds });

export const pulumi = (args: string[], timeoutSeconds = 900): Promise<Ended> =>
  execute("pulumi", [...args, "--stack", stackName, "--non-interactive", "--color", "never"], {
    timeoutSeconds,
  });

export const kubeconfigFile = join(projectFolder, ".slinky", "kind", kindName, "kubeconfig");

/** kubectl against the suite's cluster. */
export const kubectl = (args: string[], more: CommandOptions = {}): Promise<Ended> =>
  execute("kubectl", ["--kubeconfig", kubeconfigFile, "--request-timeout", "30s", ...args], {
    timeoutSeconds: 120,
    ...more,
  });

/** kubectl that must succeed, with JSON output parsed. */
export async function kubectlJson<T>(args: string[]): Promise<T> {
  const { code, stdout, all } = await kubectl([...args, "--output", "json"]);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${code}: ${all}`);
  return JSON.parse(stdout) as T;
}

/** A Slurm command in the controller's pod. */
export const inController = (...command: string[]): Promise<string> =>
  succeed(
    "kubectl",
    [
      ...["--kubeconfig", kubeconfigFile, "--namespace", "slurm", "exec", "slurm-controller-0"],
      ...["--container", "slurmctld", "--", ...command],
    ],
    60,
  );

/** Polls until `condition` is true. @throws Error naming `what` at the deadline. */
export async function until(
  what: string,
  seconds: number,
  condition: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
