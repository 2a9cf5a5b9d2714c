import { strict as assert } from "node:assert";
import type { AdmissionAnswer } from "../../../components/webhook/classifyAdmission.ts";
import { waitForWebhook } from "../../../components/webhook/waitForWebhook.ts";
import { ManualClock } from "../../fakes/manualClock.ts";

const x509 = { code: 500, message: "x509: certificate signed by unknown authority" };
const refused = { code: 500, message: "connect: connection refused" };
const noEndpoints = { code: 500, message: "no endpoints available for service" };
const notFound = { code: 404, message: "the server could not find the requested resource" };
const created = { code: 201, message: "" };

describe("waitForWebhook (R35)", () => {
  let asked: number;

  /** Answers one after the other; the last one stays. */
  const wait = (answers: AdmissionAnswer[], timeoutSeconds = 60) => {
    asked = 0;
    const probe = () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? created);
    return waitForWebhook(probe, timeoutSeconds, new ManualClock());
  };

  it("x509 four times, refused twice, then created => admitted within the budget", async () => {
    const answers = [x509, x509, x509, x509, refused, refused, created];
    assert.deepEqual(await wait(answers), { attempts: 7, seconds: 12 });
  });

  it("no endpoints for ever => fails at the deadline with that cause", async () => {
    await assert.rejects(
      wait([noEndpoints]),
      /did not answer within 60 s \(31 attempts\): no endpoints available/,
    );
  });

  it("404 => fails on the first try with a hint", async () => {
    await assert.rejects(wait([notFound]), /cannot work: .* versions of the charts/);
    assert.equal(asked, 1);
  });

  it("not yet, then 404 => fails as soon as it is hopeless", async () => {
    await assert.rejects(wait([x509, notFound]), /cannot work/);
    assert.equal(asked, 2);
  });
});
