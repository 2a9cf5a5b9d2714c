import { PolicyPack } from "@pulumi/policy";
import { chartsCreateNoKeys } from "./rules/chartsCreateNoKeys.ts";
import { secretsAreImmutable } from "./rules/secretsAreImmutable.ts";

new PolicyPack("slinky-stack", {
  policies: [secretsAreImmutable("mandatory"), chartsCreateNoKeys("mandatory")],
});
