import type { RuleFactory } from "./rule.ts";
import { asObject } from "./rule.ts";

/**
 * The Slurm chart must not make key Secrets: under template rendering its `lookup` is empty and
 * every render invents a new key (slinky-contract §4.1, case R06).
 */
export const chartsCreateNoKeys: RuleFactory = (enforcementLevel) => ({
  name: "charts-create-no-keys",
  description: "The Slurm release sets slurmKey.create=false and jwtKey.create=false.",
  enforcementLevel,
  validateResource: (args, report) => {
    if (args.type !== "kubernetes:helm.sh/v3:Release") return;
    const chart = String(args.props["chart"] ?? "");
    if (!/(^|\/)slurm(-v?\d[^/]*\.tgz)?$/.test(chart)) return;
    const values = asObject(args.props["values"]);
    for (const key of ["slurmKey", "jwtKey"]) {
      if (asObject(values[key])["create"] === false) continue;
      report(
        `The Slurm chart would create a key of its own here. Set ${key}.create to false and point ` +
          `${key}.secretRef at the Secret that the stack's key resource owns.`,
      );
    }
  },
});
