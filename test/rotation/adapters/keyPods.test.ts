import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import type { V1Pod } from "@kubernetes/client-node";
import { toKeyPod } from "../../../rotation/adapters/keyPods.ts";
import { probePod } from "../../../rotation/adapters/probe.ts";

const file = new URL("../../recorded/Pod.json", import.meta.url);
const recorded = JSON.parse(readFileSync(file, "utf8")) as V1Pod[];

describe("toKeyPod", () => {
  it("R02: the pods of the real operator => their classes, sets and nodes; all hold the key", () => {
    const pods = recorded.map((pod) => toKeyPod(pod, "slurm-auth"));
    assert.deepEqual(
      pods.map((pod) => pod && [pod.component, pod.set, pod.slurmNode, pod.usesKey].join(" ")),
      [
        "accounting   true",
        "controller   true",
        "login slurm-login-login  true",
        "restapi   true",
        "worker slurm-worker-compute compute-0 true",
        "worker slurm-worker-compute compute-1 true",
      ],
    );
  });

  it("a pod of something else => only when it uses the key, and then unknown", () => {
    const plain: V1Pod = { metadata: { name: "other" }, spec: { containers: [] } };
    assert.equal(toKeyPod(plain, "slurm-auth"), undefined);
    const volumes = [{ name: "k", secret: { secretName: "slurm-auth" } }];
    const user = { ...plain, spec: { containers: [], volumes } };
    assert.equal(toKeyPod(user, "slurm-auth")?.component, "unknown");
  });

  it("R25: a container with a ring => said so", () => {
    const [first] = recorded.filter(
      ({ metadata }) => metadata?.name === "slurm-restapi-5c959b97d5-ph6j5",
    );
    assert.equal(toKeyPod(first ?? {}, "slurm-auth")?.usesRing, false);
    const env = [{ name: "SLURM_SACK_JWKS", value: "/r" }];
    const ringed = { ...first, spec: { containers: [{ name: "slurmd", env }] } };
    assert.equal(toKeyPod(ringed, "slurm-auth")?.usesRing, true);
  });

  it("a container that cannot start => the reason is told", () => {
    const containerStatuses = [
      { name: "slurmctld", ready: false, restartCount: 3, image: "", imageID: "" },
    ].map((each) => ({ ...each, state: { waiting: { reason: "CrashLoopBackOff" } } }));
    const broken = { ...recorded[1], status: { containerStatuses } };
    assert.equal(toKeyPod(broken, "slurm-auth")?.problem, "slurmctld: CrashLoopBackOff");
  });
});

describe("probePod", () => {
  it("a staged key => mounted under its own name, never through the live Secret or an argument", () => {
    const place = { namespace: "slurm", release: "slurm", probeImage: "lab/login:1" };
    const pod = probePod("probe", "slurm-auth-0123456789ab", place, []);
    assert.equal(pod.spec?.volumes?.[0]?.secret?.secretName, "slurm-auth-0123456789ab");
    assert.equal(pod.spec.securityContext?.runAsUser, 401);
    assert.equal(toKeyPod(pod, "slurm-auth"), undefined);
  });
});
