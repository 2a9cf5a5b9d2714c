import { strict as assert } from "node:assert";

import { describeJournal, describeReport, readJournal } from "../../cli/rotationJournal.ts";
import { newJournal } from "../../rotation/journalKeeper.ts";

const begun = newJournal({ from: "a".repeat(12), to: "b".repeat(12), generation: 2 }, new Date(0));
const kube = (text: string | undefined) => ({ configMapEntry: () => Promise.resolve(text) });
type Kube = Parameters<typeof readJournal>[0];

describe("readJournal", () => {
  it("no ConfigMap => undefined", async () => {
    assert.equal(await readJournal(kube(undefined) as unknown as Kube, "slurm"), undefined);
  });

  it("a journal => read; another version's => an error that names the place", async () => {
    const text = JSON.stringify(begun);
    assert.deepEqual(await readJournal(kube(text) as unknown as Kube, "slurm"), begun);
    const other = JSON.stringify({ ...begun, schemaVersion: 9 });
    await assert.rejects(
      readJournal(kube(other) as unknown as Kube, "slurm"),
      /ConfigMap slurm\/slinky-stack-rotation/,
    );
  });
});

describe("describeJournal", () => {
  it("unfinished, back => says so", () => {
    const text = describeJournal({ ...begun, direction: "back", step: "swap" });
    assert.match(
      text,
      /from key a{12} to key b{12}, generation 2, begun 1970-.*UNFINISHED, going back at swap/,
    );
  });

  it("completed; a restart on one key => said in words", () => {
    assert.match(describeJournal({ ...begun, outcome: "completed" }), /: completed$/);
    assert.match(describeJournal({ ...begun, to: begun.from }), /^restart on key a{12}/);
  });
});

describe("describeReport", () => {
  it("figures => total, steps, outage; none => empty", () => {
    const stepSeconds = { drain: 4.26, swap: 0.3 };
    const text = describeReport({ stepSeconds, outageSeconds: 14, nodesDrained: 4 });
    assert.equal(
      text,
      "4.6 s (drain 4.3, swap 0.3); slurmctld away 14 s; nodes drained 4; jobs requeued 0",
    );
    assert.equal(describeReport({}), "");
  });
});
