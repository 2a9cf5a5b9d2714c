import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Clock } from "../../cluster/clock.ts";
import type { Processes, ProcessIdentity } from "./processes.ts";

/** What a lock file says about its holder. */
interface LockEntry {
  readonly holder: ProcessIdentity;
  /** A child of the holder that goes on working if the holder dies. */
  readonly child?: ProcessIdentity;
}

/** A lock that is held. */
export interface HeldLock {
  /** Records a child that must not outlive the holder. */
  noteChild(pid: number): void;
}

/** Milliseconds between two tries. */
const pauseMs = 500;

/**
 * Runs work under an exclusive lock file, so that two processes never change one cluster at a time.
 * The lock of a dead holder is taken over, after ending the child it left behind: a `kind create` whose parent was
 * killed would otherwise clean up nodes of the next attempt.
 * @param deadline milliseconds since the epoch until which to wait for a living holder
 * @throws when the holder still lives at the deadline
 */
export async function withLock<T>(
  path: string,
  deadline: number,
  edges: { readonly clock: Clock; readonly processes: Processes },
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const { clock, processes } = edges;
  const holder = processes.identify(process.pid);
  while (!(await tryCreate(path, { holder }))) {
    const entry = await readEntry(path);
    if (entry && !processes.isAlive(entry.holder)) {
      if ((await takeAway(path, entry)) && entry.child) processes.end(entry.child);
      continue;
    }
    if (clock.now() >= deadline) {
      throw new Error(
        `another process (pid ${entry?.holder.pid ?? "unknown"}) works on this KinD cluster and did not end in time; ` +
          `wait for it and run the command again. Its lock is ${path}.`,
      );
    }
    await clock.sleep(pauseMs);
  }
  // Writes are chained, so that a late one can never put the file back after the release.
  let lastWrite: Promise<void> = Promise.resolve();
  try {
    return await work({
      noteChild(pid) {
        const entry: LockEntry = { holder, child: processes.identify(pid) };
        lastWrite = lastWrite.then(() => replace(path, entry));
      },
    });
  } finally {
    await lastWrite;
    await rm(path, { force: true });
  }
}

/** Creates the file with its content in one step: a process killed half-way leaves no lock that nobody can read. */
async function tryCreate(path: string, entry: LockEntry): Promise<boolean> {
  const draft = await writeDraft(path, entry);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(path: string, entry: LockEntry): Promise<void> {
  await rename(await writeDraft(path, entry), path);
}

async function writeDraft(path: string, entry: LockEntry): Promise<string> {
  // Runs of one process take the lock from each other too: no two may share a draft.
  const draft = `${path}.${randomUUID()}.draft`;
  await writeFile(draft, JSON.stringify(entry));
  return draft;
}

/** The entry, or undefined while the file is absent. */
async function readEntry(path: string): Promise<LockEntry | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as LockEntry);
}

/** Removes a dead holder's lock; false when another process was faster and its lock was put back. */
async function takeAway(path: string, dead: LockEntry): Promise<boolean> {
  const aside = `${path}.${randomUUID()}.aside`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const moved = await readEntry(aside);
  const isDead = JSON.stringify(moved) === JSON.stringify(dead);
  if (!isDead) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return isDead;
}
