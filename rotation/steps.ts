import type { RotationStep } from "./context.ts";
import { checkPreconditions } from "./steps/checkPreconditions.ts";
import { drain } from "./steps/drain.ts";
import { quiesce } from "./steps/quiesce.ts";
import { restore } from "./steps/restore.ts";
import { resume } from "./steps/resume.ts";
import { retireOldKey } from "./steps/retireOldKey.ts";
import { stageKey } from "./steps/stageKey.ts";
import { swap } from "./steps/swap.ts";
import { verify } from "./steps/verify.ts";

/** The drained swap, in order. */
export const drainSteps: readonly RotationStep[] = [
  checkPreconditions, // refuse what cannot end well
  stageKey, // both keys in Secrets of their own
  drain, // hold the queue, wait for running jobs
  quiesce, // every pod that references the Secret goes
  swap, // same name, new key
  restore, // the operator brings everything back
  verify, // files, daemons, clients, both keys from outside, a job in each NodeSet
  resume, // the queue runs: no way back from here
  retireOldKey, // the staged copies go
];
