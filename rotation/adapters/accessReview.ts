import type { AuthorizationV1Api } from "@kubernetes/client-node";
import { type AccessQuestion, accessQuestions, wordsOf } from "../access.ts";
import { forEach } from "../keyHolders.ts";
import type { Access } from "../ports.ts";
import { callApiSteadily } from "./connect.ts";

/** {@link Access} by SelfSubjectAccessReviews, which every authenticated user may make. */
export function accessPort(
  api: AuthorizationV1Api,
  namespace: string,
  operatorNamespace: string,
): Access {
  const isAllowed = async (question: AccessQuestion): Promise<boolean> => {
    const { group, resource, subresource, verb, namespace: within, name } = question;
    const resourceAttributes = {
      ...{ group, resource, verb, version: "*" },
      ...(subresource && { subresource }),
      ...(within && { namespace: within }),
      ...(name && { name }),
    };
    const review = await callApiSteadily(`ask whether we may ${wordsOf(question)}`, () =>
      api.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } }),
    );
    return review.status?.allowed === true;
  };
  return {
    async missing() {
      const missing: string[] = [];
      await forEach(accessQuestions(namespace, operatorNamespace), async (question) => {
        if (!(await isAllowed(question))) missing.push(wordsOf(question));
      });
      return missing.sort();
    },
  };
}
