import { randomBytes } from "node:crypto";
import type { RandomResource } from "./randomResource.ts";

/** `random:index/randomBytes:RandomBytes`: secret bytes, in base64 and hexadecimal. */
export const randomBytesResource: RandomResource = {
  inputs: {
    keepers: { kind: "stringMap" },
    length: { kind: "integer", required: true, minimum: 1 },
  },
  outputs: ["base64", "hex"],
  secretOutputs: ["base64", "hex"],
  normalize: (inputs) => inputs,
  checkTogether: () => [],
  generate: (inputs) => {
    const bytes = randomBytes(inputs["length"] as number);
    // The id is stored in plain text, so it says nothing of the bytes.
    return {
      id: "none",
      outputs: { base64: bytes.toString("base64"), hex: bytes.toString("hex") },
    };
  },
};
