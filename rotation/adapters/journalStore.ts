import type { CoreV1Api, V1ConfigMap } from "@kubernetes/client-node";
import type { Journal } from "../model.ts";
import { type JournalStore, LeaseLost } from "../ports.ts";
import { JOURNAL_ENTRY, JOURNAL_NAME, MANAGED_BY_LABEL, MANAGER } from "../wireNames.ts";
import { ApiRefusal, callApiSteadily, unlessAbsent } from "./connect.ts";

/**
 * {@link JournalStore} in a ConfigMap. A write names the version that was read, so that a process which was overtaken
 * cannot write over what the other one wrote.
 */
export function journalStore(api: CoreV1Api, namespace: string): JournalStore {
  const name = JOURNAL_NAME;
  const where = `ConfigMap ${namespace}/${name}`;
  let version: string | undefined;
  const readMap = async (): Promise<V1ConfigMap | undefined> =>
    unlessAbsent(
      callApiSteadily(`read ${where}`, () => api.readNamespacedConfigMap({ namespace, name })),
    );

  return {
    async read() {
      const map = await readMap();
      version = map?.metadata?.resourceVersion;
      const text = map?.data?.[JOURNAL_ENTRY];
      return text === undefined ? undefined : parseJournal(text, where);
    },

    async write(journal) {
      const text = JSON.stringify(journal, undefined, 2);
      const body: V1ConfigMap = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          ...{ name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGER } },
          ...(version !== undefined && { resourceVersion: version }),
        },
        data: { [JOURNAL_ENTRY]: text },
      };
      try {
        const written = await callApiSteadily(`write ${where}`, () =>
          version === undefined
            ? api.createNamespacedConfigMap({ namespace, body })
            : api.replaceNamespacedConfigMap({ namespace, name, body }),
        );
        version = written.metadata?.resourceVersion;
      } catch (error) {
        if (!(error instanceof ApiRefusal && error.code === 409)) throw error;
        // Our own write whose answer was lost looks the same.
        const now = await readMap();
        if (now?.data?.[JOURNAL_ENTRY] !== text) {
          throw new LeaseLost(`${where} was written by somebody else; this process stops`);
        }
        version = now.metadata?.resourceVersion;
      }
    },
  };
}

/** @throws when it is not a journal of this version: acting on half a memory is worse than none */
export function parseJournal(text: string, where: string): Journal {
  let journal: unknown;
  try {
    journal = JSON.parse(text);
  } catch {
    journal = undefined;
  }
  const { schemaVersion, from, to, step } = (journal ?? {}) as Partial<Journal>;
  if (schemaVersion === 1 && [from, to, step].every((each) => typeof each === "string")) {
    return journal as Journal;
  }
  throw new Error(`${where} holds no journal that this version can read; see docs/rotation.md`);
}
