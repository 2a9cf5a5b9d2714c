import { strict as assert } from "node:assert";

import fc from "fast-check";

import { compressHostlist, expandHostlist, HostlistError } from "../../cluster/hostlist.ts";

describe("R18: expandHostlist", () => {
  const good: readonly (readonly [string, string])[] = [
    [
      "n[01-03,07],gpu-a,rack[1-2]n[08-10]",
      "n01 n02 n03 n07 gpu-a rack1n08 rack1n09 rack1n10 rack2n08 rack2n09 rack2n10",
    ],
    ["n[9-11]", "n9 n10 n11"],
    ["n[09-11]", "n09 n10 n11"],
    ["n-[001]", "n-001"],
    ["a,b[1,3],c", "a b1 b3 c"],
    ["gpu2-[1-2]", "gpu2-1 gpu2-2"],
    ["compute-0", "compute-0"],
    ["n[09-100]", expected("n", 9, 100, 2)],
  ];
  for (const [list, names] of good) {
    it(`${list} => ${names.length > 60 ? "all of its names" : names}`, () => {
      assert.deepEqual(expandHostlist(list), names.split(" "));
    });
  }

  it("a range of 5000 nodes => 5000 names, padded", () => {
    const names = expandHostlist("n[0001-5000]");
    assert.equal(names.length, 5000);
    assert.deepEqual([names[0], names.at(-1)], ["n0001", "n5000"]);
  });

  const bad = [
    "n[1-3",
    "",
    "(null)",
    "n/a",
    "n1-3]",
    "n[[1-2]]",
    "n[3-1]",
    "n[1-]",
    "n[]",
    "n[a-b]",
    "a,,b",
    "a,",
    "n[001-20]",
    "n[1-003]",
    "n 1",
    "n[0-99999]",
    "n[0-999]m[0-999]",
  ];
  for (const list of bad) {
    it(`${list === "" ? "empty" : list} => an error, no partial list`, () => {
      assert.throws(() => expandHostlist(list), HostlistError);
    });
  }
});

describe("R18: compressHostlist", () => {
  it("a run of nodes => one range", () => {
    assert.equal(compressHostlist(["compute-1", "compute-0", "compute-2"]), "compute-[0-2]");
    assert.equal(compressHostlist(["n9", "n10", "n08", "login"]), "n[08,9-10],login");
  });

  it("no node, or no host name => an error", () => {
    assert.throws(() => compressHostlist([]), HostlistError);
    assert.throws(() => compressHostlist(["a,b"]), HostlistError);
  });

  it("any set of names, compressed and expanded => the same set", () => {
    const name = fc.tuple(
      fc.constantFrom("n", "gpu2-", "rack1n", "a.b-", "x_"),
      fc.oneof(fc.constant(""), fc.nat(120).map(String), fc.nat(120).map(padded(3))),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (parts) => {
        const names = [...new Set(parts.map((part) => part.join("")))];
        const again = expandHostlist(compressHostlist(names));
        assert.deepEqual(again.toSorted(), names.toSorted());
      }),
    );
  });
});

function padded(width: number): (value: number) => string {
  return (value) => String(value).padStart(width, "0");
}

function expected(prefix: string, low: number, high: number, width: number): string {
  const names: string[] = [];
  for (let each = low; each <= high; each += 1) names.push(prefix + padded(width)(each));
  return names.join(" ");
}
