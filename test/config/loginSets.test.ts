import { strict as assert } from "node:assert";
import { readLogin } from "../../config/loginSets.ts";
import { readRaw } from "../support/readRaw.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0 someone@example.com";
const read = (values: Record<string, unknown>) => readRaw(values, readLogin);

describe("loginSets", () => {
  it("nothing set => no login pods", async () => {
    assert.deepEqual(await read({}), { loginSets: {}, sssdSecret: undefined });
  });

  it("public keys alone => one pod behind a ClusterIP", async () => {
    assert.deepEqual((await read({ loginSets: { login: { authorizedKeys: [key] } } })).loginSets, {
      login: { replicas: 1, serviceType: "ClusterIP", authorizedKeys: [key], sshdConfig: "" },
    });
  });

  it("every field => read", async () => {
    const options = 'from="10.0.0.0/8",no-pty ' + key;
    const login = {
      replicas: 2,
      serviceType: "LoadBalancer",
      authorizedKeys: [key, options],
      sshdConfig: "PermitRootLogin no\n",
    };
    const values = { loginSets: { login }, sssdSecret: { name: "directory" } };
    assert.deepEqual(await read(values), {
      loginSets: { login: { ...login, sshdConfig: "PermitRootLogin no" } },
      sssdSecret: { name: "directory", key: "sssd.conf" },
    });
  });

  it("sssd without public keys => accepted: the users come from the directory", async () => {
    await read({ loginSets: { login: {} }, sssdSecret: { name: "directory" } });
  });

  const refusals: [string, Record<string, unknown>, RegExp][] = [
    [
      "neither public keys nor sssd",
      { loginSets: { login: {} } },
      /loginSets\.login: lets nobody in: .*authorizedKeys.*sssdSecret/,
    ],
    [
      "a name with capitals",
      { loginSets: { Login: { authorizedKeys: [key] } } },
      /loginSets\.Login: /,
    ],
    ["a LoginSet that is a list", { loginSets: { login: [] } }, /loginSets\.login: \[\] /],
    [
      "an unknown field",
      { loginSets: { login: { authorisedKeys: [key] } } },
      /login\.authorisedKeys: .*"authorizedKeys"/,
    ],
    [
      "half a replica",
      { loginSets: { login: { authorizedKeys: [key], replicas: 0.5 } } },
      /login\.replicas: 0\.5/,
    ],
    [
      "an unknown kind of Service",
      { loginSets: { login: { authorizedKeys: [key], serviceType: "Ingress" } } },
      /login\.serviceType: "Ingress" .*ClusterIP, NodePort, LoadBalancer/,
    ],
    [
      "a key that is a path",
      { loginSets: { login: { authorizedKeys: ["~/.ssh/id_ed25519.pub"] } } },
      /authorizedKeys\[0\]: is no line of authorized_keys/,
    ],
    [
      "sshdConfig as a list",
      { loginSets: { login: { authorizedKeys: [key], sshdConfig: [] } } },
      /login\.sshdConfig: /,
    ],
    ["sssd in the auth key's Secret", { sssdSecret: { name: "slurm-auth" } }, /sssdSecret\.name: /],
  ];
  for (const [situation, values, message] of refusals) {
    it(`${situation} => refused`, () => assert.rejects(read(values), message));
  }

  it("a private key in the place of a public one => refused, and not repeated", async () => {
    const pem = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk";
    await assert.rejects(read({ loginSets: { login: { authorizedKeys: [pem] } } }), (error) => {
      assert.ok(!String(error).includes("b3BlbnNz"));
      return true;
    });
  });
});
