import { strict as assert } from "node:assert";
import { toKindConfig } from "../../../components/kind/kindConfig.ts";
import { kindSettings } from "../../support/kindEdges.ts";

describe("toKindConfig", () => {
  it("settings => one control plane, the workers, our mark on each, patches as texts", () => {
    const mark = [
      { hostPath: "/state/owner", containerPath: "/etc/slinky-stack/owner", readOnly: true },
    ];
    assert.deepEqual(JSON.parse(toKindConfig(kindSettings({ workers: 1 }), "/state/owner")), {
      kind: "Cluster",
      apiVersion: "kind.x-k8s.io/v1alpha4",
      name: "slinky",
      nodes: [
        { role: "control-plane", extraMounts: mark },
        { role: "worker", extraMounts: mark },
      ],
      kubeadmConfigPatches: ['{"kind":"KubeletConfiguration","cgroupDriver":"cgroupfs"}'],
    });
  });
});
