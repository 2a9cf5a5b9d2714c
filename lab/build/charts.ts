import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../artifact.ts";
import { sourcesOf } from "../artifact.ts";
import { cacheFolder, labFolder } from "../paths.ts";
import { pins } from "../pins.ts";
import { run } from "../shell.ts";

/** Packs `<parent>/<name>` as Helm does: one folder named after the chart, gzipped. */
async function packChart(
  parent: string,
  name: string,
  version: string,
  into: string,
): Promise<void> {
  const file = join(into, `${name}-${version}.tgz`);
  const order = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0"];
  await run("tar", [...order, "-czf", file, "-C", parent, name], { timeoutSeconds: 60 });
}

const standInNames = ["slurm-operator-crds", "slurm-operator", "slurm"] as const;

/** The stand-in charts of lab/charts, packed under the version of the real ones. */
export const standInCharts: Artifact = {
  name: "charts-slinky",
  inputs: [pins.slinky, ...sourcesOf(join(labFolder, "charts"))],
  async build(folder) {
    for (const name of standInNames) {
      await packChart(join(labFolder, "charts"), name, pins.slinky, folder);
    }
  },
};

/** cert-manager's own chart out of its Go module, with the version that a release would carry. */
export const certManagerChart: Artifact = {
  name: "chart-cert-manager",
  inputs: [pins.certManager],
  async build(folder, logFile) {
    const env = { ...process.env, GOMODCACHE: join(cacheFolder(), "go-mod"), GOFLAGS: "-mod=mod" };
    const module = `github.com/cert-manager/cert-manager@${pins.certManager}`;
    const options = { env, cwd: folder, logFile, timeoutSeconds: 600 };
    const found = JSON.parse(await run("go", ["mod", "download", "-json", module], options)) as {
      Dir: string;
    };
    const work = join(folder, "work", "cert-manager");
    await mkdir(join(folder, "work"));
    await cp(join(found.Dir, "deploy", "charts", "cert-manager"), work, { recursive: true });
    await run("chmod", ["-R", "u+w", work], { timeoutSeconds: 60 });
    const chartFile = join(work, "Chart.yaml");
    const chart = await readFile(chartFile, "utf8");
    await writeFile(chartFile, chart.replaceAll("v0.0.0", pins.certManager));
    await packChart(join(folder, "work"), "cert-manager", pins.certManager, folder);
    await rm(join(folder, "work"), { recursive: true });
  },
};
