import { strict as assert } from "node:assert";
import { classifyAdmission } from "../../../components/webhook/classifyAdmission.ts";

const calling = 'Internal error occurred: failed calling webhook "controller-v1beta1.kb.io": ';

describe("classifyAdmission (R35)", () => {
  for (const [situation, code, message, kind] of [
    ["created", 201, "", "admitted"],
    [
      "unknown authority",
      500,
      `${calling}tls: failed to verify certificate: x509: certificate signed by unknown authority`,
      "not-yet",
    ],
    [
      "refused",
      500,
      `${calling}Post "https://...": dial tcp 10.0.0.1:443: connect: connection refused`,
      "not-yet",
    ],
    [
      "no endpoints",
      500,
      `${calling}no endpoints available for service "slurm-operator-webhook"`,
      "not-yet",
    ],
    ["deadline", 500, `${calling}context deadline exceeded`, "not-yet"],
    ["API server away", undefined, "fetch failed: ECONNREFUSED", "not-yet"],
    ["too many requests", 429, "too many requests", "not-yet"],
    ["service unavailable", 503, "the server is currently unable to handle the request", "not-yet"],
    ["no such resource", 404, "the server could not find the requested resource", "hopeless"],
    [
      "no such webhook path",
      500,
      `${calling}the server could not find the requested resource`,
      "hopeless",
    ],
    ["not allowed", 403, "controllers is forbidden", "hopeless"],
    [
      "denied by the webhook",
      400,
      'admission webhook "controller-v1beta1.kb.io" denied the request',
      "hopeless",
    ],
    ["invalid", 422, "spec.slurmKeyRef: Required value", "hopeless"],
  ] as const) {
    it(`${situation} => ${kind}`, () => {
      const answer = { message, ...(code !== undefined && { code }) };
      assert.equal(classifyAdmission(answer).kind, kind);
    });
  }

  it("404 => a hint at versions; 403 => a hint at permissions", () => {
    const hint = (code: number) => JSON.stringify(classifyAdmission({ code, message: "" }));
    assert.match(hint(404), /versions of the charts/);
    assert.match(hint(403), /must be allowed to create/);
  });
});
