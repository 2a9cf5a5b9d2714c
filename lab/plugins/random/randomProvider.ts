import { isDeepStrictEqual } from "node:util";
import type {
  CheckResult,
  CreateResult,
  DiffResult,
  Provider,
  ReadResult,
} from "@pulumi/pulumi/provider/index.js";
import { packageSchema } from "../wire/packageSchema.ts";
import { checkProperties } from "../wire/propertySpec.ts";
import { containsUnknown, markSecret, plainMap, UNKNOWN } from "../wire/propertyValue.ts";
import type { PropertyMap, PropertyValue } from "../wire/propertyValue.ts";
import { parseUrn } from "../wire/resourceUrn.ts";
import { randomBytesResource } from "./randomBytesResource.ts";
import { randomIdResource } from "./randomIdResource.ts";
import type { RandomResource } from "./randomResource.ts";
import { randomPasswordResource, randomStringResource } from "./randomTextResources.ts";

const RESOURCES: Readonly<Record<string, RandomResource>> = {
  "random:index/randomBytes:RandomBytes": randomBytesResource,
  "random:index/randomId:RandomId": randomIdResource,
  "random:index/randomPassword:RandomPassword": randomPasswordResource,
  "random:index/randomString:RandomString": randomStringResource,
};

/**
 * The plugin `random` as far as the lab needs it. A value is made once, at create, and lives in the state only; every
 * change of an input replaces it. Nothing to update, nothing to delete.
 */
export class RandomProvider implements Provider {
  /** The version of the SDK it serves, so that the engine sees no mismatch. */
  readonly version = "4.21.2";
  readonly schema = packageSchema("random", this.version, { resources: RESOURCES });

  /** Inputs are kept as they are; failures name the property. */
  async check(urn: string, _olds: PropertyMap, news: PropertyMap): Promise<CheckResult> {
    const resource = resourceOf(urn);
    const failures = checkProperties(resource.inputs, news);
    if (failures.length === 0 && !containsUnknown(news)) {
      failures.push(...resource.checkTogether(resource.normalize(plainMap(news))));
    }
    return Promise.resolve({ inputs: news, failures });
  }

  /** Compares values with defaults filled in, so that spelling out a default changes nothing. */
  async diff(_id: string, urn: string, olds: PropertyMap, news: PropertyMap): Promise<DiffResult> {
    const resource = resourceOf(urn);
    const before = resource.normalize(plainMap(olds));
    const after = resource.normalize(plainMap(news));
    const changed = Object.keys(resource.inputs).filter(
      (key) =>
        containsUnknown(after[key] ?? null) ||
        !isDeepStrictEqual(withoutEmpty(before[key]), withoutEmpty(after[key])),
    );
    return Promise.resolve({ changes: changed.length > 0, replaces: changed });
  }

  /** Makes the value. */
  async create(urn: string, inputs: PropertyMap): Promise<CreateResult> {
    const resource = resourceOf(urn);
    if (containsUnknown(inputs)) {
      const outputs = Object.fromEntries(resource.outputs.map((key) => [key, UNKNOWN]));
      return { id: "", outs: { ...inputs, ...outputs } };
    }
    const plain = resource.normalize(plainMap(inputs));
    const { id, outputs } = resource.generate(plain);
    for (const key of resource.secretOutputs) outputs[key] = markSecret(outputs[key] ?? null);
    // The given inputs go over the plain ones, since they carry their secret markers.
    return Promise.resolve({ id, outs: { ...plain, ...inputs, ...outputs } });
  }

  /**
   * The state is the value, so it is returned as it is.
   *
   * @throws Error when there is no state, as in an import: the value cannot be found anywhere
   */
  async read(id: string, urn: string, props: PropertyMap = {}): Promise<ReadResult> {
    const resource = resourceOf(urn);
    const missing = resource.outputs.filter((key) => props[key] === undefined);
    if (missing.length > 0) {
      throw new Error(
        `${parseUrn(urn).type} cannot be imported by the lab's stand-in: the state lacks ${missing.join(", ")}; create a new one`,
      );
    }
    return Promise.resolve({ id, props });
  }
}

function resourceOf(urn: string): RandomResource {
  const { type } = parseUrn(urn);
  const resource = RESOURCES[type];
  if (resource !== undefined) return resource;
  const offered = Object.keys(RESOURCES).join(", ");
  throw new Error(
    `resource type ${type} is not offered by the lab's stand-in; offered: ${offered}`,
  );
}

/** An empty map of keepers says as much as none. */
function withoutEmpty(value: PropertyValue | undefined): PropertyValue | undefined {
  return isDeepStrictEqual(value, {}) ? undefined : value;
}
