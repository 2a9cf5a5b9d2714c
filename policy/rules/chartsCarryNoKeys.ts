import { installs } from "../reading/charts.ts";
import { isKeyEntry, looksLikeKeyOrHex } from "../reading/keyMaterial.ts";
import { at, everything, fieldPath } from "../reading/known.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Helm keeps the values of a release in the cluster, and the engine keeps them in the state: no place for a key. */
export const chartsCarryNoKeys: ResourceRule = (level) =>
  resourceRule(
    {
      name: "charts-carry-no-keys",
      description: "The values of the Slurm release hold no key material.",
      level,
    },
    (resource, report) => {
      if (!installs("slurm", resource)) return;
      for (const [path, value] of everything(at(resource.props, "values"), ["values"])) {
        const isFile = isKeyEntry(String(path.at(-1)));
        const isKey = typeof value === "string" && looksLikeKeyOrHex(value);
        if (!isFile && !isKey) continue;
        report({
          field: fieldPath(path),
          what: isFile ? "is the file of a Slurm key" : "looks like a key",
          why: "the values of a release are stored with it and shown by `helm get values`",
          fix: "take it out; the chart finds the key by slurmKey.secretRef and jwtKey.secretRef",
        });
      }
    },
  );
