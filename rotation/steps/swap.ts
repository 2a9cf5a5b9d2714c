import { fingerprint } from "../authKey.ts";
import type { Controls, RotationContext, RotationStep } from "../context.ts";
import { holders } from "../keyHolders.ts";
import { SecretExists, type StoredSecret } from "../ports.ts";
import { ORIGINAL_ANNOTATION, UNLOCK_ANNOTATION } from "../wireNames.ts";
import { quiesceCluster } from "./quiesce.ts";
import { readStaged } from "./stageKey.ts";

/** Seconds until a deleted Secret is gone. */
const deleteSeconds = 60;

/** Replaces the Secret under its name, while nobody references it. */
export const swap: RotationStep = {
  name: "swap",
  reversible: true,
  async apply(context, controls) {
    await putKey(context, controls, context.journal.to);
  },
  async undo(context, controls) {
    await putKey(context, controls, context.journal.from);
  },
};

/** Makes the live Secret carry a staged key; does nothing where it does. */
async function putKey(context: RotationContext, controls: Controls, print: string): Promise<void> {
  const { secrets, secretName, journal } = context;
  const live = await secrets.read(secretName);
  const carried = printOf(context, live);
  if (live?.immutable && carried === print) {
    // Killed between opening the guard and deleting.
    if (live.annotations[UNLOCK_ANNOTATION] !== undefined) await secrets.lock(secretName);
    return;
  }
  if (live && carried !== journal.from && carried !== journal.to) {
    throw new Error(`Secret ${secretName} carries key ${carried}, which somebody else put there`);
  }
  const staged = await readStaged(context, print);
  if ((await holders(context)).length > 0) await quiesceCluster(context, controls);
  if (live) {
    await secrets.remove(secretName, live.uid);
    await controls.waitUntil(`Secret ${secretName} to be gone`, deleteSeconds, async () => {
      const now = await secrets.read(secretName);
      return now?.uid !== live.uid;
    });
  }
  const original = JSON.parse(staged.annotations[ORIGINAL_ANNOTATION] ?? "{}") as Original;
  try {
    await secrets.create({ ...original, name: secretName, data: staged.data });
  } catch (error) {
    // Created by a call whose answer was lost, or by somebody else: what is there is judged below.
    if (!(error instanceof SecretExists)) throw error;
  }
  const now = await secrets.read(secretName);
  if (now?.immutable && printOf(context, now) === print) return;
  throw new Error(`Secret ${secretName} does not read back with key ${print}`);
}

type Original = Pick<StoredSecret, "type" | "labels" | "annotations" | "ownerReferences">;

function printOf({ dataKey }: RotationContext, secret: StoredSecret | undefined): string {
  const key = secret?.data[dataKey];
  return key ? fingerprint(key) : "none";
}
