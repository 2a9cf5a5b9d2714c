import { type ImageReference, parseImageReference } from "../config/imageReference.ts";

/**
 * Repository, tag and digest of an image as charts take them. Absent parts are left out, never null (R38).
 * @throws when the text is no image reference; the configuration has refused those before
 */
export function imageParts(reference: string): ImageReference {
  const parts = parseImageReference(reference);
  if (!parts) throw new Error(`"${reference}" is no image reference`);
  return parts;
}
