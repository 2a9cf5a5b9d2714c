import { inController, until } from "./lab.ts";

/** Submits a batch script of one line as root's equivalent in the controller; returns the job id. */
export async function submit(wrap: string, ...options: string[]): Promise<string> {
  const words = ["sbatch", "--parsable", "--chdir=/tmp", "--output=/tmp/%j.out", "--time=10"];
  return (await inController(...words, ...options, `--wrap=${wrap}`)).trim();
}

/** State of a job in slurmctld's memory, such as RUNNING. */
export async function jobState(id: string): Promise<string> {
  const text = await inController("scontrol", "show", "job", id);
  return /JobState=(\S+)/.exec(text)?.[1] ?? "";
}

/** Waits until a job is in a state. @throws Error when it does not come to it in time */
export const jobReaches = (id: string, state: string, seconds: number): Promise<void> =>
  until(`job ${id} ${state}`, seconds, async () => (await jobState(id)) === state);

/** State of a job in the accounting; empty when it has no record. */
export async function recordedState(id: string): Promise<string> {
  const words = ["sacct", "--noheader", "--parsable2", "--allocations", `--jobs=${id}`];
  return (await inController(...words, "--format=State")).trim();
}
