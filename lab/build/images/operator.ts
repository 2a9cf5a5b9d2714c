import { join } from "node:path";
import { sourcesOf } from "../../artifact.ts";
import { labFolder, projectFolder } from "../../paths.ts";
import { pins } from "../../pins.ts";
import { run } from "../../shell.ts";
import type { Image } from "../imageArchive.ts";
import { writeImageArchive, writeLayer } from "../imageArchive.ts";
import type { ImageArchive } from "./imageArtifact.ts";
import { base, keys, layerOf, removeLayers } from "./imageArtifact.ts";

const operatorFolder = join(labFolder, "operator");
const nodeRuntime = join(projectFolder, "node_modules", "node", "bin", "node");

/** The stand-in operator: one bundled file on Node, under the names of the real images. */
export const operatorImages: ImageArchive = {
  name: "images-operator",
  needs: [base],
  inputs: [
    ...keys([base]),
    process.version,
    ...sourcesOf(operatorFolder, (path) => path.endsWith(".md")),
  ],
  async build(folder, log) {
    const bundle = join(folder, "operator.mjs");
    await run(
      join(projectFolder, "node_modules", ".bin", "esbuild"),
      [
        join(operatorFolder, "main.ts"),
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--target=node22",
        "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
        `--outfile=${bundle}`,
      ],
      { cwd: projectFolder, logFile: log, timeoutSeconds: 120 },
    );
    const layer = join(folder, "operator.layer");
    await writeLayer(
      layer,
      {
        "usr/local/bin/node": { from: nodeRuntime, mode: 0o755 },
        "operator.mjs": { from: bundle },
      },
      log,
    );
    const image = (name: string, mode: string): Image => ({
      reference: `lab/${name}:${pins.slinky}`,
      layers: [layerOf(base), layer],
      entrypoint: ["/usr/local/bin/node", "/operator.mjs", mode],
      user: "65532:65532",
      env: { NODE_ENV: "production" },
    });
    await writeImageArchive(
      join(folder, "slurm-operator.tar"),
      [image("slurm-operator", "manager"), image("slurm-operator-webhook", "webhook")],
      log,
    );
    await removeLayers(folder);
  },
};
