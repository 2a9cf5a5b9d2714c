import { kindOnlyWhereAllowed } from "../../../policy/rules/kindOnlyWhereAllowed.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const component = "slinky-stack:components:KindCluster";
const command = "command:local:Command";

describe("kind-only-where-allowed", () => {
  itJudges(kindOnlyWhereAllowed("mandatory"), [
    ["in dev => passes", { type: component, stack: "dev" }, []],
    ["in lab => passes", { type: component, stack: "lab" }, []],
    ["in prod => told", { type: component, stack: "prod" }, ["the resource"]],
    [
      "in a stack that only begins like one => told",
      { type: component, stack: "dev-2" },
      ["the resource"],
    ],
    ["in DEV => told", { type: component, stack: "DEV" }, ["the resource"]],
    ["another provider's KinD => told", { type: "kind:index/cluster:Cluster" }, ["the resource"]],
    [
      "a command of one's own => told",
      {
        type: command,
        props: { create: "kind  create cluster --name x", delete: "kind delete cluster" },
      },
      ["create"],
    ],
    ["another command => passes", { type: command, props: { create: "kind get clusters" } }, []],
    ["a command not known yet => passes", { type: command, props: { create: unknown } }, []],
    ["an existing cluster => passes", { type: "slinky-stack:components:ExistingCluster" }, []],
  ]);

  describe("with stacks of one's own", () => {
    itJudges(kindOnlyWhereAllowed("mandatory", { stacks: ["laptop"] }), [
      ["in one of them => passes", { type: component, stack: "laptop" }, []],
      ["in dev => told", { type: component, stack: "dev" }, ["the resource"]],
    ]);
  });
});
