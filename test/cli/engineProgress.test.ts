import { strict as assert } from "node:assert";

import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";

import {
  clean,
  initialEngineState,
  nameOf,
  onEngineEvent,
  stillRunning,
  summarize,
} from "../../cli/engineProgress.ts";

const prefix = "urn:pulumi:dev::slinky-stack::";
const release = `${prefix}slinky-stack:index:CertManager$kubernetes:helm.sh/v3:Release::cert-manager`;
const rotation = `${prefix}slinky-stack:index:SlurmCluster$pulumi-nodejs:dynamic/rotation:AuthKeyRotation::slurm-auth`;
const stackUrn = `${prefix}pulumi:pulumi:Stack::slinky-stack-dev`;
const provider = `${prefix}pulumi:providers:kubernetes::kind::0b1c`;

/** A step event with the shape that the engine sends (secrets in its inputs stay in this test only). */
function step(
  kind: "resourcePreEvent" | "resOutputsEvent" | "resOpFailedEvent",
  op: string,
  urn: string,
) {
  const types = urn.split("::")[2] ?? "";
  const type = types.slice(types.lastIndexOf("$") + 1);
  const managed = !type.startsWith("pulumi:") && !type.startsWith("slinky-stack:");
  const inputs = { values: { key: "SECRET-VALUE" } };
  const metadata = {
    op,
    urn,
    type,
    provider: managed ? provider : "",
    new: { inputs },
    logical: true,
  };
  return { sequence: 1, timestamp: 1, [kind]: { metadata } } as unknown as EngineEvent;
}

function diagnostic(severity: string, message: string, more: object = {}): EngineEvent {
  const diagnosticEvent = { severity, message, color: "never", ...more };
  return { sequence: 1, timestamp: 1, diagnosticEvent } as unknown as EngineEvent;
}

/** Plays events a second apart and collects the lines. */
function play(...events: EngineEvent[]): { lines: string[]; state: typeof initialEngineState } {
  let state = initialEngineState;
  const lines: string[] = [];
  events.forEach((event, at) => {
    const result = onEngineEvent(state, event, at * 1000);
    state = result.state;
    lines.push(...result.lines);
  });
  return { lines, state };
}

