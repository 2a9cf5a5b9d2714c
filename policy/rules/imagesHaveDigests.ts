import { imagesOf } from "../reading/images.ts";
import { fieldPath } from "../reading/known.ts";
import { localStacks, stackName, stacksOf, stacksParameter } from "../reading/stackName.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Options of {@link imagesHaveDigests}. */
export interface DigestOptions {
  /** Names of the stacks that are left alone: their images come from archives, which have no digest of a registry. */
  readonly exceptStacks: readonly string[];
}

/** A tag can be moved by whoever may push; a digest cannot. */
export const imagesHaveDigests: ResourceRule<DigestOptions> = (level, options = {}) => {
  const excepted = options.exceptStacks ?? localStacks;
  return resourceRule(
    {
      name: "images-have-digests",
      description: "Every image is named by its digest, except in stacks of one machine.",
      level,
      parameters: {
        exceptStacks: stacksParameter("Names of the stacks that are left alone.", excepted),
      },
    },
    (resource, report, configured) => {
      if (stacksOf(configured["exceptStacks"], excepted).includes(stackName(resource))) return;
      const images = imagesOf(resource).filter(({ pin }) =>
        ["tag", "latest", "untagged"].includes(pin),
      );
      if (images.length === 0) return;
      const paths = new Set(images.map(({ path }) => fieldPath(path)));
      report({
        field: [...paths].join(", "),
        what: "has no digest",
        why: "a tag can be moved to another image by whoever may push to the registry",
        fix: "add @sha256:… to the image, or run a registry of your own in which tags cannot be moved",
      });
    },
  );
};
