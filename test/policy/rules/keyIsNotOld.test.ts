import { rotationType } from "../../../policy/reading/rotations.ts";
import { keyIsNotOld } from "../../../policy/rules/keyIsNotOld.ts";
import { itJudgesStacks } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const now = () => Date.parse("2026-06-30T12:00:00Z");

describe("key-is-not-old", () => {
  const rotated = (rotatedAt: unknown, more: object = {}) => [
    { type: rotationType, name: "key", props: { rotatedAt, ...more } },
  ];
  const told = ["key: the auth key serves for more than 90 days"];

  itJudgesStacks(keyIsNotOld("advisory", { now }), [
    ["rotated 90 days ago => passes", rotated("2026-04-01T12:00:00.000Z"), []],
    ["rotated 91 days ago => told", rotated("2026-03-31T11:00:00.000Z"), told],
    ["never rotated => passes: nobody knows since when it serves", rotated(""), []],
    [
      "never rotated, made long ago => told",
      rotated("", { createdAt: "2025-01-01T00:00:00Z" }),
      told,
    ],
    [
      "made long ago, rotated lately => passes",
      rotated("2026-06-01T00:00:00Z", { createdAt: "2025-01-01T00:00:00Z" }),
      [],
    ],
    [
      "a rotation that is to come => passes",
      rotated(unknown, { createdAt: "2025-01-01T00:00:00Z" }),
      [],
    ],
    ["a preview of the creation => passes", [{ type: rotationType, props: { keySeed: "a" } }], []],
    ["no date => passes", rotated("yesterday"), []],
    [
      "any other resource => passes",
      [{ type: "any:any:Any", props: { rotatedAt: "2020-01-01T00:00:00Z" } }],
      [],
    ],
  ]);

  describe("with another age", () => {
    itJudgesStacks(keyIsNotOld("advisory", { now, maxKeyAgeDays: 1 }), [
      [
        "rotated two days ago => told",
        rotated("2026-06-28T12:00:00Z"),
        ["key: the auth key serves for more than 1 days"],
      ],
    ]);
  });
});
