import { KEY_SECRET_NAMES } from "../../rotation/wireNames.ts";
import { isKeyEntry } from "../reading/keyMaterial.ts";
import { at, entriesOf, fieldPath, itemsOf, type Path } from "../reading/known.ts";
import { type KubernetesObject, kubernetesObjects } from "../reading/kubernetesObjects.ts";
import { type ResourceRule, resourceRule } from "../rule.ts";

const keyNames = new RegExp(KEY_SECRET_NAMES, "i");

/** Where an object says which Secret it makes, and with which entries. */
interface SecretMaker {
  readonly names: readonly Path[];
  readonly entries: (object: unknown) => readonly Path[];
}

const keysOf =
  (...fields: readonly string[]) =>
  (object: unknown): Path[] =>
    fields.flatMap((field) =>
      entriesOf(at(object, ...field.split("."))).map(([name]) => [...field.split("."), name]),
    );

/** Objects that are a Secret, or from which a controller makes one. A ConfigMap's name is its own affair. */
const makers: Readonly<Record<string, SecretMaker>> = {
  "core Secret": { names: [["metadata", "name"]], entries: keysOf("data", "stringData") },
  "core ConfigMap": { names: [], entries: keysOf("data", "binaryData") },
  "bitnami.com SealedSecret": {
    names: [
      ["metadata", "name"],
      ["spec", "template", "metadata", "name"],
    ],
    entries: keysOf("spec.encryptedData"),
  },
  "cert-manager.io Certificate": { names: [["spec", "secretName"]], entries: () => [] },
  "external-secrets.io ExternalSecret": {
    names: [
      ["metadata", "name"],
      ["spec", "target", "name"],
    ],
    entries: (object) =>
      itemsOf(at(object, "spec", "data")).map((_item, index) => [
        "spec",
        "data",
        index,
        "secretKey",
      ]),
  },
};

/** Whoever else owned the key's Secret would swap it under running daemons, without a drain and without a way back. */
export const onlyTheRotationOwnsTheKey: ResourceRule = (level) =>
  resourceRule(
    {
      name: "only-the-rotation-owns-the-key",
      description:
        "No resource but the key's own makes a Secret with the name of a Slurm key or with its entries.",
      level,
    },
    (resource, report) => {
      for (const found of kubernetesObjects(resource)) {
        for (const field of claims(found)) {
          report({
            field: fieldPath([...found.path, ...field]),
            what: "is that of a Slurm key, which belongs to the stack's key resource",
            why: "a second owner replaces the key under running daemons, without drain, proof or rollback",
            fix: "remove the resource; the key is changed by another keySeed, and anything else needs another name",
          });
        }
      }
    },
  );

/** Paths of the fields by which an object lays hands on a key. */
function claims({ group, kind, object }: KubernetesObject): readonly Path[] {
  const maker = Object.entries(makers).find(
    ([name]) => name.toLowerCase() === `${group} ${kind}`.toLowerCase(),
  )?.[1];
  if (!maker) return [];
  const names = maker.names.filter((path) => {
    const name = at(object, ...path);
    return typeof name === "string" && keyNames.test(name);
  });
  const entries = maker.entries(object).filter((path) => {
    const last = path.at(-1);
    const entry = last === "secretKey" ? at(object, ...path) : last;
    return typeof entry === "string" && isKeyEntry(entry);
  });
  return [...names, ...entries];
}
