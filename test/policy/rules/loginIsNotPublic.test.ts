import { loginIsNotPublic } from "../../../policy/rules/loginIsNotPublic.ts";
import { itJudges } from "../../support/policyCases.ts";
import { unknown } from "../../support/policyServer.ts";

const service = (type: unknown) => ({ service: { spec: { type } } });
const field = "values.loginsets.a.service.spec.type";

describe("login-is-not-public", () => {
  const of = (values: unknown) => ({
    type: "kubernetes:helm.sh/v3:Release",
    props: { chart: "slurm", values },
  });
  const login = (selector: object, type = "LoadBalancer") => ({
    type: "kubernetes:core/v1:Service",
    props: { spec: { type, selector } },
  });

  itJudges(loginIsNotPublic("advisory"), [
    ["ClusterIP => passes", of({ loginsets: { a: service("ClusterIP") } }), []],
    ["LoadBalancer => told", of({ loginsets: { a: service("LoadBalancer") } }), [field]],
    ["another case => told", of({ loginsets: { a: service("loadbalancer") } }), [field]],
    ["left to the chart => told", of({ loginsets: { a: { replicas: 1 } } }), [field]],
    [
      "left to defaults of one's own => passes",
      of({ loginsetDefaults: service("NodePort"), loginsets: { a: {} } }),
      [],
    ],
    ["switched off => passes", of({ loginsets: { a: { enabled: false } } }), []],
    ["not known yet => passes", of({ loginsets: { a: service(unknown), b: unknown } }), []],
    ["no login sets => passes", of({}), []],
    [
      "a Service for login pods => told",
      login({ "app.kubernetes.io/component": "login" }),
      ["spec.type"],
    ],
    ["a Service for other pods => passes", login({ "app.kubernetes.io/component": "restapi" }), []],
    ["an inner Service => passes", login({ "app.kubernetes.io/name": "login" }, "ClusterIP"), []],
    [
      "a LoginSet => told",
      {
        type: "kubernetes:slinky.slurm.net/v1beta1:LoginSet",
        props: { spec: service("LoadBalancer") },
      },
      ["spec.service.spec.type"],
    ],
    [
      "a List of Services => told of the item",
      {
        type: "kubernetes:core/v1:ServiceList",
        props: {
          items: [
            { spec: { type: "LoadBalancer", selector: { "app.kubernetes.io/name": "login" } } },
          ],
        },
      },
      ["items[0].spec.type"],
    ],
  ]);
});
