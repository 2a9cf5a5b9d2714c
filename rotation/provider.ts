import type * as pulumi from "@pulumi/pulumi";
import type * as engine from "./engine.ts";

/**
 * Loads the engine from the program's folder, which is the working folder of Pulumi's provider process. Everything is
 * imported in here: this function is stored in the state as text, and captures nothing (R03, R39).
 */
async function loadEngine(): Promise<typeof engine> {
  const path = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const file = path.join(process.cwd(), "rotation", "engine.ts");
  return (await import(pathToFileURL(file).href)) as typeof engine;
}

type Inputs = Parameters<typeof engine.create>[0];
type Outputs = Parameters<typeof engine.remove>[0];

/** The thin shell that Pulumi serializes into the state of every key resource. */
export const keyProvider: pulumi.dynamic.ResourceProvider<Inputs, Outputs> = {
  async diff(_id, olds, news) {
    return (await loadEngine()).diff(olds, news);
  },
  async create(inputs) {
    return (await loadEngine()).create(inputs);
  },
  async read(id, props) {
    const { id: liveId, props: live } = await (await loadEngine()).read(id, props as Outputs);
    return { ...(liveId && { id: liveId }), ...(live && { props: live }) };
  },
  async update(_id, olds, news) {
    return (await loadEngine()).update(olds, news);
  },
  async delete(_id, props) {
    await (await loadEngine()).remove(props);
  },
};
