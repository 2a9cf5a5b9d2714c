import { fingerprint } from "../authKey.ts";
import { type RotationContext, type RotationStep, stagedName } from "../context.ts";
import { requireOldKeyProved } from "../oldKeyProved.ts";
import { SecretExists, type StoredSecret } from "../ports.ts";
import {
  FINGERPRINT_ANNOTATION,
  GENERATION_ANNOTATION,
  MANAGED_BY_LABEL,
  MANAGER,
  ORIGINAL_ANNOTATION,
  ROLE_LABEL,
  STAGED_ROLE,
} from "../wireNames.ts";

/**
 * Keeps the old and the new key in Secrets of their own names: at every moment there is the live Secret or a staged
 * copy whose bytes were read back (R07). Rollback and the probe take them from there.
 */
export const stageKey: RotationStep = {
  name: "stage-key",
  reversible: true,
  async apply(context) {
    const { secrets, secretName, dataKey, journal, newKey } = context;
    if (await areStaged(context)) return;
    const live = await secrets.read(secretName);
    const oldKey = live?.data[dataKey];
    if (!live || !oldKey || fingerprint(oldKey) !== journal.from) {
      throw new Error(`Secret ${secretName} does not carry key ${journal.from} any more`);
    }
    await stage(context, live, oldKey, journal.from);
    if (journal.to !== journal.from) await stage(context, live, newKey(), journal.to);
  },
  async verify(context) {
    if (!(await areStaged(context))) throw new Error("a staged key does not read back as written");
  },
  async undo(context) {
    requireOldKeyProved(context, "the staged keys stay");
    await removeStaged(context);
  },
};

/** Removes the staged keys of any rotation, and what tried them. */
export async function removeStaged({
  secrets,
  probe,
}: Pick<RotationContext, "secrets" | "probe">): Promise<void> {
  for (const name of await secrets.staged()) {
    await probe.end(name);
    const staged = await secrets.read(name);
    if (staged) await secrets.remove(name, staged.uid);
  }
}

/** Reads a staged key and makes sure that it is the one its name says. */
export async function readStaged(context: RotationContext, print: string): Promise<StoredSecret> {
  const name = stagedName(context, print);
  const staged = await context.secrets.read(name);
  const key = staged?.data[context.dataKey];
  if (!staged || !key) throw new Error(`the staged key ${name} is missing`);
  if (fingerprint(key) !== print) throw new Error(`Secret ${name} does not hold key ${print}`);
  return staged;
}

async function areStaged(context: RotationContext): Promise<boolean> {
  try {
    await readStaged(context, context.journal.from);
    await readStaged(context, context.journal.to);
    return true;
  } catch (error) {
    if (/missing$/.test((error as Error).message)) return false;
    throw error;
  }
}

async function stage(
  context: RotationContext,
  live: StoredSecret,
  key: Uint8Array,
  print: string,
): Promise<void> {
  const { type, labels, annotations, ownerReferences } = live;
  const generation = print === context.journal.to ? context.journal.generation : undefined;
  const marks = {
    [FINGERPRINT_ANNOTATION]: print,
    ...(generation !== undefined && { [GENERATION_ANNOTATION]: String(generation) }),
  };
  const original = { type, labels, annotations: { ...annotations, ...marks }, ownerReferences };
  try {
    await context.secrets.create({
      name: stagedName(context, print),
      type: "Opaque",
      data: { ...live.data, [context.dataKey]: key },
      labels: { [MANAGED_BY_LABEL]: MANAGER, [ROLE_LABEL]: STAGED_ROLE },
      annotations: {
        [FINGERPRINT_ANNOTATION]: print,
        [ORIGINAL_ANNOTATION]: JSON.stringify(original),
      },
      ownerReferences: [],
    });
  } catch (error) {
    // Staged before a crash, or by a call whose answer was lost: `verify` reads it back.
    if (!(error instanceof SecretExists)) throw error;
  }
}
