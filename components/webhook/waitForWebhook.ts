import type { Clock } from "../../cluster/clock.ts";
import { type AdmissionAnswer, classifyAdmission } from "./classifyAdmission.ts";

/** Outcome of a wait that ended well. */
export interface WebhookAdmission {
  /** Requests made until the first was admitted. */
  readonly attempts: number;
  readonly seconds: number;
}

/** Milliseconds between two probes. */
const pauseMilliseconds = 2000;

/**
 * Asks until a custom resource is admitted.
 * @param probe makes one dry-run create; answers, and never throws for an answer
 * @throws at once when no waiting helps, or at the deadline with the last cause
 */
export async function waitForWebhook(
  probe: () => Promise<AdmissionAnswer>,
  timeoutSeconds: number,
  clock: Clock,
): Promise<WebhookAdmission> {
  const start = clock.now();
  for (let attempts = 1; ; attempts++) {
    const verdict = classifyAdmission(await probe());
    const seconds = Math.round((clock.now() - start) / 1000);
    if (verdict.kind === "admitted") return { attempts, seconds };
    if (verdict.kind === "hopeless") {
      throw new Error(`the operator's webhook cannot work: ${verdict.cause}. ${verdict.hint}.`);
    }
    if (seconds + pauseMilliseconds / 1000 > timeoutSeconds) {
      throw new Error(
        `the operator's webhook did not answer within ${timeoutSeconds} s (${attempts} attempts): ${verdict.cause}. ` +
          "Look at deployment slurm-operator-webhook in namespace slinky, or raise webhookTimeoutSeconds.",
      );
    }
    await clock.sleep(pauseMilliseconds);
  }
}
