import { strict as assert } from "node:assert";

import { toStackState, withoutPending } from "../../cli/stackState.ts";

const prefix = "urn:pulumi:lab::slinky-stack::";
const exported = {
  version: 3,
  deployment: {
    manifest: { version: "v3.274.1" },
    resources: [
      { urn: `${prefix}pulumi:pulumi:Stack::s`, type: "pulumi:pulumi:Stack" },
      {
        urn: `${prefix}kubernetes:core/v1:Namespace::n`,
        type: "kubernetes:core/v1:Namespace",
        id: "slurm",
      },
      {
        urn: `${prefix}kubernetes:helm.sh/v3:Release::slurm`,
        type: "kubernetes:helm.sh/v3:Release",
        id: "slurm/slurm",
        protect: true,
      },
    ],
    pending_operations: [
      { resource: { urn: `${prefix}a:b:C::made` }, type: "creating" },
      { resource: { urn: `${prefix}a:b:C::changed` }, type: "updating" },
    ],
  },
};

describe("toStackState", () => {
  it("an exported state => releases by id, namespaces, protected resources, pending operations", () => {
    assert.deepEqual(toStackState(exported), {
      resources: 3,
      protectedResources: 1,
      pending: [
        { urn: `${prefix}a:b:C::made`, type: "creating" },
        { urn: `${prefix}a:b:C::changed`, type: "updating" },
      ],
      releases: [
        {
          urn: `${prefix}kubernetes:helm.sh/v3:Release::slurm`,
          namespace: "slurm",
          release: "slurm",
        },
      ],
      namespaces: ["slurm"],
    });
  });

  it("a stack that was never updated => nothing", () => {
    assert.equal(toStackState({ version: 3, deployment: { metadata: {} } }).resources, 0);
  });
});

describe("withoutPending", () => {
  it("an interrupted creation => gone; the update and the rest of the state stay", () => {
    const kept = withoutPending(exported, [`${prefix}a:b:C::made`, `${prefix}a:b:C::changed`]);
    assert.deepEqual(kept, {
      ...exported,
      deployment: {
        ...exported.deployment,
        pending_operations: [exported.deployment.pending_operations[1]],
      },
    });
  });
});
