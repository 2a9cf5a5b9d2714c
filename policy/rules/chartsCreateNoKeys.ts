import { installs } from "../reading/charts.ts";
import { at, fieldPath, UNKNOWN } from "../reading/known.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/**
 * The Slurm chart must not make key Secrets: under template rendering its `lookup` is empty and
 * every render invents a new key (slinky-contract §4.1, case R06).
 */
export const chartsCreateNoKeys: ResourceRule = (level) =>
  resourceRule(
    {
      name: "charts-create-no-keys",
      description: "The Slurm release sets slurmKey.create=false and jwtKey.create=false.",
      level,
    },
    (resource, report) => {
      if (!installs("slurm", resource)) return;
      for (const key of ["slurmKey", "jwtKey"]) {
        const path = ["values", key, "create"];
        const create = at(resource.props, ...path);
        if (create === false || create === UNKNOWN) continue;
        report({
          field: fieldPath(path),
          what: "is not false",
          why: "the chart would create a key of its own, and another one with every offline render",
          fix: `set ${key}.create to false and point ${key}.secretRef at the Secret of the stack's key resource`,
        });
      }
    },
  );
