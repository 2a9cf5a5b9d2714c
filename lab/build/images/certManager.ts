import { join } from "node:path";
import { pins } from "../../pins.ts";
import { writeImageArchive } from "../imageArchive.ts";
import type { ImageArchive } from "./imageArtifact.ts";
import { keys, removeLayers, tool, toolLayer } from "./imageArtifact.ts";

const certManager = tool("certManager");

export const certManagerImages: ImageArchive = {
  name: "images-cert-manager",
  needs: [certManager],
  inputs: keys([certManager]),
  async build(folder, log) {
    const layer = await toolLayer(folder, "certManager", log);
    const images = ["controller", "cainjector", "webhook", "startupapicheck"].map((mode) => ({
      reference: `lab/cert-manager-${mode}:${pins.certManager}`,
      layers: [layer],
      entrypoint: ["/usr/local/bin/cert-manager", mode],
      user: "1000",
    }));
    await writeImageArchive(join(folder, "cert-manager.tar"), images, log);
    await removeLayers(folder);
  },
};
