import type { Controls, RotationContext } from "../context.ts";
import { stagedName } from "../context.ts";
import { forEach } from "../keyHolders.ts";
import { WaitingIsUseless } from "../waiting.ts";

/**
 * From outside: slurmctld takes the key that serves, and refuses the other one for its authentication, tried by the
 * same client. Before the swap it proves the probe: one that cannot tell the keys apart now could not do so later.
 */
export async function tryBothKeys(
  context: RotationContext,
  controls: Controls,
  serving: string,
): Promise<void> {
  const { journal, probe, settings } = context;
  const { from, to } = journal;
  if (from === to) return;
  const tries = [
    [serving, "accepted"],
    [serving === from ? to : from, "refused"],
  ] as const;
  const seconds = settings.verifyTimeoutSeconds;
  await controls.waitUntil("the probe to try both keys", seconds, async () => {
    await forEach(tries, async ([key, wanted]) => {
      const answer = await probe.tryKey(stagedName(context, key), controls.signal);
      if (answer !== wanted) throw new WaitingIsUseless(`slurmctld ${answer} key ${key}`);
    });
    return true;
  });
}
