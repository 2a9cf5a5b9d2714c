import { strict as assert } from "node:assert";
import { once } from "node:events";
import { connect, createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { cancellable } from "../../rotation/cancellation.ts";

/** A server as Pulumi's: what it answers does not matter. */
async function call(path: string): Promise<void> {
  const server = createServer().on("stream", (stream) => {
    stream.respond({ ":status": 200 });
    stream.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await once(client.request({ ":method": "POST", ":path": path }).resume(), "end");
  client.close();
  await once(server.close(), "close");
}

const counts = () => ["SIGINT", "SIGTERM"].map((name) => process.listenerCount(name));

describe("cancellable", () => {
  it("the engine's Cancel call => aborted, announced once", async () => {
    let told = 0;
    await cancellable(
      () => told++,
      async (signal) => {
        await call("/pulumirpc.ResourceProvider/Cancel");
        assert.ok(signal.aborted);
        await call("/pulumirpc.ResourceProvider/Cancel");
      },
    );
    assert.equal(told, 1);
  });

  it("any other call => not aborted", async () => {
    await cancellable(
      () => assert.fail("not cancelled"),
      async (signal) => {
        await call("/pulumirpc.ResourceProvider/Diff");
        assert.ok(!signal.aborted);
      },
    );
  });

  it("a SIGINT => aborted", async () => {
    let told = 0;
    await cancellable(
      () => told++,
      async (signal) => {
        process.emit("SIGINT");
        await Promise.resolve();
        assert.ok(signal.aborted);
      },
    );
    assert.equal(told, 1);
  });

  it("afterwards, also after a failure => nothing listens any more", async () => {
    const before = counts();
    await assert.rejects(
      cancellable(
        () => assert.fail("not cancelled"),
        () => Promise.reject(new Error("failed")),
      ),
      /failed/,
    );
    assert.deepEqual(counts(), before);
    await call("/pulumirpc.ResourceProvider/Cancel");
  });
});
