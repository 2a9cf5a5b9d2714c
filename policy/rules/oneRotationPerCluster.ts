import { at } from "../reading/known.ts";
import { isRotation } from "../reading/rotations.ts";
import { slurmClusters } from "../reading/slurmClusters.ts";
import { type StackResource, type StackRule, stackRule } from "../rule.ts";

/** A cluster without a rotation has a key that cannot be changed; with two it has two keys in turn. */
export const oneRotationPerCluster: StackRule = (level) =>
  stackRule(
    {
      name: "one-rotation-per-cluster",
      description: "Every Slurm cluster has exactly one rotation of its auth key.",
      level,
    },
    (resources, report) => {
      const told = new Set<StackResource>();
      for (const { release, rotations, possible } of slurmClusters(resources)) {
        if (rotations.length > 1) {
          for (const rotation of rotations) told.add(rotation);
          report(release, {
            field: "the auth key",
            what: `has ${rotations.length} rotations: ${rotations.map(({ name }) => name).join(", ")}`,
            ...because,
          });
        } else if (rotations.length + possible.length === 0) {
          report(release, {
            field: "the auth key",
            what: "has no rotation in the release's namespace and for its name",
            why: "nobody puts the key in place, proves it or can ever change it without stopping the cluster",
            fix: "create an AuthKeyRotation with the namespace and the name of this release",
          });
        }
      }
      for (const rotation of sharing(resources.filter(isRotation))) {
        if (told.has(rotation)) continue;
        report(rotation, {
          field: "secretName",
          what: "is that of another rotation too",
          ...because,
        });
      }
    },
  );

const because = {
  why: "two rotations undo each other: the cluster's key changes with every update",
  fix: "keep one of them, and remove the other from the state with `pulumi state delete`, so that the Secret stays",
};

/** Rotations of a Secret that an earlier one in the list rotates already. */
function sharing(rotations: readonly StackResource[]): StackResource[] {
  const seen = new Set<string>();
  return rotations.filter(({ props }) => {
    const parts = [at(props, "namespace"), at(props, "secretName")];
    if (!parts.every((part) => typeof part === "string")) return false;
    const place = parts.join("/");
    if (seen.has(place)) return true;
    seen.add(place);
    return false;
  });
}
