import type { StackResource } from "../rule.ts";
import { installs, mayBeHybrid } from "./charts.ts";
import { at, isAbsent, UNKNOWN } from "./known.ts";
import { isRotation } from "./rotations.ts";

/** A Slurm cluster of a stack. */
export interface SlurmClusterInStack {
  readonly release: StackResource;
  /** Rotations of its auth key. */
  readonly rotations: readonly StackResource[];
  /** Rotations that may be its own: a preview does not know their place yet, or the release's. */
  readonly possible: readonly StackResource[];
}

/** The Slurm releases of a stack whose slurmctld it runs, each with the rotations of its namespace and name. */
export function slurmClusters(resources: readonly StackResource[]): SlurmClusterInStack[] {
  const rotations = resources.filter(isRotation);
  return resources
    .filter((resource) => installs("slurm", resource) && !mayBeHybrid(at(resource.props, "values")))
    .map((release) => {
      const matches = (wanted: boolean | undefined) =>
        rotations.filter((rotation) => isIn(release, rotation) === wanted);
      return { release, rotations: matches(true), possible: matches(undefined) };
    });
}

/** Whether a rotation serves a release; undefined while that is unknown. */
function isIn(release: StackResource, rotation: StackResource): boolean | undefined {
  const same = [
    isSame(at(release.props, "namespace"), at(rotation.props, "namespace")),
    isSame(at(release.props, "name"), at(rotation.props, "rotation", "release")),
  ];
  if (same.includes(false)) return false;
  return same.includes(undefined) ? undefined : true;
}

function isSame(left: unknown, right: unknown): boolean | undefined {
  const isOpen = [left, right].some((value) => value === UNKNOWN || isAbsent(value));
  return isOpen ? undefined : left === right;
}
