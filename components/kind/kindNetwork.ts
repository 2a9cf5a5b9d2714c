import { rm, writeFile, access, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { CommandRunner } from "./commandRunner.ts";

/** The Docker network that kind puts all its clusters into. */
export interface KindNetwork {
  /** Records that there is no such network yet, so that it will be ours. */
  noteBeforeCreate(): Promise<void>;
  /** Removes the network if it is ours and nobody is in it. */
  removeIfOurs(): Promise<void>;
}

const options = { timeoutMs: 30_000 };

/** @param markFile file that says the network is ours */
export function kindNetwork(runner: CommandRunner, markFile: string): KindNetwork {
  const inspect = async (format: string) =>
    runner.run("docker", ["network", "inspect", "kind", "--format", format], options);
  return {
    async noteBeforeCreate() {
      const { code } = await inspect("{{.Id}}");
      if (code === 0) return;
      await mkdir(dirname(markFile), { recursive: true });
      await writeFile(markFile, "");
    },
    async removeIfOurs() {
      const isOurs = await access(markFile).then(
        () => true,
        () => false,
      );
      if (!isOurs) return;
      const { code, stdout } = await inspect("{{len .Containers}}");
      // Somebody else's cluster is in it: it stays, and so does the record.
      if (code === 0 && stdout.trim() !== "0") return;
      if (code === 0) await runner.run("docker", ["network", "rm", "kind"], options);
      await rm(markFile, { force: true });
    },
  };
}
