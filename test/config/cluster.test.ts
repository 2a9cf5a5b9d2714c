import { strict as assert } from "node:assert";
import { ConfigFolder } from "../support/configFolder.ts";

const kubeconfig = "contexts: [{ name: prod }, { name: staging }]";

describe("cluster: existing", () => {
  let folder: ConfigFolder;
  const read = (values: Record<string, unknown>) => folder.read(values);

  beforeEach(() => {
    folder = new ConfigFolder();
    folder.write("kubeconfig", kubeconfig);
  });
  afterEach(() => folder.remove());

  it("a kubeconfig that does not parse => refused", async () => {
    folder.write("kubeconfig", "a: [");
    const values = { cluster: "existing", kubeconfig: "kubeconfig", context: "prod" };
    await assert.rejects(read(values), /kubeconfig: .* parses as a kubeconfig/);
  });

  it("an existing cluster => the file's text and the context", async () => {
    const values = { cluster: "existing", kubeconfig: "kubeconfig", context: "prod" };
    assert.deepEqual((await read(values)).cluster, {
      kind: "existing",
      kubeconfig,
      context: "prod",
    });
  });

  it("a kubeconfig in the home folder => found by ~/", async () => {
    folder.write("home/config", kubeconfig);
    const values = { cluster: "existing", kubeconfig: "~/config", context: "staging" };
    assert.equal((await read(values)).cluster.kind, "existing");
  });
});
