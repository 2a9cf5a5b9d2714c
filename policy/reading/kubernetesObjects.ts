import type { SeenResource } from "../rule.ts";
import { at, itemsOf, type Path } from "./known.ts";

/** A Kubernetes object in a resource. */
export interface KubernetesObject {
  /** Group without version; the group of Secrets and Pods is `core`. */
  readonly group: string;
  readonly kind: string;
  readonly object: unknown;
  /** Where it is in the resource: empty, or an item of a list. */
  readonly path: Path;
}

/**
 * The objects of a resource: of the kind itself, of its Patch kind (a part of an object that is there already), or
 * all of a List. Children of charts that the engine renders are resources like any other.
 */
export function kubernetesObjects({ type, props }: SeenResource): readonly KubernetesObject[] {
  const token = /^kubernetes:(?<group>[^:/]+)(?:\/[^:]*)?:(?<kind>\w+)$/.exec(type)?.groups;
  if (!token?.["group"] || !token["kind"]) return [];
  const { group, kind } = token;
  const items = at(props, "items");
  if (!kind.endsWith("List") || items === undefined) {
    return [{ group, kind: kind.replace(/Patch$/, ""), object: props, path: [] }];
  }
  return itemsOf(items).flatMap((object, index) => {
    // The kind of a list's items is that of the list; a plain List holds any, and each says what it is.
    const own = kind === "List" ? identityOf(object) : { group, kind: kind.replace(/List$/, "") };
    return own ? [{ ...own, object, path: ["items", index] }] : [];
  });
}

/** The objects of one kind in a resource, whatever the case it is written in. */
export function objectsOfKind(
  resource: SeenResource,
  group: string,
  ...kinds: readonly string[]
): readonly KubernetesObject[] {
  const wanted = kinds.map((kind) => kind.toLowerCase());
  return kubernetesObjects(resource).filter(
    (object) => object.group === group && wanted.includes(object.kind.toLowerCase()),
  );
}

/** Group and kind of an object by its own words; undefined where they are missing or not known yet. */
function identityOf(object: unknown): Pick<KubernetesObject, "group" | "kind"> | undefined {
  const [apiVersion, kind] = [at(object, "apiVersion"), at(object, "kind")];
  if (typeof apiVersion !== "string" || typeof kind !== "string") return undefined;
  const [group = "", version] = apiVersion.split("/");
  return { group: version === undefined ? "core" : group, kind };
}
