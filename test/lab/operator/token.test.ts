import { strict as assert } from "node:assert";
import type { Token } from "../../../lab/operator/crds.ts";
import type { DataObject } from "../../../lab/operator/kube/apply.ts";
import { reconcileToken } from "../../../lab/operator/reconcilers/token.ts";
import { signSlurmToken, verifySlurmToken } from "../../../lab/operator/slurm/jwt.ts";
import { contextOf, secret, START_MS } from "./cluster.ts";
import { FakeKube } from "./fakeKube.ts";

const key = Buffer.from("jwt-key-of-the-test");
const token: Token = {
  apiVersion: "slinky.slurm.net/v1beta1",
  kind: "Token",
  metadata: { name: "ci", namespace: "slurm" },
  spec: { jwtKeyRef: { name: "slurm-jwt", key: "jwt.key" }, username: "alice" },
};

function cluster(spec: Partial<Token["spec"]> = {}): FakeKube {
  const jwt = secret("slurm-jwt", { "jwt.key": key.toString() });
  return new FakeKube({ ...token, spec: { ...token.spec, ...spec } } as Token, jwt);
}

function sync(api: FakeKube, afterSeconds = 0): Promise<number | undefined> {
  return reconcileToken(contextOf(api, undefined, START_MS + afterSeconds * 1000), "slurm", "ci");
}

function jwtIn(api: FakeKube): string {
  const { data } = api.read<DataObject>("Secret", "ci-jwt-alice");
  return Buffer.from(data?.["SLURM_JWT"] ?? "", "base64").toString();
}

describe("Token", () => {
  it("new Token => Secret for the user, owned by the jwt Secret, valid 15 minutes", async () => {
    const api = cluster();
    assert.equal(await sync(api), 12 * 60);
    const claims = verifySlurmToken(jwtIn(api), key);
    assert.deepEqual(claims, { sun: "alice", iat: START_MS / 1000, exp: START_MS / 1000 + 900 });
    const owner = api.read("Secret", "ci-jwt-alice").metadata.ownerReferences?.[0];
    assert.deepEqual([owner?.kind, owner?.name], ["Secret", "slurm-jwt"]);
  });

  it("before and after 80 % of the lifetime => kept, then renewed", async () => {
    const api = cluster({ lifetime: "1h40m" });
    assert.equal(await sync(api), 4800);
    const first = jwtIn(api);
    assert.equal(await sync(api, 4000), 800);
    assert.equal(jwtIn(api), first);
    await sync(api, 4800);
    assert.notEqual(jwtIn(api), first);
  });

  it("refresh false => never renewed", async () => {
    const api = cluster({ refresh: false });
    await sync(api);
    const first = jwtIn(api);
    assert.equal(await sync(api, 10_000), undefined);
    assert.equal(jwtIn(api), first);
  });

  it("jwt key changed => the sync fails and the token is not signed again", async () => {
    const api = cluster();
    await sync(api);
    const first = jwtIn(api);
    api.edit<DataObject>("Secret", "slurm-jwt", (object) => {
      object.data = secret("slurm-jwt", { "jwt.key": "another" }).data;
    });
    await assert.rejects(sync(api, 10_000), /signature does not match/);
    assert.equal(jwtIn(api), first);
  });

  it("lifetime that is no duration => refused with the form", async () => {
    await assert.rejects(sync(cluster({ lifetime: "soon" })), /"soon" is no duration/);
  });

  it("token changed in one character => refused", () => {
    const jwt = signSlurmToken(key, "slurm", 60, START_MS);
    const [header = "", payload = "", mac = ""] = jwt.split(".");
    const forged = Buffer.from(payload, "base64url").toString().replace("slurm", "root_");
    const body = Buffer.from(forged).toString("base64url");
    assert.throws(() => verifySlurmToken(`${header}.${body}.${mac}`, key), /signature/);
  });
});
