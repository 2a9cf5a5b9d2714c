import type { RotationStep } from "../context.ts";
import { removeStaged } from "./stageKey.ts";

/** Seconds until the staged keys are gone. */
const retireSeconds = 60;

/** The old key leaves the cluster; nobody uses it any more (verify). */
export const retireOldKey: RotationStep = {
  name: "retire-old-key",
  reversible: false,
  async apply(context, controls) {
    await controls.waitUntil("the staged keys to be gone", retireSeconds, async () => {
      await removeStaged(context);
      return (await context.secrets.staged()).length === 0;
    });
  },
};
