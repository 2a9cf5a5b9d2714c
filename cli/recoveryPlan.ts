/**
 * What an interrupted run may have left, and what to do about each piece (cases.md R16). Pure: what was found goes in,
 * a decision comes out; recovery.ts carries it out.
 */

/** A lock of a file:// backend, as Pulumi writes it. */
export interface BackendLock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** What to do about locks. */
export type LockDecision =
  | { readonly kind: "none" }
  | { readonly kind: "cancel"; readonly message: string }
  | { readonly kind: "refuse"; readonly message: string };

/** An operation that the state says had begun and not ended. */
export interface PendingOperation {
  readonly urn: string;
  /** creating, updating, deleting, reading or importing. */
  readonly type: string;
}

/** A revision that Helm recorded: one Secret `sh.helm.release.v1.<release>.v<revision>`. */
export interface HelmRecord {
  readonly namespace: string;
  readonly secret: string;
  readonly release: string;
  readonly revision: number;
  /** deployed, superseded, failed, uninstalling, pending-install, pending-upgrade or pending-rollback. */
  readonly status: string;
}

/** A Helm release that the state has. */
export interface StateRelease {
  readonly urn: string;
  readonly namespace: string;
  readonly release: string;
}

/** What to do about one release. */
export interface HelmDecision {
  readonly namespace: string;
  readonly release: string;
  /** Names of the Secrets to delete; empty when the release is only reported. */
  readonly secrets: readonly string[];
  /** Release resource that the state must forget, since Helm will not know it any more. */
  readonly forgetUrn?: string;
  readonly message: string;
}

/**
 * Locks: none is left, or all are left by processes of this machine that are gone (cancel), or somebody may still be
 * at work (refuse).
 */
export function decideLocks(
  locks: readonly BackendLock[],
  hostname: string,
  isAlive: (pid: number) => boolean,
): LockDecision {
  const owners = (some: readonly BackendLock[]): string =>
    some
      .map((lock) => `${lock.username}@${lock.hostname} (pid ${lock.pid}) since ${lock.timestamp}`)
      .join(", ");
  if (locks.length === 0) return { kind: "none" };
  const running = locks.filter((lock) => lock.hostname === hostname && isAlive(lock.pid));
  if (running.length > 0) {
    return {
      kind: "refuse",
      message: `the stack is in use by ${owners(running)}; wait until it ends, or stop it with one SIGINT`,
    };
  }
  const elsewhere = locks.filter((lock) => lock.hostname !== hostname);
  if (elsewhere.length > 0) {
    return {
      kind: "refuse",
      message:
        `the stack is locked by ${owners(elsewhere)}, on another machine, where it cannot be seen whether it still runs; ` +
        "when you know that it does not: pulumi cancel",
    };
  }
  return { kind: "cancel", message: `removing the lock of ${owners(locks)}, which no longer runs` };
}

/** Pending operations: which to forget in the state, and what to say. */
export interface PendingDecision {
  /** URNs of interrupted creations. Each resource of this program may be created again where it exists already. */
  readonly forget: readonly string[];
  readonly messages: readonly string[];
}

/** Interrupted creations would be warned about for ever; all others Pulumi clears by itself with the next update. */
export function decidePending(operations: readonly PendingOperation[]): PendingDecision {
  const messages = operations.map(({ urn, type }) => {
    const name = urn
      .slice(urn.lastIndexOf("$") + 1)
      .replace(/^.*:(?=[^:]+::)/, "")
      .replace("::", " ");
    if (urn.includes("AuthKeyRotation") && type !== "creating") {
      return `${name} was interrupted while ${type}: the update goes on from the rotation's journal in the cluster; no second rotation begins`;
    }
    return `${name} was interrupted while ${type}: the update does it again`;
  });
  const creations = operations.filter(({ type }) => type === "creating");
  return { forget: creations.map(({ urn }) => urn), messages };
}

/**
 * Helm's records, for releases of ours only. A record that stands in the way of the next update is deleted:
 *
 * | latest revision | release in the state | decision |
 * |---|---|---|
 * | pending-install | no | all its records: the next install adopts the objects by their Helm annotations |
 * | pending-install | yes | the same, and the state forgets the release, else Pulumi would upgrade what Helm does not know |
 * | pending-upgrade, pending-rollback | yes | the pending revisions above the last good one |
 * | anything else | yes | nothing |
 * | anything but deployed | no | all its records |
 * | deployed | no | all its records on a cluster of the stack's own; on an existing cluster it may be someone's: reported |
 *
 * To be called only while no Pulumi process works on the stack.
 */
export function decideHelm(
  records: readonly HelmRecord[],
  stateReleases: readonly StateRelease[],
  ownCluster: boolean,
): HelmDecision[] {
  const byRelease = new Map<string, HelmRecord[]>();
  for (const record of records) {
    const key = `${record.namespace}/${record.release}`;
    byRelease.set(key, [...(byRelease.get(key) ?? []), record]);
  }
  return [...byRelease.values()].flatMap((revisions) => {
    const sorted = revisions.toSorted((a, b) => a.revision - b.revision);
    const latest = sorted.at(-1);
    if (latest === undefined) return [];
    const { namespace, release, status } = latest;
    const inState = stateReleases.find(
      (each) => each.namespace === namespace && each.release === release,
    );
    const name = `Helm release ${namespace}/${release}`;
    const all = sorted.map(({ secret }) => secret);
    if (inState === undefined) {
      if (status === "deployed" && !ownCluster) {
        const message = `${name} is deployed and not of this stack: left alone; remove it with helm uninstall, or choose another cluster`;
        return [{ namespace, release, secrets: [], message }];
      }
      const message = `${name} is ${status} and not in the state: its record is removed, the next install adopts its objects`;
      return [{ namespace, release, secrets: all, message }];
    }
    if (!status.startsWith("pending-")) return [];
    const lastGood = sorted.findLast((each) => !each.status.startsWith("pending-"));
    if (lastGood === undefined) {
      const message = `${name} is stuck in ${status}: its record is removed, the next install adopts its objects`;
      return [{ namespace, release, secrets: all, forgetUrn: inState.urn, message }];
    }
    const stuck = sorted.filter((each) => each.revision > lastGood.revision);
    const message = `${name} is stuck in ${status}: revision ${stuck.map((each) => each.revision).join(", ")} is removed, revision ${lastGood.revision} stands`;
    return [{ namespace, release, secrets: stuck.map(({ secret }) => secret), message }];
  });
}
