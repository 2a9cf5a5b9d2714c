import { PolicyPack } from "@pulumi/policy";
import { chartsArePinned } from "./rules/chartsArePinned.ts";
import { chartsCarryNoKeys } from "./rules/chartsCarryNoKeys.ts";
import { chartsCreateNoKeys } from "./rules/chartsCreateNoKeys.ts";
import { imagesArePinned } from "./rules/imagesArePinned.ts";
import { imagesHaveDigests } from "./rules/imagesHaveDigests.ts";
import { keyIsNotOld } from "./rules/keyIsNotOld.ts";
import { keyLikeConfigMapsAreImmutable } from "./rules/keyLikeConfigMapsAreImmutable.ts";
import { kindOnlyWhereAllowed } from "./rules/kindOnlyWhereAllowed.ts";
import { loginIsNotPublic } from "./rules/loginIsNotPublic.ts";
import { oneRotationPerCluster } from "./rules/oneRotationPerCluster.ts";
import { onlyTheRotationOwnsTheKey } from "./rules/onlyTheRotationOwnsTheKey.ts";
import { outputsHoldNoKeys } from "./rules/outputsHoldNoKeys.ts";
import { providersKeepSecretsImmutable } from "./rules/providersKeepSecretsImmutable.ts";
import { returnToServiceIsTwo } from "./rules/returnToServiceIsTwo.ts";
import { rotationIsProtected } from "./rules/rotationIsProtected.ts";
import { rotationSecretsAreNamed } from "./rules/rotationSecretsAreNamed.ts";
import { rotationSettingsAreSane } from "./rules/rotationSettingsAreSane.ts";
import { secretsAreImmutable } from "./rules/secretsAreImmutable.ts";
import { seedIsFresh } from "./rules/seedIsFresh.ts";
import { slurmrestdHasNoSack } from "./rules/slurmrestdHasNoSack.ts";
import { slurmWaitsForItsKey } from "./rules/slurmWaitsForItsKey.ts";
import { webhooksCannotLock } from "./rules/webhooksCannotLock.ts";

new PolicyPack("slinky-stack", {
  policies: [
    // Secrets and keys
    secretsAreImmutable("mandatory"),
    keyLikeConfigMapsAreImmutable("mandatory"),
    onlyTheRotationOwnsTheKey("mandatory"),
    providersKeepSecretsImmutable("mandatory"),
    outputsHoldNoKeys("mandatory"),
    // The rotation
    rotationIsProtected("mandatory"),
    rotationSecretsAreNamed("mandatory"),
    rotationSettingsAreSane("mandatory"),
    oneRotationPerCluster("mandatory"),
    slurmWaitsForItsKey("mandatory"),
    keyIsNotOld("advisory"),
    seedIsFresh("advisory"),
    // Slurm
    chartsCreateNoKeys("mandatory"),
    chartsCarryNoKeys("mandatory"),
    slurmrestdHasNoSack("mandatory"),
    returnToServiceIsTwo("mandatory"),
    loginIsNotPublic("advisory"),
    // What is installed, and where
    chartsArePinned("mandatory"),
    imagesArePinned("mandatory"),
    imagesHaveDigests("advisory"),
    kindOnlyWhereAllowed("mandatory"),
    webhooksCannotLock("advisory"),
  ],
});
