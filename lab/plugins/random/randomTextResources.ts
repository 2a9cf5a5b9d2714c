import { randomBytes } from "node:crypto";
import type { PropertyFailure, PropertySpecs } from "../wire/propertySpec.ts";
import type { PropertyMap } from "../wire/propertyValue.ts";
import { bcryptHash } from "./bcryptHash.ts";
import type { RandomResource } from "./randomResource.ts";
import { randomText, textRulesFailure } from "./randomText.ts";
import type { TextRules } from "./randomText.ts";

const INPUTS: PropertySpecs = {
  keepers: { kind: "stringMap" },
  length: { kind: "integer", required: true, minimum: 1 },
  lower: { kind: "boolean" },
  minLower: { kind: "integer", minimum: 0 },
  minNumeric: { kind: "integer", minimum: 0 },
  minSpecial: { kind: "integer", minimum: 0 },
  minUpper: { kind: "integer", minimum: 0 },
  number: { kind: "boolean" },
  numeric: { kind: "boolean" },
  overrideSpecial: { kind: "string" },
  special: { kind: "boolean" },
  upper: { kind: "boolean" },
};

const DEFAULTS: PropertyMap = {
  lower: true,
  upper: true,
  special: true,
  minLower: 0,
  minUpper: 0,
  minNumeric: 0,
  minSpecial: 0,
};

/** Go's `bcrypt.DefaultCost`. */
const BCRYPT_COST = 10;

const shared = { inputs: INPUTS, normalize, checkTogether };

/** `random:index/randomPassword:RandomPassword`: a secret text and its bcrypt hash. */
export const randomPasswordResource: RandomResource = {
  ...shared,
  outputs: ["bcryptHash", "result"],
  secretOutputs: ["bcryptHash", "result"],
  generate: (inputs) => {
    const result = randomText(asRules(inputs));
    const hash = bcryptHash(result, randomBytes(16), BCRYPT_COST);
    return { id: "none", outputs: { bcryptHash: hash, result } };
  },
};

/** `random:index/randomString:RandomString`: a public text. */
export const randomStringResource: RandomResource = {
  ...shared,
  outputs: ["result"],
  secretOutputs: [],
  generate: (inputs) => {
    const result = randomText(asRules(inputs));
    return { id: result, outputs: { result } };
  },
};

/** `number` is the old name of `numeric`: the state holds both. */
function normalize(inputs: PropertyMap): PropertyMap {
  const numeric = inputs["numeric"] ?? inputs["number"] ?? true;
  return { ...DEFAULTS, ...inputs, numeric, number: inputs["number"] ?? numeric };
}

function checkTogether(inputs: PropertyMap): PropertyFailure[] {
  if (inputs["number"] !== inputs["numeric"]) {
    const reason = "'number' is the old name of 'numeric': give only 'numeric'";
    return [{ property: "number", reason }];
  }
  const failure = textRulesFailure(asRules(inputs));
  return failure === undefined ? [] : [failure];
}

/** The check has passed before, so the shapes hold. */
function asRules(inputs: PropertyMap): TextRules {
  return inputs as unknown as TextRules;
}
