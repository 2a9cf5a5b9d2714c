import { readFileSync } from "node:fs";

/** A process that can be told from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in clock ticks since boot (proc(5), field 22); absent where the system has no /proc. */
  readonly startTicks?: string;
}

/** Knowledge about other processes. */
export interface Processes {
  identify(pid: number): ProcessIdentity;
  /** Whether exactly this process still runs. */
  isAlive(identity: ProcessIdentity): boolean;
  /** Kills exactly this process; does nothing when it is not certain that it is the one. */
  end(identity: ProcessIdentity): void;
}

/** The processes of this machine. */
export const systemProcesses: Processes = {
  identify(pid) {
    const ticks = startTicks(pid);
    return { pid, ...(ticks && { startTicks: ticks }) };
  },
  isAlive({ pid, startTicks: known }) {
    const ticks = startTicks(pid);
    if (known !== undefined && ticks !== undefined) return ticks === known;
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EPERM";
    }
  },
  end({ pid, startTicks: known }) {
    if (known === undefined || startTicks(pid) !== known) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself in between.
    }
  },
};

function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may hold blanks.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
