import { cp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
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
  /** Package to build; a path that begins with `.` for a main of our own. */
  package: string;
  ldflags?: string;
  tags?: string;
  /** Files of a dependency that a main of ours embeds, copied beside it: [module path, file]. */
  embeds?: [module: string, file: string];
}

/** Generated or never called in the lab, and large: optimizing these would take minutes and gain nothing. */
const unoptimized = [
  "cloud.google.com/...",
  "github.com/Azure/...",
  "github.com/GoogleCloudPlatform/...",
  "github.com/aws/...",
  "github.com/cert-manager/cert-manager/pkg/client/...",
  "github.com/google/gnostic-models/...",
  "github.com/hashicorp/...",
  "github.com/pulumi/pulumi-kubernetes/sdk/v4/...",
  "github.com/pulumi/pulumi/pkg/v3/codegen/...",
  "google.golang.org/api/...",
  "google.golang.org/genproto/...",
  "k8s.io/client-go/applyconfigurations/...",
  "k8s.io/client-go/informers/...",
  "k8s.io/client-go/kubernetes/...",
  "k8s.io/client-go/listers/...",
  "k8s.io/kubernetes/pkg/apis/...",
  "k8s.io/kubernetes/pkg/generated/...",
];

/** The same for every tool, so that one compiled package serves all. Debug information would cost an eighth more. */
const compilerFlags = [
  "-gcflags=all=-dwarf=false",
  ...unoptimized.map((packages) => `-gcflags=${packages}=-dwarf=false -N -l`),
];

/** A cold build of the largest tool takes about ten minutes on two cores. */
const buildTimeoutSeconds = 45 * 60;

const goEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: "0",
  GOFLAGS: "-buildvcs=false",
  GOCACHE: join(cacheFolder(), "go-build"),
  GOMODCACHE: join(cacheFolder(), "go-mod"),
});

/** What pins the tool: its module's files, and its own main where it has one. */
function sourcesOfTool(tool: GoTool): string[] {
  const module = join(labFolder, "go", tool.module);
  const main = tool.package.startsWith(".") ? sourcesOf(join(module, tool.package)) : [];
  return [...sourcesOf(module, (path) => !/\/go\.(mod|sum)$/.test(path)), ...main];
}

/**
 * The artifact of a tool: a folder that holds the binary. Tools of one module share compiled
 * packages through the lab's own Go build cache.
 */
export function goToolArtifact(tool: GoTool): Artifact {
  const source = join(labFolder, "go", tool.module);
  return {
    name: tool.name,
    inputs: [JSON.stringify(tool), ...compilerFlags, ...sourcesOfTool(tool)],
    async build(folder, logFile) {
      const env = goEnvironment();
      const work = join(folder, ".work");
      const options = { env, cwd: work, logFile, timeoutSeconds: buildTimeoutSeconds };
      await cp(source, work, { recursive: true });
      if (tool.embeds) {
        const [module, file] = tool.embeds;
        await run("go", ["mod", "download", module], options);
        const from = (await run("go", ["list", "-m", "-f", "{{.Dir}}", module], options)).trim();
        await cp(join(from, file), join(work, tool.package, basename(file)));
      }
      const args = [
        "build",
        "-trimpath",
        ...compilerFlags,
        "-ldflags",
        `-s -w ${tool.ldflags ?? ""}`,
      ];
      if (tool.tags) args.push("-tags", tool.tags);
      await run("go", [...args, "-o", join(folder, tool.name), tool.package], options);
      await rm(work, { recursive: true });
    },
  };
}
