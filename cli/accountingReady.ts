import type { Clock } from "../cluster/clock.ts";

/** Milliseconds between two looks. */
const INTERVAL = 2_000;

/** What the wait needs. */
export interface RegistrationWait {
  readonly cluster: string;
  readonly deadlineSeconds: number;
  readonly clock: Clock;
  /** Whether slurmdbd knows the cluster; may fail while slurmdbd comes up. */
  isRegistered(): Promise<boolean>;
}

/**
 * Waits until slurmctld has registered its cluster with slurmdbd: before that, jobs leave no record.
 * @throws Error at the deadline, with what to do
 */
export async function waitForRegistration(wait: RegistrationWait): Promise<void> {
  const deadline = wait.clock.now() + wait.deadlineSeconds * 1000;
  for (;;) {
    let why = "slurmdbd answers, but does not know it";
    try {
      if (await wait.isRegistered()) return;
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    if (wait.clock.now() + INTERVAL > deadline) {
      throw new Error(
        `the cluster ${wait.cluster} is not registered for accounting after ${wait.deadlineSeconds} s: ${why}. ` +
          "See: npm run status; slurmctld registers anew after: kubectl -n slurm delete pod slurm-controller-0",
      );
    }
    await wait.clock.sleep(INTERVAL);
  }
}
