import { deriveKey, fingerprint } from "./authKey.ts";
import { cancellable } from "./cancellation.ts";
import { partialFailure, RotationError } from "./errors.ts";
import { type KeyEngineEdges, requireSamePlace, updateKey } from "./firstKey.ts";
import type { KeyInputs, KeyOutputs, RotationHistory, RotationInputs } from "./keyProperties.ts";
import type { Journal } from "./model.ts";
import type { RotationPlace } from "./adapters/rotationPorts.ts";
import type { RotationPorts } from "./ports.ts";
import type { ProgressLog } from "./progressLog.ts";
import { rotate, type RotationRequest, type RotationResult } from "./rotate.ts";

/** What the engine of a rotating key needs from outside. */
export interface RotationEdges extends KeyEngineEdges {
  readonly openPorts: (place: RotationPlace) => Promise<RotationPorts>;
  /** Where progress of the resource with this URN is told. */
  readonly openLog: (urn: string) => ProgressLog;
}

/** Inputs of a key that rotates. */
export type RotatingInputs = KeyInputs & { readonly rotation: RotationInputs };

/** What a key remembers before its first rotation. */
export const noHistory = ({ rotation, keySeed }: RotatingInputs): RotationHistory => ({
  strategy: rotation.strategy,
  servedSeed: keySeed,
  previousSeed: "",
  previousFingerprint: "",
  rotatedAt: "",
  outcome: "",
  report: {},
});

/** The place of a key's rotation. */
export function placeOf(
  from: Pick<KeyInputs, "kubeconfig" | "context" | "namespace" | "secretName"> & {
    readonly rotation: RotationInputs;
  },
): RotationPlace {
  const { kubeconfig, context, namespace, secretName } = from;
  const { operatorNamespace, release, probeImage } = from.rotation;
  return { kubeconfig, context, namespace, secretName, operatorNamespace, release, probeImage };
}

/**
 * Brings the cluster to the key of the inputs by a rotation, or only verifies where it is there.
 * @param serializedProvider the shell's text, for a partial failure
 * @throws RotationError when the cluster is on its old key and whole; a partial failure when it needs a person
 */
export async function rotateKey(
  id: string,
  olds: Partial<KeyOutputs>,
  news: RotatingInputs,
  edges: RotationEdges,
  serializedProvider?: string,
): Promise<KeyOutputs> {
  const key = deriveKey(news.root, news.keySeed);
  const wanted = fingerprint(key);
  await requireSamePlace(olds, news, edges);
  const ports = await edges.openPorts(placeOf(news));
  const verified = () => updateKey({ ...olds, fingerprint: wanted }, news, edges);
  const request: RotationRequest = {
    wanted,
    recorded: olds.fingerprint,
    secretName: news.secretName,
    dataKey: news.dataKey,
    generation: olds.generation ?? 1,
    settings: news.rotation,
    newKey: () => key,
    putBack: async () => void (await verified()),
  };
  const result = await interruptible(edges.openLog(news.rotation.progressUrn), (tools) =>
    rotate(request, ports, { clock: edges.clock, ...tools }),
  );
  if (isSuccess(result, wanted)) {
    const outs = await verified();
    return { ...outs, ...historyOf(result.journal, olds, news), rotation: news.rotation };
  }
  const error = new RotationError({
    outcome: result.outcome === "completed" ? "needsHuman" : result.outcome,
    ...(result.where !== undefined && { where: result.where }),
    message: result.message,
  });
  if (error.outcome !== "needsHuman") throw error;
  const { journal } = result;
  const isProved = journal !== undefined && journal.proved === journal.to;
  const history = historyOf(journal, olds, news);
  const outs = {
    ...olds,
    ...history,
    ...(!isProved && { servedSeed: olds.servedSeed ?? "" }),
    ...(isProved && { fingerprint: journal.to, generation: journal.generation }),
    outcome: "needsHuman",
    rotation: news.rotation,
  };
  throw partialFailure(id, outs, serializedProvider, error);
}

/** Success is the wanted key in place: rotated to, or rolled back to. */
function isSuccess({ outcome, journal }: RotationResult, wanted: string): boolean {
  return outcome === "completed" || (outcome === "rolledBack" && journal?.from === wanted);
}

function historyOf(
  journal: Journal | undefined,
  olds: Partial<KeyOutputs>,
  news: RotatingInputs,
): RotationHistory {
  const blank = noHistory(news);
  const { previousFingerprint, previousSeed, rotatedAt, outcome, report } = { ...blank, ...olds };
  if (!journal) return { ...blank, previousFingerprint, previousSeed, rotatedAt, outcome, report };
  const isRotated = journal.outcome === "completed" && journal.from !== journal.to;
  const isAnotherSeed = olds.servedSeed !== undefined && olds.servedSeed !== news.keySeed;
  return {
    ...blank,
    previousSeed: isRotated && isAnotherSeed ? (olds.servedSeed ?? "") : previousSeed,
    previousFingerprint: isRotated ? journal.from : previousFingerprint,
    rotatedAt: isRotated ? journal.startedAt : rotatedAt,
    outcome: journal.outcome ?? "needsHuman",
    report: journal.report,
  };
}

/** Runs with progress lines, and with an abort at Ctrl-C. */
async function interruptible<T>(
  progress: ProgressLog,
  work: (tools: { log: (line: string) => void; signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  try {
    return await cancellable(
      () => progress.log("interrupted: taking back what was begun"),
      (signal) => work({ log: progress.log, signal }),
    );
  } finally {
    await progress.flush();
  }
}
