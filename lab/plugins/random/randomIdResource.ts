import { randomBytes } from "node:crypto";
import type { RandomResource } from "./randomResource.ts";

/** `random:index/randomId:RandomId`: a public identifier in four notations, each with the prefix in front. */
export const randomIdResource: RandomResource = {
  inputs: {
    byteLength: { kind: "integer", required: true, minimum: 1 },
    keepers: { kind: "stringMap" },
    prefix: { kind: "string" },
  },
  outputs: ["b64Std", "b64Url", "dec", "hex"],
  secretOutputs: [],
  normalize: (inputs) => inputs,
  checkTogether: () => [],
  generate: (inputs) => {
    const bytes = randomBytes(inputs["byteLength"] as number);
    const prefix = (inputs["prefix"] as string | undefined) ?? "";
    const id = bytes.toString("base64url");
    return {
      id,
      outputs: {
        b64Std: prefix + bytes.toString("base64"),
        b64Url: prefix + id,
        dec: prefix + BigInt(`0x${bytes.toString("hex")}`).toString(),
        hex: prefix + bytes.toString("hex"),
      },
    };
  },
};
