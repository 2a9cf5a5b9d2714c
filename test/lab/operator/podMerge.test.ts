import { strict as assert } from "node:assert";
import { toContainer } from "../../../lab/operator/builders/container.ts";
import { toControllerStatefulSet } from "../../../lab/operator/builders/controller.ts";
import { strategicMerge } from "../../../lab/operator/builders/strategicMerge.ts";
import type { Controller } from "../../../lab/operator/crds.ts";
import { recordedObject } from "./recordedObject.ts";

describe("merging of the user's pod fields", () => {
  it("env and volumeMounts => merged by name and by mountPath", () => {
    const base = {
      name: "slurmd",
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
      ],
      volumeMounts: [{ name: "etc", mountPath: "/etc/slurm", readOnly: true }],
    };
    const merged = toContainer(base, {
      env: [
        { name: "B", value: "3" },
        { name: "C", value: "4" },
      ],
      volumeMounts: [{ name: "own", mountPath: "/etc/slurm" }],
    });
    assert.deepEqual(
      merged.env?.map(({ name, value }) => `${name}=${String(value)}`),
      ["A=1", "B=3", "C=4"],
    );
    assert.deepEqual(merged.volumeMounts, [
      { name: "own", mountPath: "/etc/slurm", readOnly: true },
    ]);
  });

  it("args => concatenated; command => replaced; empty values => without effect", () => {
    const base = {
      name: "c",
      args: ["-Z"],
      command: ["sh"],
      securityContext: { privileged: true },
    };
    const merged = toContainer(base, {
      args: ["-v"],
      command: ["bash"],
      securityContext: { privileged: false },
    });
    assert.deepEqual(merged, {
      name: "c",
      args: ["-Z", "-v"],
      command: ["bash"],
      securityContext: { privileged: true },
    });
  });

  it("probe handler of the user => replaces the base's handler, keeps the thresholds", () => {
    const base = {
      name: "c",
      livenessProbe: { httpGet: { port: 1, path: "/x" }, failureThreshold: 6 },
    };
    const merged = toContainer(base, { livenessProbe: { exec: { command: ["true"] } } });
    assert.deepEqual(merged.livenessProbe, { exec: { command: ["true"] }, failureThreshold: 6 });
  });

  it("projected sources => replaced, defaultMode kept; secret beside projected => both stay", () => {
    const base = {
      volumes: [{ name: "slurm-etc", projected: { defaultMode: 384, sources: [{ a: 1 }] } }],
    };
    const sources = { volumes: [{ name: "slurm-etc", projected: { sources: [{ b: 2 }] } }] };
    assert.deepEqual(strategicMerge(base, sources).volumes, [
      { name: "slurm-etc", projected: { defaultMode: 384, sources: [{ b: 2 }] } },
    ]);
    const secret = { volumes: [{ name: "slurm-etc", secret: { secretName: "s" } }] };
    assert.deepEqual(Object.keys(strategicMerge(base, secret).volumes[0] ?? {}), [
      "name",
      "projected",
      "secret",
    ]);
  });

  it("user containers and a foreign volume => appended to the operator's", () => {
    const controller = structuredClone(recordedObject<Controller>("Controller", "slurm"));
    Object.assign(controller.spec.template?.spec ?? {}, {
      containers: [{ name: "extra" }],
      initContainers: [{ name: "first" }],
      volumes: [{ name: "slurm-ring", emptyDir: {} }],
    });
    const built = toControllerStatefulSet(controller, { slurmKey: "", jwtKey: "", config: "" });
    const spec = built.spec.template.spec;
    assert.deepEqual(
      spec?.containers.map(({ name }) => name),
      ["slurmctld", "extra"],
    );
    assert.deepEqual(
      spec.initContainers?.map(({ name }) => name),
      ["logfile", "first"],
    );
    assert.deepEqual(
      spec.volumes?.map(({ name }) => name),
      ["slurm-ring", "slurm-etc", "slurm-logfile", "run", "slurm-authsocket"],
    );
  });
});
