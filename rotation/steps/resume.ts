import type { RotationStep } from "../context.ts";

/** Seconds until the reservation is gone. */
const releaseSeconds = 60;

/** Lets the queue run again. User jobs start on the new key here, so there is no way back from here on. */
export const resume: RotationStep = {
  name: "resume",
  reversible: false,
  async apply({ hold }, controls) {
    await controls.waitUntil("the reservation to be gone", releaseSeconds, async () => {
      await hold.release();
      return !(await hold.isSet());
    });
  },
};
