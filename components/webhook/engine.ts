import { systemClock } from "../../cluster/clock.ts";
import { controllerProbe } from "./probeController.ts";
import { waitForWebhook, type WebhookAdmission } from "./waitForWebhook.ts";

/** Resolved inputs of the gate. */
export interface WebhookInputs {
  /** kubeconfig text; secret. */
  readonly kubeconfig: string;
  readonly context: string;
  readonly namespace: string;
  readonly operatorRevision: number;
  readonly timeoutSeconds: number;
}

/** Outputs of the gate: what was proved, and for which operator. */
export interface WebhookOutputs extends WebhookAdmission {
  readonly namespace: string;
  readonly operatorRevision: number;
}

/** Waits until the webhook admits a Controller. Called for create and update. */
export async function admit(inputs: WebhookInputs): Promise<WebhookOutputs> {
  const { kubeconfig, context, namespace, operatorRevision, timeoutSeconds } = inputs;
  const probe = await controllerProbe(kubeconfig, context, namespace);
  const admission = await waitForWebhook(probe, timeoutSeconds, systemClock);
  return { ...admission, namespace, operatorRevision };
}

/** Pure: the webhook has to prove itself again for another operator or namespace, not for new access to the cluster. */
export function diff(
  olds: Partial<WebhookOutputs> & { __provider?: string },
  news: WebhookInputs & { __provider?: string },
): { changes: boolean } {
  return {
    changes:
      olds.__provider !== news.__provider ||
      olds.namespace !== news.namespace ||
      olds.operatorRevision !== news.operatorRevision,
  };
}
