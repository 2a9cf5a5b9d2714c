import { settingsVariable } from "../../../components/kind/settings.ts";
import { rotationType } from "../../../policy/reading/rotations.ts";
import { imagesArePinned } from "../../../policy/rules/imagesArePinned.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const pod = "kubernetes:core/v1:Pod";
const digest = `sha256:${"a".repeat(64)}`;
const field = "spec.containers[0].image";
const image = (tag: unknown) => ({ image: { repository: "registry.test/a", tag } });

describe("images-are-pinned", () => {
  const running = (name: unknown) => ({
    type: pod,
    props: { spec: { containers: [{ name: "main", image: name }] } },
  });
  const of = (values: unknown, chart = "any") => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart, values },
  });
  const kind = (nodeImage: unknown) => ({
    type: "command:local:Command",
    props: { environment: { [settingsVariable]: JSON.stringify({ nodeImage }) } },
  });

  itJudges(imagesArePinned("mandatory"), [
    ["a tag => passes", running("registry.test:5000/a/b:1.2"), []],
    ["a digest => passes", running(`a@${digest}`), []],
    ["latest with a digest => passes", running(`a:latest@${digest}`), []],
    ["latest => told", running("a:latest"), [`${field} has the tag latest`]],
    ["latest in another case => told", running("a:Latest"), [`${field} has the tag latest`]],
    ["no tag => told", running("registry.test:5000/a"), [`${field} has no tag`]],
    ["not known yet => passes", running(unknown), []],
    ["none, or no reference => left to the kubelet", running("NO REFERENCE"), []],
    [
      "containers of every kind, deep in a workload => told of each",
      {
        type: "kubernetes:batch/v1:CronJob",
        props: {
          spec: {
            jobTemplate: {
              spec: {
                template: {
                  spec: {
                    initContainers: [{ image: "a" }],
                    containers: [{ image: "b:1" }],
                    ephemeralContainers: [{ image: "c" }],
                    volumes: [{ image: { reference: "d" } }],
                  },
                },
              },
            },
          },
        },
      },
      ["initContainers[0].image", "ephemeralContainers[0].image", "volumes[0].image.reference"].map(
        (one) => `spec.jobTemplate.spec.template.spec.${one}`,
      ),
    ],
    [
      "a List of pods => told of the item",
      {
        type: "kubernetes:core/v1:PodList",
        props: { items: [{ spec: { containers: [{ image: "a" }] } }] },
      },
      [`items[0].${field}`],
    ],
    [
      "a Patch of a Deployment => told",
      {
        type: "kubernetes:apps/v1:DeploymentPatch",
        props: { spec: { template: { spec: { containers: [{ image: "a" }] } } } },
      },
      [`spec.template.${field}`],
    ],
    [
      "an object of Slinky's => told of its images",
      {
        type: "kubernetes:slinky.slurm.net/v1beta1:NodeSet",
        props: { spec: { slurmd: { image: "slurmd" }, logfile: { image: "alpine:3" } } },
      },
      ["spec.slurmd.image"],
    ],
    [
      "a field called image elsewhere => passes",
      { type: "kubernetes:example.com/v1:Album", props: { spec: { image: "cover" } } },
      [],
    ],
    ["values with a tag => pass", of(image("1.2")), []],
    ["values with latest => told", of({ sidecar: image("latest") }), ["values.sidecar.image"]],
    ["values that leave the tag to the chart => pass", of(image(undefined)), []],
    ["a text that the chart adds a tag to => passes", of({ image: "nginx", imageTag: "1.2" }), []],
    ["a text with latest => told", of({ proxyImage: "a:latest" }), ["values.proxyImage"]],
    [
      "a container in values => told",
      of({ podSpec: { initContainers: [{ name: "wait", image: "busybox" }] } }),
      ["values.podSpec.initContainers[0].image"],
    ],
    [
      "the Slurm chart's log sidecars left to their default => told of each",
      of({ nodesets: { a: {}, b: { logfile: image("1") }, c: { enabled: false } } }, "slurm"),
      ["values.controller.logfile.image", "values.nodesets.a.logfile.image"],
    ],
    [
      "log sidecars set, for all NodeSets at once => pass",
      of(
        {
          controller: { logfile: image("1") },
          nodesetDefaults: { logfile: image("1") },
          nodesets: { a: {} },
        },
        "slurm",
      ),
      [],
    ],
    ["the Slurm chart's values not known yet => pass", of(unknown, "slurm"), []],
    [
      "the key's probe => told",
      { type: rotationType, props: { rotation: { probeImage: "login" } } },
      ["rotation.probeImage"],
    ],
    ["KinD's nodes => pass", kind(`kindest/node:v1.37.0@${digest}`), []],
    [
      "KinD's nodes on latest => told",
      kind("node:latest"),
      [`environment.${settingsVariable}.nodeImage`],
    ],
    ["another command => passes", { type: "command:local:Command", props: { create: "true" } }, []],
  ]);
});
