import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { defaultImages } from "../../versions.ts";
import { slurmValues as values, type Values } from "../support/slurmValues.ts";

describe("toLoginSetsValues", () => {
  it("login => the values that the real operator was recorded with", () => {
    const recorded = JSON.parse(readFileSync("test/recorded/values.json", "utf8")) as Values;
    const { loginsets, sssd } = values({
      images: { ...defaultImages, login: "lab/login:26.05" },
      loginSets: {
        login: {
          replicas: 1,
          serviceType: "ClusterIP",
          authorizedKeys: ["ssh-ed25519 (a public key)"],
          sshdConfig: "",
        },
      },
    });
    assert.deepEqual(loginsets?.login, { ...recorded.loginsets?.login, replicas: 1 });
    assert.equal(sssd, undefined);
  });

  it("two public keys, sshd settings and sssd => a line each; the Secret by reference", () => {
    const { loginsets, sssd } = values({
      loginSets: {
        login: {
          replicas: 2,
          serviceType: "NodePort",
          authorizedKeys: ["a", "b"],
          sshdConfig: "PermitRootLogin no",
        },
      },
      sssdSecret: { name: "directory", key: "sssd.conf" },
    });
    assert.equal(loginsets?.login?.rootSshAuthorizedKeys, "a\nb");
    assert.equal(loginsets?.login?.extraSshdConfig, "PermitRootLogin no");
    assert.deepEqual(sssd, { secretRef: { name: "directory", key: "sssd.conf" } });
  });
});
