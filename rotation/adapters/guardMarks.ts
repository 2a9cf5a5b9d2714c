import type { CoreV1Api, V1DeleteOptions } from "@kubernetes/client-node";
import {
  CREATION_MARK_PREFIX,
  FINGERPRINT_ANNOTATION,
  GENERATION_ANNOTATION,
  UNLOCK_ANNOTATION,
} from "../wireNames.ts";
import { type Clock, systemClock } from "../../cluster/clock.ts";
import { ApiRefusal, callApiSteadily, unlessAbsent } from "./connect.ts";
import { mergePatch } from "./mergePatch.ts";

/*
 * Marks that open the guard of the key Secrets (components/keyGuardPolicy.ts) for one write each. Without the guard
 * they mean nothing and do no harm.
 */

/** A Secret as far as the guard looks at it. */
export interface ArrivingSecret {
  readonly namespace: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Tries until the API server, whose admission sees namespaces with a short delay, has seen the announcement. */
const [mostTries, pauseMilliseconds] = [10, 300];

/**
 * Creates a Secret that is announced on its namespace for as long as that takes.
 * @param create makes the call
 */
export async function createAnnounced<T>(
  api: CoreV1Api,
  { namespace, name, annotations }: ArrivingSecret,
  create: () => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  await markCreation(api, namespace, name, creationMark(annotations));
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await create();
      } catch (error) {
        const isForbidden = error instanceof ApiRefusal && error.code === 403;
        if (!isForbidden || tries === mostTries) throw error;
        await clock.sleep(pauseMilliseconds);
      }
    }
  } finally {
    // A mark that stays admits the same generation of the same key only.
    await markCreation(api, namespace, name, null).catch(() => undefined);
  }
}

/**
 * Opens the guard for the Secret with this uid and deletes it; an absent Secret is fine.
 * @param remove makes the call, with this body: the uid is a precondition
 */
export async function deleteUnlocked(
  api: CoreV1Api,
  { namespace, name, uid }: { namespace: string; name: string; uid: string },
  remove: (body: V1DeleteOptions) => Promise<unknown>,
): Promise<void> {
  const opened = async (): Promise<void> => {
    await setUnlocked(api, namespace, name, uid);
    await remove({ preconditions: { uid } });
  };
  await unlessAbsent(opened());
}

/** Pure: what the guard compares with the annotations of the Secret that comes. */
export const creationMark = (annotations: Readonly<Record<string, string>>): string =>
  `${annotations[GENERATION_ANNOTATION] ?? ""}/${annotations[FINGERPRINT_ANNOTATION] ?? ""}`;

async function markCreation(
  api: CoreV1Api,
  namespace: string,
  name: string,
  mark: string | null,
): Promise<void> {
  const body = { metadata: { annotations: { [`${CREATION_MARK_PREFIX}${name}`]: mark } } };
  const merge = await mergePatch();
  await callApiSteadily(`mark namespace ${namespace} for Secret ${name}`, () =>
    api.patchNamespace({ name: namespace, body }, merge),
  );
}

/** Lets the Secret with this uid be deleted, or no longer. @throws ApiRefusal 404 when it is absent */
export async function setUnlocked(
  api: CoreV1Api,
  namespace: string,
  name: string,
  uid: string | null,
): Promise<void> {
  // A uid in a patch is a precondition: another Secret of that name stays as it is.
  const annotations = { [UNLOCK_ANNOTATION]: uid };
  const body = { metadata: { annotations, ...(uid !== null && { uid }) } };
  const merge = await mergePatch();
  await callApiSteadily(`${uid ? "unlock" : "lock"} Secret ${namespace}/${name}`, () =>
    api.patchNamespacedSecret({ namespace, name, body }, merge),
  );
}
