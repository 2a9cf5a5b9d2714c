type Json = Record<string, unknown>;

/** Lists that Kubernetes merges by a key instead of replacing (its patchMergeKey tags); every other list is atomic. */
const mergeKeys: Readonly<Record<string, string>> = {
  env: "name",
  volumes: "name",
  volumeMounts: "mountPath",
  volumeDevices: "devicePath",
  ports: "containerPort",
  imagePullSecrets: "name",
  hostAliases: "ip",
  topologySpreadConstraints: "topologyKey",
};

/**
 * Strategic merge of a user's patch into a base object (contract §5.1, §5.2): maps merge, keyed lists merge by their
 * key with the user's entries first, other lists are replaced. Empty values of the patch are dropped beforehand.
 */
export function strategicMerge<T extends object>(base: T, patch: object): T {
  return mergeMaps(base as Json, withoutEmpty(patch) as Json) as T;
}

/**
 * Drops empty values (null, "", 0, false, empty maps and lists) from maps at any depth, but not inside lists. This is
 * why a user's `privileged: false` or `args: []` has no effect on the operator's own fields (contract §5.1).
 */
export function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value;
  }
  const kept = Object.entries(value)
    .map(([key, field]) => [key, withoutEmpty(field)] as const)
    .filter(([, field]) => !isEmpty(field));
  return Object.fromEntries(kept);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) {
    return Object.keys(value).length === 0;
  }
  return !value;
}

function mergeMaps(base: Json, patch: Json): Json {
  const merged: Json = { ...base };
  for (const [field, value] of Object.entries(patch)) {
    merged[field] = mergeField(field, base[field], value);
  }
  return merged;
}

function mergeField(field: string, base: unknown, patch: unknown): unknown {
  const key = mergeKeys[field];
  if (key !== undefined && Array.isArray(base) && Array.isArray(patch)) {
    return mergeLists(key, base as Json[], patch as Json[]);
  }
  if (isMap(base) && isMap(patch)) {
    return mergeMaps(base, patch);
  }
  return patch;
}

/**
 * Entries of the patch keep their order and come before the base's own entries, except behind a base entry that stood
 * before their own base entry: the order Kubernetes' library produces.
 */
function mergeLists(key: string, base: Json[], patch: Json[]): Json[] {
  const position = (entry: Json): number => base.findIndex((item) => item[key] === entry[key]);
  const patched = patch.map((entry) => {
    const original = base[position(entry)];
    return original === undefined ? entry : mergeMaps(original, entry);
  });
  const untouched = base.filter((item) => !patch.some((entry) => entry[key] === item[key]));
  const merged: Json[] = [];
  for (const entry of patched) {
    const at = position(entry);
    while (at >= 0 && untouched[0] !== undefined && position(untouched[0]) < at) {
      merged.push(...untouched.splice(0, 1));
    }
    merged.push(entry);
  }
  return [...merged, ...untouched];
}

function isMap(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
