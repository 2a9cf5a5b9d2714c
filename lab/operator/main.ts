import { readFileSync } from "node:fs";
import os from "node:os";
import { parseArgs } from "node:util";
import { KubeConfig } from "@kubernetes/client-node";
import { runManager } from "./manager.ts";
import { runWebhook } from "./webhook/server.ts";

const NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace";

/** Flags of both modes; a flag that a mode has no use for is accepted, as the charts pass the same set. */
const flags = {
  "health-probe-bind-address": { type: "string", default: ":8081" },
  "leader-elect": { type: "boolean", default: false },
  namespaces: { type: "string", default: "" },
  port: { type: "string", default: "9443" },
  "cert-dir": { type: "string", default: "/tmp/k8s-webhook-server/serving-certs" },
} as const;

function log(text: string): void {
  process.stdout.write(`${new Date().toISOString()} ${text}\n`);
}

async function main(): Promise<void> {
  const [mode, ...args] = process.argv.slice(2);
  const { values } = parseArgs({ args, options: flags });
  const healthPort = Number(values["health-probe-bind-address"].split(":").at(-1));
  const stop = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.once(name, () => {
      log(`${name}: stopping`);
      stop.abort();
    });
  }
  if (mode === "webhook") {
    const { "cert-dir": certDir, port } = values;
    return runWebhook({ certDir, port: Number(port), healthPort, log }, stop.signal);
  }
  if (mode !== "manager") {
    throw new Error(`mode "${String(mode)}" is unknown: use manager or webhook`);
  }
  const config = new KubeConfig();
  // A kubeconfig is for running outside a cluster; in a pod it is the service account.
  if (process.env["KUBECONFIG"] === undefined) {
    config.loadFromCluster();
  } else {
    config.loadFromDefault();
  }
  const ownNamespace = process.env["POD_NAMESPACE"] ?? readFileSync(NAMESPACE_FILE, "utf8").trim();
  const namespaces = values.namespaces.split(",").filter((name) => name !== "");
  const leaderElect = values["leader-elect"];
  const identity = `${os.hostname()}_${String(process.pid)}_${String(Date.now())}`;
  const options = { config, ownNamespace, identity, namespaces, leaderElect, healthPort, log };
  return runManager(options, stop.signal);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    log(`stopped: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
