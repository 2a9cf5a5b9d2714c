import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { V1Pod } from "@kubernetes/client-node";

import { toPodView, whyRefused } from "../../cli/kube.ts";
import { DAEMON_CONTAINERS } from "../../cluster/slurmPodContract.ts";
import { componentOf, isOfNodeSet, nodeNameOf } from "../../cli/slurmPods.ts";

const recorded = JSON.parse(
  await readFile(join(import.meta.dirname, "../recorded/Pod.json"), "utf8"),
) as V1Pod[];

describe("the pods that the operator makes", () => {
  const views = recorded.map(toPodView);

  it("one of each kind => every daemon's container is in its pod", () => {
    assert.deepEqual([...new Set(views.map(componentOf))].sort(), [
      "accounting",
      "controller",
      "login",
      "restapi",
      "worker",
    ]);
    for (const view of views) {
      assert.ok(view.images[DAEMON_CONTAINERS[componentOf(view)] ?? ""], view.name);
    }
  });

  it("workers => their Slurm node names and their NodeSet", () => {
    const workers = views.filter((view) => isOfNodeSet(view, "slurm", "compute"));
    assert.deepEqual(workers.map(nodeNameOf), ["compute-0", "compute-1"]);
  });
});

describe("toPodView", () => {
  const running = (ready: boolean, restartCount: number) =>
    ({ ready, restartCount, name: "c", image: "i", imageID: "" }) as const;
  const spec = { containers: [{ name: "a" }, { name: "b" }] };

  it("one of two containers ready => not ready, restarts summed", () => {
    const status = { phase: "Running", containerStatuses: [running(true, 2), running(false, 1)] };
    const view = toPodView({ metadata: { name: "p" }, spec, status });
    assert.deepEqual([view.ready, view.readyCount, view.restarts], [false, "1/2", 3]);
  });

  it("a pod that is going away => not ready, whatever its containers say", () => {
    const status = { phase: "Running", containerStatuses: [running(true, 0), running(true, 0)] };
    const metadata = { name: "p", deletionTimestamp: new Date(0) };
    const view = toPodView({ metadata, spec, status });
    assert.deepEqual([view.ready, view.phase], [false, "Terminating"]);
  });
});

describe("whyRefused", () => {
  it("a refused request => its HTTP code, not the body that repeats what was sent", () => {
    const error = Object.assign(new Error('HTTP-Code: 403 Body: {"data":"secret"}'), { code: 403 });
    assert.equal(whyRefused(error), "HTTP 403");
  });

  it("a lost connection => its cause", () => {
    const cause = new Error("connect ECONNREFUSED 127.0.0.1:6443");
    const error = new Error("fetch failed", { cause });
    assert.equal(whyRefused(error), "fetch failed (connect ECONNREFUSED 127.0.0.1:6443)");
  });
});
