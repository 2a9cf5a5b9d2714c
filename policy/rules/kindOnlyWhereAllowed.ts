import { at, entriesOf, fieldPath } from "../reading/known.ts";
import { localStacks, stackName, stacksOf, stacksParameter } from "../reading/stackName.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Options of {@link kindOnlyWhereAllowed}. */
export interface KindOptions {
  /** Names of the stacks that may have a KinD cluster. */
  readonly stacks: readonly string[];
}

/** A KinD cluster lives on one machine, and dies with it. */
export const kindOnlyWhereAllowed: ResourceRule<KindOptions> = (level, options = {}) => {
  const allowed = options.stacks ?? localStacks;
  return resourceRule(
    {
      name: "kind-only-where-allowed",
      description: "A KinD cluster is created only in stacks that may have one.",
      level,
      parameters: {
        stacks: stacksParameter("Names of the stacks that may have a KinD cluster.", allowed),
      },
    },
    (resource, report, configured) => {
      const { type, props } = resource;
      if (stacksOf(configured["stacks"], allowed).includes(stackName(resource))) return;
      const field = kindField(type, props);
      if (field === undefined) return;
      report({
        field,
        what: "creates a KinD cluster in a stack that may have none",
        why: "a KinD cluster lives on the machine that runs Pulumi and dies with it, its jobs and records included",
        fix: "set cluster: existing with kubeconfig and context, or name the stack in the parameter stacks of this rule",
      });
    },
  );
};

/** What of a resource makes a KinD cluster; undefined when nothing does. */
function kindField(type: string, props: unknown): string | undefined {
  if (type === "slinky-stack:components:KindCluster" || /^kind:.*:Cluster$/.test(type)) {
    return "the resource";
  }
  if (!type.startsWith("command:local:")) return undefined;
  const commands = entriesOf(props).filter(([name]) => name === "create" || name === "update");
  const found = commands.find(([name]) =>
    /\bkind\s+create\s+cluster\b/.test(String(at(props, name))),
  );
  return found && fieldPath([found[0]]);
}
