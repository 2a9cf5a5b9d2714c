import { installs } from "../reading/charts.ts";
import { at, entriesOf, fieldPath, type Path, UNKNOWN } from "../reading/known.ts";
import { kubernetesObjects } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule, type SeenResource } from "../rule.ts";

/** The chart's login service is a LoadBalancer unless one says otherwise: sshd, open to whoever reaches the address. */
export const loginIsNotPublic: ResourceRule = (level) =>
  resourceRule(
    {
      name: "login-is-not-public",
      description: "The service of login nodes is not of type LoadBalancer.",
      level,
    },
    (resource, report) => {
      for (const path of publicServices(resource)) {
        report({
          field: fieldPath(path),
          what: "makes the service of login nodes a LoadBalancer, if only by default",
          why: "sshd of the login nodes is then open to whoever reaches the address of the load balancer",
          fix: "set the type ClusterIP, or keep the load balancer internal and its source ranges narrow",
        });
      }
    },
  );

function publicServices(resource: SeenResource): Path[] {
  if (installs("slurm", resource)) return publicLoginSets(at(resource.props, "values"));
  return kubernetesObjects(resource).flatMap(({ group, kind, object, path }) => {
    const isLoginSet = group === "slinky.slurm.net" && kind.toLowerCase() === "loginset";
    const isService = group === "core" && kind.toLowerCase() === "service" && isOfLogin(object);
    const type: Path = isLoginSet ? ["spec", "service", "spec", "type"] : ["spec", "type"];
    const isPublic = (isLoginSet || isService) && isLoadBalancer(at(object, ...type));
    return isPublic ? [[...path, ...type]] : [];
  });
}

/** A LoginSet takes the type from itself, from the release's defaults, or from the chart. */
function publicLoginSets(values: unknown): Path[] {
  const type = ["service", "spec", "type"];
  const shared = at(values, "loginsetDefaults", ...type);
  return entriesOf(at(values, "loginsets")).flatMap(([name, loginSet]) => {
    const enabled = at(loginSet, "enabled") ?? at(values, "loginsetDefaults", "enabled");
    if (enabled === false || enabled === UNKNOWN) return [];
    const effective = at(loginSet, ...type) ?? shared ?? "LoadBalancer";
    return isLoadBalancer(effective) ? [["values", "loginsets", name, ...type]] : [];
  });
}

/** Whether a Service leads to login pods, by the labels that the operator gives them. */
function isOfLogin(service: unknown): boolean {
  return ["component", "name"].some(
    (label) => at(service, "spec", "selector", `app.kubernetes.io/${label}`) === "login",
  );
}

function isLoadBalancer(type: unknown): boolean {
  return typeof type === "string" && type.toLowerCase() === "loadbalancer";
}
