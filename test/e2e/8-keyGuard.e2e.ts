import { strict as assert } from "node:assert";
import { kubectl, kubectlJson } from "./support/lab.ts";
import { bringUpForRotations, inSlurm } from "./support/rotations.ts";

interface Secret {
  metadata: { uid: string; annotations: Record<string, string> };
  data: Record<string, string>;
  immutable: boolean;
}

const auth = ["secret", "slurm-auth", ...inSlurm];
const readAuth = () => kubectlJson<Secret>(["get", ...auth]);
const other = Buffer.alloc(64, 1).toString("base64");
const manifest = (name: string, more: object = {}): string =>
  JSON.stringify({
    ...{ apiVersion: "v1", kind: "Secret", type: "Opaque", immutable: true },
    ...{ metadata: { name, namespace: "slurm" }, data: { "slurm.key": other }, ...more },
  });
const patch = (type: string, body: unknown) =>
  kubectl(["patch", ...auth, `--type=${type}`, `--patch=${JSON.stringify(body)}`]);
const raw = (verb: string, path: string, body: string) =>
  kubectl([verb, "--raw", `/api/v1/namespaces/slurm/${path}`, "--filename", "-"], { input: body });

/** Every way in which somebody with all rights tries to change the key beside a rotation. */
const ways: Record<string, (live: Secret) => ReturnType<typeof kubectl>> = {
  "kubectl delete": () => kubectl(["delete", ...auth]),
  "kubectl delete --force": () => kubectl(["delete", ...auth, "--force", "--grace-period=0"]),
  "a delete of the collection": () =>
    raw("delete", "secrets?fieldSelector=metadata.name%3Dslurm-auth", "{}"),
  "a delete that names the uid": ({ metadata }) =>
    raw("delete", "secrets/slurm-auth", JSON.stringify({ preconditions: { uid: metadata.uid } })),
  "a merge patch of the data": () => patch("merge", { data: { "slurm.key": other } }),
  "a merge patch with stringData": () => patch("merge", { stringData: { "slurm.key": "x" } }),
  "a JSON patch that removes the entry": () =>
    patch("json", [{ op: "remove", path: "/data/slurm.key" }]),
  "a patch that adds an entry": () => patch("merge", { data: { more: other } }),
  "a patch that makes it mutable": () => patch("merge", { immutable: false }),
  "kubectl replace": () =>
    kubectl(["replace", "--filename", "-"], { input: manifest("slurm-auth") }),
  "kubectl replace --force": () =>
    kubectl(["replace", "--force", "--filename", "-"], { input: manifest("slurm-auth") }),
  "kubectl apply --server-side": () =>
    kubectl(["apply", "--server-side", "--force-conflicts", "--filename", "-"], {
      input: manifest("slurm-auth"),
    }),
  "another staged key": () =>
    kubectl(["create", "--filename", "-"], { input: manifest("slurm-auth-0123456789ab") }),
};

describe("key guard", () => {
  before(async () => {
    await bringUpForRotations();
  });

  for (const [way, attempt] of Object.entries(ways)) {
    it(`${way}, as cluster-admin => refused, the key stays`, async () => {
      const before = await readAuth();
      const { code, all } = await attempt(before);
      assert.notEqual(code, 0);
      assert.match(all, /Slurm key|immutable/);
      assert.deepEqual((await readAuth()).data, before.data);
      assert.equal((await readAuth()).metadata.uid, before.metadata.uid);
    });
  }

  it("an unlocked key => no delete without its uid, none of another's", async () => {
    const { metadata } = await readAuth();
    const unlocked = `slinky-stack.dev/unlocked-for-deletion=${metadata.uid}`;
    assert.equal((await kubectl(["annotate", ...auth, unlocked])).code, 0);
    try {
      const { code, all } = await kubectl(["delete", ...auth]);
      assert.notEqual(code, 0);
      assert.match(all, /deleted by a rotation or pulumi destroy only/);
    } finally {
      await kubectl(["annotate", ...auth, `${unlocked.split("=")[0]}-`]);
    }
  });

  it("somebody who may edit Secrets but not rotate => may not unlock, nor announce", async () => {
    const account = "system:serviceaccount:slurm:intruder";
    const asIntruder = ["--as", account];
    const verbs = "--verb=get,list,create,update,patch,delete";
    const role = ["create", "role", "edit-secrets", ...inSlurm, verbs, "--resource=secrets"];
    assert.equal((await kubectl(role)).code, 0);
    const bind = ["create", "rolebinding", "edit-secrets", ...inSlurm, "--role=edit-secrets"];
    assert.equal((await kubectl([...bind, "--serviceaccount=slurm:intruder"])).code, 0);
    try {
      const { metadata } = await readAuth();
      const mark = `slinky-stack.dev/unlocked-for-deletion=${metadata.uid}`;
      const unlocked = await kubectl(["annotate", ...auth, mark, ...asIntruder]);
      assert.notEqual(unlocked.code, 0);
      assert.match(unlocked.all, /written by a rotation only/);
      const label = await kubectl(["label", ...auth, "team=hpc", ...asIntruder]);
      assert.equal(label.code, 0, label.all);
      await kubectl(["label", ...auth, "team-"]);
    } finally {
      await kubectl(["delete", "rolebinding,role", "edit-secrets", ...inSlurm]);
    }
  });

  it("other Secrets and other namespaces => none of its business", async () => {
    const plain = JSON.parse(manifest("plain")) as { immutable?: boolean };
    delete plain.immutable;
    const made = await kubectl(["create", "--filename", "-"], { input: JSON.stringify(plain) });
    assert.equal(made.code, 0, made.all);
    assert.equal((await kubectl(["delete", "secret", "plain", ...inSlurm])).code, 0);
    const elsewhere = JSON.parse(manifest("slurm-auth")) as { metadata: { namespace: string } };
    elsewhere.metadata.namespace = "default";
    const there = await kubectl(["create", "--filename", "-"], {
      input: JSON.stringify(elsewhere),
    });
    assert.equal(there.code, 0, there.all);
    assert.equal(
      (await kubectl(["delete", "secret", "slurm-auth", "--namespace", "default"])).code,
      0,
    );
  });
});
