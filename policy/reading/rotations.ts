import type { SeenResource } from "../rule.ts";

/** Type of the resource that rotates an auth key. */
export const rotationType = "pulumi-nodejs:dynamic/rotation:AuthKeyRotation";

/** Whether a resource rotates an auth key. */
export const isRotation = ({ type }: SeenResource): boolean => type === rotationType;
