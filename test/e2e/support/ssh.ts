import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { projectFolder } from "../../../lab/paths.ts";
import { execute, kubeconfigFile, start, succeed, until, type Ended } from "./lab.ts";

const keyFolder = join(projectFolder, ".slinky", "e2e-ssh");

/** The key pair of the suite, made at first use: another one would be a change of the stack. */
export async function sshKey(): Promise<{ file: string; publicKey: string }> {
  const file = join(keyFolder, "id");
  if (!existsSync(file)) {
    mkdirSync(keyFolder, { recursive: true, mode: 0o700 });
    await succeed("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "e2e", "-f", file]);
  }
  return { file, publicKey: readFileSync(`${file}.pub`, "utf8").trim() };
}

/** Removes the key pair. */
export function removeSshKey(): void {
  rmSync(keyFolder, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs a command as a user over ssh, through a port forwarded to the login Service. */
export async function ssh(user: string, command: string): Promise<Ended> {
  const { file: keyFile } = await sshKey();
  const port = await freePort();
  const forward = await start("kubectl", [
    ...["--kubeconfig", kubeconfigFile, "--namespace", "slurm"],
    ...["port-forward", "service/slurm-login-login", `${port}:22`],
  ]);
  try {
    await until("the forwarded port", 30, () =>
      Promise.resolve(forward.output().includes("Forwarding from")),
    );
    const options = [
      "BatchMode=yes",
      "ConnectTimeout=15",
      "StrictHostKeyChecking=no",
      "UserKnownHostsFile=/dev/null",
    ].flatMap((option) => ["-o", option]);
    const words = [...options, "-i", keyFile, "-p", String(port), `${user}@127.0.0.1`, command];
    return await execute("ssh", words, { timeoutSeconds: 120 });
  } finally {
    forward.kill();
    await forward.ended;
  }
}
