import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../artifact.ts";
import { sourcesOf } from "../artifact.ts";
import { cacheFolder, labFolder } from "../paths.ts";
import { run } from "../shell.ts";

/** One binary built from a Go module of lab/go. */
export interface GoTool {
  /** Name of the binary. */
  name: string;
  /** Folder below lab/go whose go.mod pins everything. */
  module: string;
  /** Package to build; `.` for a main of our own. */
  package: string;
  ldflags?: string;
  tags?: string;
  /** Files of a dependency that a main of ours embeds, copied beside it: [module path, file]. */
  embeds?: [module: string, file: string];
}

/** A cold build of the largest tool takes about ten minutes on two cores. */
const buildTimeoutSeconds = 45 * 60;

const goEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: "0",
  GOFLAGS: "-buildvcs=false",
  GOCACHE: join(cacheFolder(), "go-build"),
  GOMODCACHE: join(cacheFolder(), "go-mod"),
});

/**
 * The artifact of a tool: a folder that holds the binary. Tools of one module share compiled
 * packages through the lab's own Go build cache.
 */
export function goToolArtifact(tool: GoTool): Artifact {
  const source = join(labFolder, "go", tool.module);
  return {
    name: tool.name,
    inputs: [JSON.stringify(tool), ...sourcesOf(source)],
    async build(folder, logFile) {
      const env = goEnvironment();
      const work = join(folder, ".work");
      const options = { env, cwd: work, logFile, timeoutSeconds: buildTimeoutSeconds };
      await cp(source, work, { recursive: true });
      if (tool.embeds) {
        const [module, file] = tool.embeds;
        await run("go", ["mod", "download", module], options);
        const from = (await run("go", ["list", "-m", "-f", "{{.Dir}}", module], options)).trim();
        await cp(join(from, file), join(work, file.split("/").at(-1) as string));
      }
      const args = ["build", "-trimpath", "-ldflags", `-s -w ${tool.ldflags ?? ""}`];
      if (tool.tags) args.push("-tags", tool.tags);
      await run("go", [...args, "-o", join(folder, tool.name), tool.package], options);
      await rm(work, { recursive: true });
    },
  };
}
