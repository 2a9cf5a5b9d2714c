import type { Journal } from "../rotation/model.ts";
import type { Progress } from "../progress.ts";
import { outputsOf } from "./chosenStack.ts";
import { describeError } from "./commandLine.ts";
import { connectKube } from "./kube.ts";
import { describeJournal, describeReport, readJournal } from "./rotationJournal.ts";
import type { StackOutputs } from "./stackOutputs.ts";
import { dropSalt } from "./stackSalt.ts";
import { runEngine } from "./workspace.ts";
import type { OpenStack } from "./workspace.ts";

/**
 * Asks for the key of a seed and runs `pulumi up`. When that fails and no rotation is left unfinished, the wish is
 * taken back: the next `up` shall not try again what nobody asks for any more.
 * @returns the exit code
 */
export async function rotateTo(open: OpenStack, seed: string, progress: Progress): Promise<number> {
  const before = open.settings.keySeed;
  if (seed !== before) {
    progress.note(`keySeed: ${before} -> ${seed}`);
    await setSeed(open, seed);
  }
  try {
    const result = await runEngine(open, "up", progress);
    console.log(result.summary);
  } catch (error) {
    console.error(`error: ${describeError(error)}`);
    const journal = await lastJournal(await outputsOf(open)).catch(() => "unknown" as const);
    const isOver =
      journal !== "unknown" && (journal === undefined || journal.outcome !== undefined);
    if (!isOver) {
      progress.note(
        "a rotation is unfinished, so keySeed stays: npm run up goes on with it, npm run rollback goes back",
      );
    } else if (seed !== before) {
      await setSeed(open, before);
      progress.note(`keySeed is ${before} again; the cluster is on that key`);
    }
    return 1;
  }
  const outputs = await outputsOf(open);
  const journal = await lastJournal(outputs);
  console.log(`the cluster uses key ${outputs.keyFingerprint}`);
  if (journal) {
    console.log(describeJournal(journal));
    console.log(describeReport(journal.report));
  }
  return 0;
}

async function lastJournal(outputs: StackOutputs): Promise<Journal | undefined> {
  const kube = await connectKube(outputs.kubeconfig, outputs.context);
  return readJournal(kube, outputs.slurmNamespace);
}

async function setSeed({ name, settings, stack }: OpenStack, seed: string): Promise<void> {
  await stack.setConfig("keySeed", { value: seed });
  await dropSalt({ name, settings });
}
