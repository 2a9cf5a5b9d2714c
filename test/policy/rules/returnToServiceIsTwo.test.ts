import { returnToServiceIsTwo } from "../../../policy/rules/returnToServiceIsTwo.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const inMap = "values.controller.extraConfMap.ReturnToService";
const inLines = "values.controller.extraConf";
const controllerType = "kubernetes:slinky.slurm.net/v1beta1:Controller";

describe("return-to-service-is-two", () => {
  const of = (controller: unknown) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart: "slurm", values: { controller } },
  });
  const conf = (extraConfMap: unknown) => of({ extraConfMap });

  itJudges(returnToServiceIsTwo("mandatory"), [
    ["2 as text => passes", conf({ ReturnToService: "2" }), []],
    ["2 as number => passes", conf({ ReturnToService: 2 }), []],
    ["another case, which Slurm takes => passes", conf({ returntoservice: "2" }), []],
    ["1 => told", conf({ ReturnToService: "1" }), [`${inMap} sets`]],
    [
      "2 and 0 in another case => told",
      conf({ ReturnToService: "2", RETURNTOSERVICE: 0 }),
      [`${inMap} sets`],
    ],
    ["absent => told", conf({ MaxTime: "1" }), [`${inMap} does not`]],
    [
      "no values => told",
      { type: "kubernetes:helm.sh/v3:Release", props: { chart: "slurm" } },
      [`${inMap} does not`],
    ],
    ["in lines => passes", of({ extraConf: "MaxTime=1\n  returnToService = 2 # heal\n" }), []],
    ["1 in lines => told", of({ extraConf: "ReturnToService=1" }), [`${inLines} sets`]],
    [
      "in a comment only => told",
      of({ extraConf: "# ReturnToService=2" }),
      [`${inLines} does not`],
    ],
    [
      "in the map, which lines put out of force => told",
      of({ extraConf: "MaxTime=1", extraConfMap: { ReturnToService: "2" } }),
      [`${inLines} does not`],
    ],
    ["not known yet => passes", conf({ ReturnToService: unknown }), []],
    ["the map not known yet => passes", conf(unknown), []],
    ["lines not known yet => pass", of({ extraConf: unknown, extraConfMap: {} }), []],
    ["a slurmctld outside => its own affair", of({ external: true }), []],
    [
      "another chart => passes",
      { type: "kubernetes:helm.sh/v3:Release", props: { chart: "nginx" } },
      [],
    ],
    [
      "a Controller with it => passes",
      { type: controllerType, props: { spec: { extraConf: "ReturnToService=2" } } },
      [],
    ],
    [
      "a Controller without it => told",
      { type: controllerType, props: { spec: {} } },
      ["spec.extraConf does not"],
    ],
    [
      "a List of Controllers => told of the item",
      {
        type: "kubernetes:slinky.slurm.net/v1beta1:ControllerList",
        props: { items: [{ spec: { extraConf: "ReturnToService=0" } }] },
      },
      ["items[0].spec.extraConf sets"],
    ],
  ]);
});
