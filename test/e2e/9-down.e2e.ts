import { strict as assert } from "node:assert";
import { execute, kindName, npmRun, pulumi, succeed } from "./support/lab.ts";
import { removeSshKey } from "./support/ssh.ts";
import { removeScripts } from "./support/wholeStack.ts";

const words = (text: string): string[] => text.split("\n").filter(Boolean);

describe("down", () => {
  let volumes: string[];

  before(async () => {
    volumes = words(await succeed("docker", ["volume", "ls", "--quiet"]));
  });

  it("down => no container, volume, network, process, state or kubeconfig of ours is left", async () => {
    const { code, all } = await npmRun("down", ["--remove-stack"]);
    assert.equal(code, 0, all);
    assert.ok(volumes.length > 0, "KinD nodes had anonymous volumes");
    // down stopped the engine that the lab had started: start it again to look into it.
    await succeed("npm", ["run", "--silent", "lab:build"]);
    const filter = ["--filter", `label=io.x-k8s.kind.cluster=${kindName}`];
    assert.deepEqual(words(await succeed("docker", ["ps", "--all", "--quiet", ...filter])), []);
    assert.deepEqual(words(await succeed("docker", ["volume", "ls", "--quiet"])), []);
    const networks = words(await succeed("docker", ["network", "ls", "--format", "{{.Name}}"]));
    assert.ok(!networks.includes("kind"), networks.join(", "));
    assert.equal((await execute("test", ["-e", `.slinky/kind/${kindName}`])).code, 1);
    assert.equal(
      (await execute("pgrep", ["--full", `kind create cluster --name ${kindName}`])).code,
      1,
    );
    assert.notEqual((await pulumi(["stack", "output"])).code, 0, "the stack is gone");
  });

  it("down again => nothing to do, exit code 0", async () => {
    const { code, all } = await npmRun("down");
    assert.equal(code, 0, all);
    removeScripts();
    removeSshKey();
  });
});
