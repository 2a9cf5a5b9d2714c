import type { PropertyFailure, PropertySpecs } from "../wire/propertySpec.ts";
import type { PropertyMap } from "../wire/propertyValue.ts";

/** A made value: the resource's id and its outputs besides the inputs, all without secret markers. */
export interface Generated {
  readonly id: string;
  readonly outputs: PropertyMap;
}

/** One kind of random value. Inputs are given without secret markers and with defaults filled in. */
export interface RandomResource {
  readonly inputs: PropertySpecs;
  readonly outputs: readonly string[];
  readonly secretOutputs: readonly string[];
  /** Fills in what the state of the real plugin holds for inputs that were not given. */
  normalize(inputs: PropertyMap): PropertyMap;
  /** Finds inputs that fit one by one but not together. */
  checkTogether(inputs: PropertyMap): PropertyFailure[];
  generate(inputs: PropertyMap): Generated;
}
