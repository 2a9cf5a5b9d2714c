import { imageBaseName, parseImageReference } from "../../config/imageReference.ts";
import { installs } from "../reading/charts.ts";
import { at, everything, fieldPath, type Path } from "../reading/known.ts";
import { kubernetesObjects } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule, type SeenResource } from "../rule.ts";

/** With SLURM_SACK_* slurmrestd authenticates by auth/slurm, and every REST call is 401 (slinky-contract, 1). */
export const slurmrestdHasNoSack: ResourceRule = (level) =>
  resourceRule(
    {
      name: "slurmrestd-has-no-sack",
      description: "SLURM_SACK_* is never set on slurmrestd.",
      level,
    },
    (resource, report) => {
      for (const path of sackVariables(resource)) {
        report({
          field: fieldPath(path),
          what: "is SLURM_SACK_*, on slurmrestd",
          why: "slurmrestd then authenticates with the key instead of tokens: every REST call is refused, the operator's own included",
          fix: "remove the variable; slurmrestd needs no Slurm key",
        });
      }
    },
  );

/** Where the environment of a slurmrestd names such a variable. */
function sackVariables(resource: SeenResource): Path[] {
  if (installs("slurm", resource)) return variablesIn(resource.props, ["values", "restapi"]);
  return kubernetesObjects(resource).flatMap(({ group, kind, object, path }) => {
    const places =
      group === "slinky.slurm.net"
        ? kind.toLowerCase() === "restapi"
          ? [[]]
          : []
        : restContainers(object);
    return places.flatMap((place) => variablesIn(object, place).map((rest) => [...path, ...rest]));
  });
}

/** Containers that are slurmrestd by name or by image. */
function restContainers(object: unknown): Path[] {
  return [...everything(object)]
    .filter(([path, value]) => {
      if (!/containers$/i.test(String(path.at(-2)))) return false;
      const image = at(value, "image");
      const parts = typeof image === "string" ? parseImageReference(image) : undefined;
      return at(value, "name") === "slurmrestd" || (parts && imageBaseName(parts) === "slurmrestd");
    })
    .map(([path]) => path);
}

/** Variables are items with a name, or keys of a map. */
function variablesIn(value: unknown, place: Path): Path[] {
  return [...everything(at(value, ...place), place)]
    .filter(([path, item]) => {
      const name = path.at(-1) === "name" ? item : path.at(-1);
      return typeof name === "string" && /^SLURM_SACK_/i.test(name);
    })
    .map(([path]) => path);
}
