import { strict as assert } from "node:assert";
import { Secret } from "@pulumi/policy";
import * as policyPackage from "@pulumi/policy";
import { at, everything, fieldPath, known, UNKNOWN } from "../../../policy/reading/known.ts";

/** The proxy through which the pack server hands out properties. */
const { unknownCheckingProxy } = policyPackage as unknown as {
  unknownCheckingProxy: (props: object) => Record<string, unknown>;
};

const mark = "4dabf18193072939515e22adb298388d";
const wrapped = (kind: string, more: object) => ({ [mark]: kind, ...more });
const secret = (value: unknown) => wrapped("1b47061264138c4ac30d75fd1eb44270", { value });
const output = (more: object) => wrapped("d0e6a833031e9bbcd3f4e8bde6ca49a4", more);
const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("what is known of a value", () => {
  it("unknown values behind the server's proxy => marked, the others readable", () => {
    const props = unknownCheckingProxy({
      a: unknownValue,
      b: [1, unknownValue, { c: unknownValue, d: "x" }],
      e: { f: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff" },
    });
    assert.throws(() => props["a"], /can't be known during preview/);
    assert.deepEqual(known(props), {
      a: UNKNOWN,
      b: [1, UNKNOWN, { c: UNKNOWN, d: "x" }],
      e: { f: UNKNOWN },
    });
  });

  it("secrets and outputs, in each other too => unwrapped", () => {
    const value = {
      a: secret({ b: secret("c") }),
      d: output({ value: secret([output({ value: 1, secret: true })]) }),
      e: output({ secret: true }),
      f: secret(unknownValue),
      g: new Secret({ h: "i" }),
    };
    const plain = { a: { b: "c" }, d: [1], e: UNKNOWN, f: UNKNOWN, g: { h: "i" } };
    assert.deepEqual(known(value), plain);
    assert.deepEqual(known(unknownCheckingProxy(value)), plain);
  });

  it("an error that is not about unknown values => thrown", () => {
    const broken = Object.defineProperty({}, "a", {
      enumerable: true,
      get() {
        throw new Error("broken");
      },
    });
    assert.throws(() => known(broken), /broken/);
  });

  it("a path => the value; unknown below anything unknown, undefined where nothing is", () => {
    const value = { a: [{ b: false }], c: UNKNOWN, d: null };
    assert.equal(at(value, "a", 0, "b"), false);
    assert.equal(at(value, "c", "x", "y"), UNKNOWN);
    assert.equal(at(value, "d"), undefined);
    assert.equal(at(value, "a", 1, "b"), undefined);
    assert.equal(at(value, "a", "length"), 1);
    assert.equal(at(value, "toString"), undefined);
    assert.equal(at("text", "length"), undefined);
  });

  it("everything in a value => with the path that people write", () => {
    const paths = [...everything({ a: [{ "b.c": 1 }], "d-e": 2 })].map(([path]) => fieldPath(path));
    assert.deepEqual(paths, ["", "a", "a[0]", 'a[0]["b.c"]', "d-e"]);
  });
});
