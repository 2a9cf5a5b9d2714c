import { strict as assert } from "node:assert";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { ConfigFolder } from "../support/configFolder.ts";
import { unrelatedResources } from "../support/policyCrowd.ts";
import { type PackMessage, PolicyPackProcess } from "../support/policyPack.ts";
import { recordStack, type RecordedStack } from "../support/policyProgram.ts";
import { type PolicyInput, unknown } from "../support/policyServer.ts";
import { replaced } from "../support/policyVariants.ts";

describe("the policy pack", function () {
  this.timeout(60_000);
  let pack: PolicyPackProcess;
  before(async () => void (pack = await PolicyPackProcess.start()));
  after(() => pack.stop());
  afterEach(() => pack.configure({}));

  const judgeAll = async (resources: readonly PolicyInput[], ...more: PolicyInput[]) => {
    const told: PackMessage[] = [];
    for (const resource of [...resources, ...more]) told.push(...(await pack.judge(resource)));
    return [...told, ...(await pack.judgeStack([...resources, ...more]))];
  };

  it("started by the engine's protocol => holds every rule, and none twice", async () => {
    const names = (await pack.rules()).map(({ name }) => name);
    const files = readdirSync("policy/rules").map((file) =>
      basename(file, ".ts").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    assert.deepEqual([...names].sort(), files.sort());
  });

  it("levels => advisory for what is advice, mandatory for the rest", async () => {
    const rules = await pack.rules();
    assert.deepEqual(
      rules.filter(({ level }) => level !== "mandatory").map(({ name, level }) => [name, level]),
      [
        ["key-is-not-old", "advisory"],
        ["seed-is-fresh", "advisory"],
        ["login-is-not-public", "advisory"],
        ["images-have-digests", "advisory"],
        ["webhooks-cannot-lock", "advisory"],
      ],
    );
  });

  it("parameters => announced with their defaults", async () => {
    const rules = await pack.rules();
    const parameters = rules.map(({ name, parameters }) => [name, parameters] as const);
    assert.deepEqual(
      Object.fromEntries(parameters.filter(([, each]) => Object.keys(each).length > 0)),
      {
        "key-is-not-old": { maxKeyAgeDays: 90 },
        "images-have-digests": { exceptStacks: ["dev", "lab", "e2e"] },
        "kind-only-where-allowed": { stacks: ["dev", "lab", "e2e"] },
      },
    );
  });

  describe("configured", () => {
    const kind = { type: "slinky-stack:components:KindCluster", name: "kind", stack: "laptop" };
    const secret = { type: "kubernetes:core/v1:Secret", name: "mine" };

    it("another level => reported at that level, or not at all", async () => {
      const level = async () => (await pack.judge(secret)).map((message) => message.level);
      assert.deepEqual(await level(), ["mandatory"]);
      await pack.configure({ "secrets-are-immutable": { level: "advisory" } });
      assert.deepEqual(await level(), ["advisory"]);
      await pack.configure({ "secrets-are-immutable": { level: "disabled" } });
      assert.deepEqual(await level(), []);
    });

    it("stacks of one's own => may have a KinD cluster", async () => {
      assert.equal((await pack.judge(kind)).length, 1);
      const parameters = { stacks: ["laptop"] };
      await pack.configure({ "kind-only-where-allowed": { level: "mandatory", parameters } });
      assert.deepEqual(await pack.judge(kind), []);
    });

    it("exceptions of one's own => images without digest there", async () => {
      const pod = {
        type: "kubernetes:core/v1:Pod",
        stack: "site",
        props: { spec: { containers: [{ image: "a:1" }] } },
      };
      assert.deepEqual(
        (await pack.judge(pod)).map(({ rule }) => rule),
        ["images-have-digests"],
      );
      const parameters = { exceptStacks: ["site"] };
      await pack.configure({ "images-have-digests": { level: "advisory", parameters } });
      assert.deepEqual(await pack.judge(pod), []);
    });

    it("another age => old keys are told of", async () => {
      const yesterday = new Date(Date.now() - 86_400_000).toISOString();
      const type = "pulumi-nodejs:dynamic/rotation:AuthKeyRotation";
      const stack = [{ type, name: "key", props: { rotatedAt: yesterday } }];
      assert.deepEqual(await pack.judgeStack(stack), []);
      const parameters = { maxKeyAgeDays: 0.5 };
      await pack.configure({ "key-is-not-old": { level: "advisory", parameters } });
      assert.deepEqual(
        (await pack.judgeStack(stack)).map(({ rule }) => rule),
        ["key-is-not-old"],
      );
    });
  });

  describe("this program", () => {
    let folder: ConfigFolder;
    const bundle = process.env["SLINKY_LAB_BUNDLE"];
    before(() => {
      folder = new ConfigFolder();
      process.env["SLINKY_LAB_BUNDLE"] = folder.makeBundle();
    });
    after(() => {
      folder.remove();
      if (bundle === undefined) delete process.env["SLINKY_LAB_BUNDLE"];
      else process.env["SLINKY_LAB_BUNDLE"] = bundle;
    });

    const everything = {
      accounting: { enabled: true },
      loginSets: {
        login: { authorizedKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDgO12iT3L me"] },
      },
    };
    const complaints = async ({ resources, root }: RecordedStack) =>
      (await judgeAll(resources, root)).map(({ rule, urn }) => `${rule} ${urn.split("::").at(-1)}`);

    for (const [stack, more] of [
      ["dev", {}],
      ["dev", everything],
      ["lab", {}],
      ["lab", everything],
    ] as const) {
      const with_ = more === everything ? " with everything on" : "";
      it(`the ${stack} stack${with_} => nothing`, async () => {
        const recorded = await recordStack(stack, more);
        assert.ok(recorded.resources.length > 15);
        assert.ok("keyFingerprint" in (recorded.root.props ?? {}));
        const told = await complaints(recorded);
        assert.deepEqual(told, []);
      });
    }

    it("a value anywhere unknown, as in a first preview => nothing", async () => {
      const { resources } = await recordStack("lab", everything);
      for (const resource of resources) {
        for (const props of replaced(resource.props, unknown)) {
          const told = await pack.judge({ ...resource, props: props as object });
          const rules = told.map(({ rule }) => `${rule} ${resource.name}`);
          assert.deepEqual(rules, []);
        }
      }
    });

    it("the dev stack's KinD cluster in another stack => told", async () => {
      const { resources, root } = await recordStack("dev");
      const moved = resources.map((resource) => ({ ...resource, stack: "prod" }));
      const told = await judgeAll(moved, root);
      const rules = new Set(told.map(({ rule }) => rule));
      assert.ok(rules.has("kind-only-where-allowed"));
      assert.ok(rules.has("images-have-digests"));
    });

    it("the rotation taken out => told", async () => {
      const { resources } = await recordStack("dev");
      const type = "pulumi-nodejs:dynamic/rotation:AuthKeyRotation";
      const told = await pack.judgeStack(resources.filter((resource) => resource.type !== type));
      assert.deepEqual(
        told.map(({ rule }) => rule),
        ["one-rotation-per-cluster"],
      );
    });
  });

  it("500 resources that have nothing to do with Slurm => nothing", async () => {
    assert.deepEqual(await judgeAll(unrelatedResources(500)), []);
  });
});
