import { strict as assert } from "node:assert";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { readAccounting } from "../../config/accounting.ts";
import { readRaw } from "../support/readRaw.ts";

const read = (accounting: unknown) => readRaw({ accounting }, readAccounting);
const external = { host: "db.example.com", passwordSecret: { name: "db-login" } };

describe("accounting", () => {
  it("not enabled => off, whatever else is said", async () => {
    assert.equal(await readRaw({}, readAccounting), undefined);
    assert.equal(await read({ enabled: false, database: external }), undefined);
  });

  it("enabled alone => a database of the stack's own", async () => {
    assert.deepEqual(await read({ enabled: true }), { storage: { size: "4Gi" } });
  });

  it("a database elsewhere => its defaults are slurmdbd's", async () => {
    assert.deepEqual(await read({ enabled: true, database: external }), {
      database: {
        host: "db.example.com",
        port: 3306,
        database: "slurm_acct_db",
        username: "slurm",
        passwordSecret: { name: "db-login", key: "password" },
      },
    });
  });

  const refusals: [string, unknown, RegExp][] = [
    ["enabled as text", { enabled: "yes" }, /accounting\.enabled: "yes"/],
    ["an unknown field", { enable: true }, /accounting\.enable: .*"enabled"/],
    ["a size that is none", { storage: { size: "big" } }, /accounting\.storage\.size: "big"/],
    [
      "a volume and another database",
      { storage: {}, database: external },
      /accounting\.storage: is the volume of the stack's own database/,
    ],
    ["no host", { database: { ...external, host: undefined } }, /database\.host: \(not set\)/],
    ["a URL as host", { database: { ...external, host: "tcp://db" } }, /database\.host: "tcp/],
    ["port 0", { database: { ...external, port: 0 } }, /database\.port: 0 .* 1 to 65535/],
    [
      "a user with a quote",
      { database: { ...external, username: "a'b" } },
      /database\.username: "a'b"/,
    ],
    ["no password", { database: { host: "db" } }, /database\.passwordSecret: \(not set\)/],
  ];
  for (const [situation, accounting, message] of refusals) {
    it(`${situation} => refused`, () => assert.rejects(read(accounting), message));
  }

  describe("check: true", () => {
    it("something listens => accepted; nothing listens => refused with host and port", async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const database = { ...external, host: "127.0.0.1", port, check: true };
      await read({ enabled: true, database });
      server.close();
      await once(server, "close");
      await assert.rejects(
        read({ enabled: true, database }),
        new RegExp(`accounting\\.database: 127\\.0\\.0\\.1:${port} cannot be reached .*REFUSED`),
      );
      await read({ enabled: true, database: { ...database, check: false } });
    });
  });
});
