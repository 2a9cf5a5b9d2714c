import { strict as assert } from "node:assert";
import { markSecret, plainMap, UNKNOWN } from "../../../lab/plugins/wire/propertyValue.ts";
import type { PropertyMap } from "../../../lab/plugins/wire/propertyValue.ts";
import { pluginPath, startPlugin } from "./pluginProcess.ts";
import type { PluginProcess } from "./pluginProcess.ts";

const urn = (type: string) =>
  `urn:pulumi:dev::stack::random:index/${type[0]?.toLowerCase()}${type.slice(1)}:${type}::value`;
const BYTES = urn("RandomBytes");
const PASSWORD = urn("RandomPassword");
const STRING = urn("RandomString");
const ID = urn("RandomId");

describe("lab plugin random", function () {
  this.timeout(30_000);
  let plugin: PluginProcess;

  before(async () => {
    plugin = await startPlugin(pluginPath("pulumi-resource-random"));
  });
  after(() => plugin.close());

  const changedOf = async (of: string, olds: PropertyMap, news: PropertyMap) =>
    (await plugin.diff(of, olds, news)).replaces;

  it("configure, version, schema => secrets taken, SDK's version, the tokens offered", async () => {
    const response = await plugin.configure();
    assert.equal(response.getAcceptsecrets(), true);
    assert.equal(response.getSupportspreview(), false);
    assert.equal(await plugin.version(), "4.21.2");
    const tokens = Object.keys((await plugin.schema()).resources);
    assert.deepEqual(
      tokens.map((token) => token.split(":").at(-1)),
      ["RandomBytes", "RandomId", "RandomPassword", "RandomString"],
    );
  });

  it("a resource that is not offered => refused by name", async () => {
    await assert.rejects(plugin.check(urn("RandomPet"), {}), /RandomPet is not offered/);
  });

  describe("RandomBytes", () => {
    it("create => fresh bytes in both notations, secret; nothing of them in the id", async () => {
      const first = await plugin.create(BYTES, { length: 32, keepers: { a: "1" } });
      assert.deepEqual(first.outs["base64"], markSecret(plainMap(first.outs)["base64"] ?? ""));
      assert.deepEqual(first.outs["hex"], markSecret(plainMap(first.outs)["hex"] ?? ""));
      const { base64, hex } = plainMap(first.outs);
      assert.equal(Buffer.from(base64 as string, "base64").toString("hex"), hex);
      assert.equal((hex as string).length, 64);
      assert.equal(first.id, "none");
      assert.equal(first.outs["length"], 32);
      const second = await plugin.create(BYTES, { length: 32 });
      assert.notDeepEqual(second.outs["hex"], first.outs["hex"]);
    });

    it("read => the same state; without state => error, no import", async () => {
      const { id, outs } = await plugin.create(BYTES, { length: 8 });
      assert.deepEqual(await plugin.read(BYTES, id, outs), { id, outs });
      await assert.rejects(plugin.read(BYTES, "AAAA", {}), /RandomBytes cannot be imported/);
    });

    it("length or keepers changed => replacement; the same or only made secret => none", async () => {
      const olds = (await plugin.create(BYTES, { length: 8, keepers: { a: "1" } })).outs;
      assert.deepEqual(await changedOf(BYTES, olds, { length: 9, keepers: { a: "1" } }), [
        "length",
      ]);
      assert.deepEqual(await changedOf(BYTES, olds, { length: 8, keepers: { a: "2" } }), [
        "keepers",
      ]);
      assert.deepEqual(await changedOf(BYTES, olds, { length: 8 }), ["keepers"]);
      const secretKeeper = { length: 8, keepers: { a: markSecret("1") } };
      const same = await plugin.diff(BYTES, olds, secretKeeper);
      assert.deepEqual(same, { changes: false, replaces: [] });
    });

    it("unknown keeper => replacement planned, outputs unknown", async () => {
      const news = { length: 8, keepers: { a: UNKNOWN } };
      assert.deepEqual(await changedOf(BYTES, { length: 8, keepers: { a: "1" } }, news), [
        "keepers",
      ]);
      const { outs } = await plugin.create(BYTES, news);
      assert.equal(outs["base64"], UNKNOWN);
      assert.equal(outs["hex"], UNKNOWN);
    });

    it("length missing, zero or no number => failure by name", async () => {
      for (const inputs of [{}, { length: 0 }, { length: "8" }, { length: 1.5 }]) {
        const { failures } = await plugin.check(BYTES, inputs);
        assert.deepEqual(
          failures.map(([property]) => property),
          ["length"],
        );
      }
      assert.deepEqual((await plugin.check(BYTES, { length: UNKNOWN })).failures, []);
    });

    it("delete => nothing to do", async () => {
      await plugin.delete(BYTES, { id: "none", outs: { length: 8 } });
    });
  });

  describe("RandomPassword and RandomString", () => {
    it("password => result and bcrypt hash secret, defaults in the state", async () => {
      const { id, outs } = await plugin.create(PASSWORD, { length: 20 });
      const { result, bcryptHash } = plainMap(outs) as Record<string, string>;
      assert.equal(result?.length, 20);
      assert.match(bcryptHash ?? "", /^\$2a\$10\$[./A-Za-z0-9]{53}$/);
      assert.deepEqual(outs["result"], markSecret(result ?? ""));
      assert.deepEqual(outs["bcryptHash"], markSecret(bcryptHash ?? ""));
      assert.equal(id, "none");
      assert.equal(outs["numeric"], true);
      assert.equal(outs["number"], true);
      assert.equal(outs["minUpper"], 0);
    });

    it("string => result is public and the id", async () => {
      const { id, outs } = await plugin.create(STRING, { length: 12, special: false });
      assert.match(id, /^[A-Za-z0-9]{12}$/);
      assert.equal(outs["result"], id);
    });

    it("classes and minimums => kept", async () => {
      const inputs = { length: 10, upper: false, numeric: false, minSpecial: 4, minLower: 6 };
      const { id } = await plugin.create(STRING, { ...inputs, overrideSpecial: "-_" });
      assert.equal(id.replace(/[^a-z]/g, "").length, 6);
      assert.equal(id.replace(/[^-_]/g, "").length, 4);
    });

    it("a default spelled out => no change; a class switched off => replacement", async () => {
      const olds = (await plugin.create(STRING, { length: 5 })).outs;
      assert.deepEqual(await changedOf(STRING, olds, { length: 5, lower: true, minUpper: 0 }), []);
      assert.deepEqual(await changedOf(STRING, olds, { length: 5, upper: false }), ["upper"]);
    });

    it("impossible rules => failure by name", async () => {
      const failing = async (inputs: PropertyMap) =>
        (await plugin.check(PASSWORD, inputs)).failures.map(([property]) => property);
      assert.deepEqual(await failing({ length: 3, minUpper: 2, minLower: 2 }), ["length"]);
      const none = { length: 3, upper: false, lower: false, numeric: false, special: false };
      assert.deepEqual(await failing(none), ["special"]);
      assert.deepEqual(await failing({ length: 3, number: true, numeric: false }), ["number"]);
    });
  });

  it("RandomId => four notations of the same bytes behind the prefix, public", async () => {
    const { id, outs } = await plugin.create(ID, { byteLength: 8, prefix: "p-" });
    const bytes = Buffer.from(id, "base64url");
    assert.equal(bytes.length, 8);
    assert.equal(outs["b64Url"], `p-${id}`);
    assert.equal(outs["b64Std"], `p-${bytes.toString("base64")}`);
    assert.equal(outs["hex"], `p-${bytes.toString("hex")}`);
    assert.equal(outs["dec"], `p-${bytes.readBigUInt64BE()}`);
    assert.deepEqual(await changedOf(ID, outs, { byteLength: 8, prefix: "q-" }), ["prefix"]);
  });
});
