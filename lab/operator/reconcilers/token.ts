import type { Token } from "../crds.ts";
import type { DataObject } from "../kube/apply.ts";
import { ownerReference, type KubeObject } from "../kube/object.ts";
import { names } from "../names.ts";
import { DEFAULT_LIFETIME_SECONDS, signSlurmToken, verifySlurmToken } from "../slurm/jwt.ts";
import { secretBytes } from "../slurm/secretBytes.ts";
import { goDurationSeconds } from "./goDuration.ts";
import { readCustom, readData } from "./readObject.ts";
import type { Reconciler } from "./reconciler.ts";

const DATA_KEY = "SLURM_JWT";
/** Part of the lifetime after which a token is renewed (contract §6). */
const REFRESH_FRACTION = 0.8;

/**
 * Keeps a Slurm token in a Secret that the jwt Secret owns. A token that another key signed stays as it is and the
 * sync fails: version 1.2.1 does not sign again after a change of the jwt key (contract §6).
 */
export const reconcileToken: Reconciler = async ({ api, now }, namespace, name) => {
  const token = await readCustom<Token>(api, "Token", namespace, name);
  if (token === undefined) {
    return undefined;
  }
  const { jwtKeyRef, username, refresh } = token.spec;
  const lifetimeSeconds =
    token.spec.lifetime === undefined
      ? DEFAULT_LIFETIME_SECONDS
      : goDurationSeconds(token.spec.lifetime);
  const key = await secretBytes(api, namespace, jwtKeyRef);
  const secretName = names.tokenSecret(name, username);
  const live = await readData(api, "Secret", namespace, secretName);
  const fresh = (): Record<string, string> => {
    const jwt = signSlurmToken(key, username, lifetimeSeconds, now());
    return { [DATA_KEY]: Buffer.from(jwt).toString("base64") };
  };
  const refreshSeconds = lifetimeSeconds * REFRESH_FRACTION;
  if (live === undefined) {
    const jwtSecret = await readData(api, "Secret", namespace, jwtKeyRef.name);
    await api.create(toTokenSecret(token, secretName, jwtSecret as KubeObject, fresh()));
    return refreshSeconds;
  }
  const encoded = live.data?.[DATA_KEY] ?? "";
  const claims = verifySlurmToken(Buffer.from(encoded, "base64").toString(), key);
  const ageSeconds = now() / 1000 - claims.iat;
  if (refresh === false) {
    return undefined;
  }
  if (ageSeconds < refreshSeconds) {
    return refreshSeconds - ageSeconds;
  }
  await api.replace({ ...live, data: fresh() });
  return refreshSeconds;
};

function toTokenSecret(
  token: Token,
  name: string,
  jwtSecret: KubeObject,
  data: Record<string, string>,
): DataObject {
  const { labels, namespace } = token.metadata;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ownerReferences: [ownerReference({ ...jwtSecret, apiVersion: "v1", kind: "Secret" }, true)],
    },
    type: "Opaque",
    data,
  };
}
