import type { Clock } from "../cluster/clock.ts";
import type { Journal } from "./model.ts";
import type { RotationPorts } from "./ports.ts";
import type { Controls, Step } from "./step.ts";
import type { StepName } from "./model.ts";

/** What the configuration lets people choose about a rotation. */
export interface RotationSettings {
  readonly strategy: "drain";
  /** Seconds that running jobs get to end. */
  readonly drainTimeoutSeconds: number;
  /** What happens to jobs that run longer: nothing is swapped, or they are requeued. */
  readonly onDrainTimeout: "rollBack" | "requeue";
  /** Seconds until no pod uses the key any more. */
  readonly quiesceTimeoutSeconds: number;
  /** Seconds until everything runs again. */
  readonly restoreTimeoutSeconds: number;
  /** Seconds for each part of the verification. */
  readonly verifyTimeoutSeconds: number;
}

/** What every step works with. It holds no key bytes except behind `newKey`. */
export interface RotationContext extends RotationPorts {
  readonly settings: RotationSettings;
  /** Name of the live Secret. */
  readonly secretName: string;
  /** Its entry that is the key. */
  readonly dataKey: string;
  /** The key to come. Only stage-key asks for it. */
  readonly newKey: () => Uint8Array;
  readonly clock: Clock;
  /** The journal as last written. */
  readonly journal: Journal;
  /** Changes the journal and writes it before it returns. */
  record(change: Partial<Journal>): Promise<void>;
}

/** A step of a rotation. */
export type RotationStep = Step<RotationContext, StepName>;

export type { Controls };

/** Name of a Secret that holds a key apart from the live one. */
export const stagedName = ({ secretName }: Pick<RotationContext, "secretName">, print: string) =>
  `${secretName}-${print}`;
