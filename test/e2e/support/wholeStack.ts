import { strict as assert } from "node:assert";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../../../lab/paths.ts";
import { npmRun } from "./lab.ts";
import { sshKey } from "./ssh.ts";
import { configure } from "./stackFile.ts";

const scripts = join(projectFolder, ".slinky", "e2e-scripts");
const prolog = join(scripts, "prolog.d", "10-prolog.sh");

/** Fails on a node that carries the mark, so that a test can choose the node. */
export const markedProlog = "#!/bin/sh\ntest ! -e /tmp/fail-prolog\n";

/** NodeSets of the suite. */
export const compute = { replicas: 2, default: true, oversubscribe: true };
export const debug = { replicas: 1, oversubscribe: true, features: ["small"] };

/** Writes the prolog of the stack. */
export function writeProlog(text: string, mode = 0o755): void {
  mkdirSync(join(scripts, "prolog.d"), { recursive: true });
  writeFileSync(prolog, text);
  chmodSync(prolog, mode);
}

/** `npm run up`, which must succeed. */
export async function up(): Promise<string> {
  const { code, all } = await npmRun("up", ["--no-job"]);
  assert.equal(code, 0, all);
  return all;
}

/** Removes the scripts of the stack. */
export function removeScripts(): void {
  rmSync(scripts, { recursive: true, force: true });
}

/**
 * Sets the configuration with everything on, and what the caller wants otherwise. Root, and through sshd any user,
 * comes in with the suite's ssh key.
 */
export async function configureWholeStack(otherwise: Record<string, unknown> = {}): Promise<void> {
  const { publicKey } = await sshKey();
  writeProlog(markedProlog);
  await configure({
    nodeSets: { compute, debug },
    partitions: { everything: { nodeSets: ["compute", "debug"], maxTime: 60 } },
    loginSets: {
      login: {
        authorizedKeys: [publicKey],
        sshdConfig:
          "AuthorizedKeysCommand /usr/bin/cat /root/.ssh/authorized_keys\n" +
          "AuthorizedKeysCommandUser root",
      },
    },
    accounting: { enabled: true, storage: { size: "1Gi" } },
    scripts,
    ...otherwise,
  });
}
