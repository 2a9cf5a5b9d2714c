import type { LoginSetConfig } from "../config/loginSets.ts";
import { imageParts } from "./imageParts.ts";

/** Pure: the chart's values of LoginSets. The init container runs in the login image: its default is a moving tag. */
export function toLoginSetsValues(
  loginSets: Readonly<Record<string, LoginSetConfig>>,
  loginImage: string,
): Record<string, unknown> {
  const image = imageParts(loginImage);
  return Object.fromEntries(
    Object.entries(loginSets).map(([name, loginSet]) => [
      name,
      {
        enabled: true,
        replicas: loginSet.replicas,
        login: { image },
        initconf: { image },
        ...(loginSet.authorizedKeys.length > 0 && {
          rootSshAuthorizedKeys: loginSet.authorizedKeys.join("\n"),
        }),
        ...(loginSet.sshdConfig !== "" && { extraSshdConfig: loginSet.sshdConfig }),
        service: { spec: { type: loginSet.serviceType } },
      },
    ]),
  );
}
