import { join } from "node:path";
import { sourcesOf } from "../../artifact.ts";
import { labFolder } from "../../paths.ts";
import { pins } from "../../pins.ts";
import { writeImageArchive, writeLayer } from "../imageArchive.ts";
import type { ImageArchive } from "./imageArtifact.ts";
import { keys, layerOf, mariadb, removeLayers } from "./imageArtifact.ts";

/** The accounting database: Debian's mariadbd under the user and the variables of the upstream image. */
export const mariadbImage: ImageArchive = {
  name: "image-mariadb",
  needs: [mariadb],
  inputs: [...keys([mariadb]), ...sourcesOf(join(labFolder, "mariadb"))],
  async build(folder, log) {
    const layer = join(folder, "entrypoint.layer");
    const entrypoint = { from: join(labFolder, "mariadb", "entrypoint.sh"), mode: 0o755 };
    await writeLayer(layer, { "usr/local/bin/mariadb-entrypoint": entrypoint }, log);
    await writeImageArchive(
      join(folder, "mariadb.tar"),
      [
        {
          reference: `lab/mariadb:${pins.mariadb}`,
          layers: [layerOf(mariadb), layer],
          entrypoint: ["/usr/local/bin/mariadb-entrypoint"],
          user: "999:999",
        },
      ],
      log,
    );
    await removeLayers(folder);
  },
};
