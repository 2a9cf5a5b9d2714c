import { imagesOf } from "../reading/images.ts";
import { fieldPath } from "../reading/known.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

/** Two nodes of one cluster run the same image, today and after the next pull. */
export const imagesArePinned: ResourceRule = (level) =>
  resourceRule(
    {
      name: "images-are-pinned",
      description: "Every image has a tag other than latest, or a digest.",
      level,
    },
    (resource, report) => {
      for (const { path, pin } of imagesOf(resource)) {
        if (pin !== "latest" && pin !== "untagged") continue;
        report({
          field: fieldPath(path),
          what: pin === "latest" ? "has the tag latest" : "has no tag, which means latest",
          why: "two nodes may run two different images, and a restart may bring a third",
          fix: "set the tag of a release, or a digest",
        });
      }
    },
  );
