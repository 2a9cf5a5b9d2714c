import { Problems } from "../../../config/problems.ts";
import { RawValues } from "../../../config/rawValues.ts";
import { readRotation } from "../../../config/rotation.ts";
import { rotationType } from "../../../policy/reading/rotations.ts";
import { rotationSettingsAreSane } from "../../../policy/rules/rotationSettingsAreSane.ts";
import { itJudges } from "../../support/policyCases.ts";
import { randomKey } from "../../support/policyKeys.ts";
import { unknown } from "../../support/policyServer.ts";

/** What a configuration that says nothing comes to. */
const sound = readRotation(new RawValues({}, new Problems()));

describe("rotation-settings-are-sane", () => {
  const seed = (keySeed: unknown) => rotation({}, { keySeed });

  itJudges(rotationSettingsAreSane("mandatory"), [
    ["the defaults => pass", rotation(), []],
    [
      "the ring's strategy and requeueing => pass",
      rotation({ strategy: "live", onDrainTimeout: "requeue" }),
      [],
    ],
    ["an unknown strategy => told", rotation({ strategy: "restart" }), ["rotation.strategy"]],
    ["a strategy in another case => told", rotation({ strategy: "Drain" }), ["rotation.strategy"]],
    ["no strategy => told", rotation({ strategy: undefined }), ["rotation.strategy"]],
    ["another ending => told", rotation({ onDrainTimeout: "kill" }), ["rotation.onDrainTimeout"]],
    [
      "a wait for ever => told",
      rotation({ drainTimeoutSeconds: 1e9 }),
      ["rotation.drainTimeoutSeconds"],
    ],
    [
      "no wait at all => told",
      rotation({ verifyTimeoutSeconds: 0 }),
      ["rotation.verifyTimeoutSeconds"],
    ],
    [
      "half a second => told",
      rotation({ quiesceTimeoutSeconds: 10.5 }),
      ["rotation.quiesceTimeoutSeconds"],
    ],
    [
      "seconds as text => told",
      rotation({ restoreTimeoutSeconds: "300" }),
      ["rotation.restoreTimeoutSeconds"],
    ],
    [
      "no deadline of the deletion => told",
      rotation({}, { deleteTimeoutSeconds: undefined }),
      ["deleteTimeoutSeconds"],
    ],
    ["settings not known yet => pass", rotation({}, { rotation: unknown }), []],
    ["a seed not known yet => passes", seed(unknown), []],
    ["a date as seed => passes", seed("2026-11-30 after the audit"), []],
    ["no seed => told", seed(undefined), ["keySeed is not"]],
    ["an empty seed => told", seed(""), ["keySeed is not"]],
    ["blanks around the seed => told", seed(" spring "), ["keySeed is not"]],
    ["a seed with an umlaut => told", seed("frühling"), ["keySeed is not"]],
    ["a seed of 129 characters => told", seed("a".repeat(129)), ["keySeed is not"]],
    ["a key as seed => told", seed(randomKey(64)), ["keySeed looks like a key"]],
    [
      "a key in hex as seed => told",
      seed(Buffer.from(randomKey(64), "base64").toString("hex")),
      ["keySeed looks like a key"],
    ],
    [
      "the JWT key, which is not rotated => passes",
      { type: "pulumi-nodejs:dynamic/rotation:JwtKey" },
      [],
    ],
  ]);
});

function rotation(settings: object = {}, more: object = {}) {
  const inputs = {
    keySeed: "initial",
    deleteTimeoutSeconds: 120,
    rotation: { ...sound, ...settings },
  };
  return { type: rotationType, props: { ...inputs, ...more } };
}
