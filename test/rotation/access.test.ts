import { strict as assert } from "node:assert";
import type { AuthorizationV1Api } from "@kubernetes/client-node";
import { accessQuestions, rotationAccess, wordsOf } from "../../rotation/access.ts";
import { accessPort } from "../../rotation/adapters/accessReview.ts";

interface Review {
  spec: { resourceAttributes: Record<string, string> };
}

/** An API server that allows whatever `isAllowed` says. */
const reviews = (isAllowed: (attributes: Record<string, string>) => boolean) =>
  ({
    createSelfSubjectAccessReview: ({ body }: { body: Review }) =>
      Promise.resolve({ status: { allowed: isAllowed(body.spec.resourceAttributes) } }),
  }) as unknown as AuthorizationV1Api;

describe("access", () => {
  it("every verb of every rule => one question, in the namespace that is meant", () => {
    const questions = accessQuestions("hpc", "ops");
    const verbs = rotationAccess.reduce((sum, rule) => sum + rule.verbs.length, 0);
    assert.equal(questions.length, verbs);
    assert.equal(new Set(questions.map(wordsOf)).size, verbs);
    const words = questions.map(wordsOf);
    assert.ok(words.includes("get pods --subresource=exec -n hpc"));
    assert.ok(words.includes("patch deployments.apps --subresource=scale -n ops"));
    assert.ok(words.includes("patch namespaces/hpc"));
    assert.ok(words.includes("rotate secrets/slurm-auth -n hpc"));
  });

  it("all allowed => nothing is missing", async () => {
    assert.deepEqual(
      await accessPort(
        reviews(() => true),
        "slurm",
        "slinky",
      ).missing(),
      [],
    );
  });

  for (const [index, question] of accessQuestions("slurm", "slinky").entries()) {
    it(`all but one => it is named: ${wordsOf(question)}`, async () => {
      let asked = 0;
      const api = reviews(() => asked++ !== index);
      const missing = await accessPort(api, "slurm", "slinky").missing();
      assert.deepEqual(missing, [wordsOf(question)]);
    });
  }
});
