import { rotationType } from "../../policy/reading/rotations.ts";
import type { PolicyInput } from "./policyServer.ts";

/** A Slurm release in a stack, with overrides of its outputs. */
export const release = (
  props: object = {},
  name = "slurm",
  dependsOn: readonly PolicyInput[] = [],
): PolicyInput => ({
  type: "kubernetes:helm.sh/v3:Release",
  name,
  props: { chart: "slurm", namespace: "slurm", name: "slurm", ...props },
  dependsOn,
});

/** A rotation in a stack, with overrides of its outputs. */
export const rotation = (
  name: string,
  props: object = {},
  dependsOn: readonly PolicyInput[] = [],
): PolicyInput => ({
  type: rotationType,
  name,
  props: {
    namespace: "slurm",
    secretName: "slurm-auth",
    rotation: { release: "slurm" },
    ...props,
  },
  dependsOn,
});