describe("onEngineEvent", () => {
  it("a created resource => one line with its seconds", () => {
    const { lines } = play(
      step("resourcePreEvent", "create", release),
      diagnostic("info", "", {}),
      step("resOutputsEvent", "create", release),
    );
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /^ {2}ok {5}Release cert-manager created +2\.0 s$/);
  });

  it("nothing changed => no line", () => {
    const { lines } = play(
      step("resourcePreEvent", "same", stackUrn),
      step("resourcePreEvent", "same", release),
      step("resOutputsEvent", "same", release),
      step("resOutputsEvent", "same", stackUrn),
    );
    assert.deepEqual(lines, []);
  });

  it("stack, component and provider => no line of their own", () => {
    const urns = [
      stackUrn,
      `${prefix}slinky-stack:index:CertManager::cm`,
      `${prefix}pulumi:providers:random::default`,
    ];
    const { lines } = play(...urns.map((urn) => step("resOutputsEvent", "create", urn)));
    assert.deepEqual(lines, []);
  });

  it("an update that turns out to be none => no line, and nothing is left running", () => {
    const { lines, state } = play(
      step("resourcePreEvent", "update", release),
      step("resOutputsEvent", "same", release),
    );
    assert.deepEqual(lines, []);
    assert.equal(state.running.size, 0);
  });

  it("a failed update => the error once, then the failed step; no noise", () => {
    const error = diagnostic("error", "rotation stopped at drain\nnothing to do\n", {
      urn: rotation,
    });
    const { lines, state } = play(
      diagnostic("warning", "using pulumi-resource-kubernetes from $PATH at /x\n"),
      diagnostic("debug", "RegisterResource RPC prepared\n"),
      step("resourcePreEvent", "update", rotation),
      error,
      error,
      step("resOpFailedEvent", "update", rotation),
      diagnostic("error", "update failed\n"),
    );
    assert.deepEqual(lines.slice(0, 2), [
      "  FAILED AuthKeyRotation slurm-auth: rotation stopped at drain",
      "         nothing to do",
    ]);
    assert.match(lines[2] ?? "", /^ {2}FAILED AuthKeyRotation slurm-auth \(update\) +3\.0 s$/);
    assert.equal(lines.length, 3);
    assert.deepEqual(state.errors, [
      "AuthKeyRotation slurm-auth: rotation stopped at drain\nnothing to do",
    ]);
  });

  it("warnings and log lines => shown with their resource; a repetition is not", () => {
    const log = diagnostic("info", "draining 2 nodes\n", { urn: rotation, ephemeral: true });
    const { lines } = play(diagnostic("warning", "a warning\n", { urn: stackUrn }), log, log);
    assert.deepEqual(lines, [
      "  warn   a warning",
      "         AuthKeyRotation slurm-auth: draining 2 nodes",
    ]);
  });

  it("transient status of other providers => not shown", () => {
    const { lines } = play(
      diagnostic("info", "[1/2] Waiting for Pods", { urn: release, ephemeral: true }),
    );
    assert.deepEqual(lines, []);
  });

  it("a mandatory policy violation => an error; an advisory one => a warning", () => {
    const policy = (enforcementLevel: string) =>
      ({
        sequence: 1,
        timestamp: 1,
        policyEvent: { policyName: "pinned", message: "pin it", enforcementLevel },
      }) as unknown as EngineEvent;
    const { lines, state } = play(policy("warning"), policy("mandatory"));
    assert.deepEqual(lines, ["  warn   policy pinned: pin it", "  FAILED policy pinned: pin it"]);
    assert.equal(state.errors.length, 1);
  });

  it("inputs of a resource => in no line and not in the state", () => {
    const { lines, state } = play(
      step("resourcePreEvent", "create", release),
      step("resOutputsEvent", "create", release),
      step("resourcePreEvent", "update", rotation),
    );
    assert.ok(!lines.join().includes("SECRET-VALUE"));
    assert.ok(!JSON.stringify([...state.running]).includes("SECRET-VALUE"));
  });
});

describe("stillRunning", () => {
  it("an operation of 40 s and one of 5 s => a line for the first", () => {
    let { state } = onEngineEvent(
      initialEngineState,
      step("resourcePreEvent", "create", release),
      0,
    );
    ({ state } = onEngineEvent(state, step("resourcePreEvent", "update", rotation), 35_000));
    assert.deepEqual(stillRunning(state, 40_000, 30), [
      "  ...    Release cert-manager (create), 40.0 s so far",
    ]);
  });
});

describe("summarize", () => {
  it("nothing changed => 0 changes", () => {
    assert.equal(summarize({ same: 14 }, 9_040), "0 changes (14 unchanged) in 9.0 s");
  });

  it("changes => counted by what was done", () => {
    const changes = { create: 3, update: 1, delete: 2, same: 4, read: 1 };
    assert.equal(
      summarize(changes, 61_000),
      "3 created, 1 updated, 2 deleted (4 unchanged) in 61.0 s",
    );
  });

  it("no counts => 0 changes", () => {
    assert.equal(summarize(undefined, 0), "0 changes in 0.0 s");
  });
});

describe("nameOf and clean", () => {
  it("a name with colons => kept whole", () => {
    assert.equal(nameOf(`${prefix}kubernetes:core/v1:Namespace::a::b`), "Namespace a::b");
  });

  it("colour tags and a 64-byte key in base64 => not in the text", () => {
    const key = Buffer.alloc(64, 7).toString("base64");
    const text = clean(`<{%fg 1%}>bad key ${key}<{%reset%}> in /etc/slurm/slurm.key\n`);
    assert.equal(text, "bad key [long value left out] in /etc/slurm/slurm.key");
  });
});
