import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackConfig, type StackConfig } from "../../config/stackConfig.ts";
import { chartNames, chartVersions, defaultImages } from "../../versions.ts";

/** A project folder of its own, in which configurations are read. */
export class ConfigFolder {
  readonly path = mkdtempSync(join(tmpdir(), "config-"));
  readonly environment: Record<string, string> = {};

  /** Reads values as Pulumi hands them over: everything but texts as JSON. */
  read(values: Readonly<Record<string, unknown>>): Promise<StackConfig> {
    const texts: Record<string, string> = {};
    for (const [key, value] of Object.entries(values)) {
      texts[key] = typeof value === "string" ? value : JSON.stringify(value);
    }
    const { environment } = this;
    return readStackConfig(texts, {
      projectFolder: this.path,
      stack: "test",
      homeFolder: this.at("home"),
      environment,
    });
  }

  at(...parts: string[]): string {
    return join(this.path, ...parts);
  }

  write(name: string, content: string): void {
    mkdirSync(join(this.at(name), ".."), { recursive: true });
    writeFileSync(this.at(name), content);
  }

  /** Every pinned chart, as an empty archive. */
  makeCharts(folder: string): void {
    for (const name of chartNames) this.write(`${folder}/${name}-${chartVersions[name]}.tgz`, "");
  }

  /** A bundle in the folder `bundle`, with every chart and every image but some. */
  makeBundle(without: readonly string[] = []): string {
    this.makeCharts("bundle/charts");
    const names = Object.keys(defaultImages).filter((name) => !without.includes(name));
    mkdirSync(this.at("bundle/images"));
    this.addArchive("all", names);
    return this.at("bundle");
  }

  /** An archive of the bundle that holds these images. */
  addArchive(archive: string, names: readonly string[]): void {
    const manifest = names.map((name) => ({
      Config: `${"a".repeat(64)}.json`,
      RepoTags: [`lab/${name}:1`],
    }));
    this.write("bundle/manifest.json", JSON.stringify(manifest));
    const file = this.at(`bundle/images/${archive}.tar`);
    execFileSync("tar", ["-cf", file, "-C", this.at("bundle"), "manifest.json"]);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
