import { join } from "node:path";
import { sourcesOf } from "../../artifact.ts";
import { labFolder } from "../../paths.ts";
import { pins } from "../../pins.ts";
import { writeImageArchive, writeLayer } from "../imageArchive.ts";
import type { ImageArchive } from "./imageArtifact.ts";
import { keys, layerOf, removeLayers, slurm } from "./imageArtifact.ts";

/** Entry points as the operator expects them: arguments hold quotes that a shell must evaluate. */
const slurmEntrypoints: Record<string, string[]> = {
  slurmctld: ["tini", "-g", "--", "sh", "-c", 'eval "exec slurmctld -D $*"', "slurmctld"],
  slurmd: ["tini", "-g", "--", "sh", "-c", 'eval "exec slurmd -D $*"', "slurmd"],
  slurmrestd: ["tini", "-g", "--", "slurmrestd"],
  slurmdbd: ["tini", "-g", "--", "slurmdbd", "-D"],
  login: ["tini", "-g", "--", "/usr/local/bin/login-entrypoint"],
};

export const slurmImages: ImageArchive = {
  name: "images-slurm",
  needs: [slurm],
  inputs: [
    ...keys([slurm]),
    JSON.stringify(slurmEntrypoints),
    ...sourcesOf(join(labFolder, "slurm")),
  ],
  async build(folder, log) {
    const extra = join(folder, "extra.layer");
    const login = { from: join(labFolder, "slurm", "login.sh"), mode: 0o755 };
    await writeLayer(extra, { "usr/local/bin/login-entrypoint": login }, log);
    const images = Object.entries(slurmEntrypoints).map(([name, entrypoint]) => ({
      reference: `lab/${name}:${pins.slurm}`,
      layers: [layerOf(slurm), extra],
      entrypoint,
    }));
    await writeImageArchive(join(folder, "slurm.tar"), images, log);
    await removeLayers(folder);
  },
};
