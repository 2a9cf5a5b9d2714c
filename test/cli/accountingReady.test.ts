import { strict as assert } from "node:assert";
import { waitForRegistration } from "../../cli/accountingReady.ts";
import { ManualClock } from "../fakes/manualClock.ts";

const wait = (answers: (boolean | Error)[]) => {
  let looks = 0;
  return waitForRegistration({
    cluster: "slurm_slurm",
    deadlineSeconds: 10,
    clock: new ManualClock(),
    isRegistered: () => {
      const answer = answers[Math.min(looks++, answers.length - 1)] ?? false;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
};

describe("waitForRegistration", () => {
  it("slurmdbd silent, then without the cluster, then with it => done", () =>
    wait([new Error("refused"), false, true]));

  it("never registered => an error that says how slurmctld registers anew", () =>
    assert.rejects(wait([false]), /slurm_slurm is not registered .* after 10 s: .*delete pod/));

  it("slurmdbd silent to the end => its own words", () =>
    assert.rejects(wait([new Error("Connection refused")]), /after 10 s: Connection refused/));
});
