import { slurmClusters } from "../reading/slurmClusters.ts";
import { type StackResource, type StackRule, stackRule } from "../rule.ts";

/** The release mounts the key's Secret, and may be updated only around a rotation, never during one. */
export const slurmWaitsForItsKey: StackRule = (level) =>
  stackRule(
    {
      name: "slurm-waits-for-its-key",
      description: "The Slurm release depends on the rotation of its auth key.",
      level,
    },
    (resources, report) => {
      for (const { release, rotations } of slurmClusters(resources)) {
        const awaited = everythingAwaited(release, resources);
        for (const { name, urn } of rotations) {
          if (awaited.has(urn)) continue;
          report(release, {
            field: "the option dependsOn",
            what: `does not lead to ${name}`,
            why: "the chart may then be installed before its key is there, or upgraded in the middle of a rotation",
            fix: `add ${name} to dependsOn of this release`,
          });
        }
      }
    },
  );

/** URNs of what a resource waits for, and of what that waits for. */
function everythingAwaited(
  start: StackResource,
  resources: readonly StackResource[],
): ReadonlySet<string> {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const awaited = new Set<string>();
  const next = [...start.dependencies];
  for (let urn = next.pop(); urn !== undefined; urn = next.pop()) {
    if (awaited.has(urn)) continue;
    awaited.add(urn);
    next.push(...(byUrn.get(urn)?.dependencies ?? []));
  }
  return awaited;
}
