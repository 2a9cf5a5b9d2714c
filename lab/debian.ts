import type { Progress } from "../progress.ts";
import { run } from "./shell.ts";

/** Debian packages of the host that the lab calls. */
const packages = ["docker.io", "mmdebstrap", "iptables", "iproute2", "openssh-client", "tar"];

async function missingPackages(): Promise<string[]> {
  const installed = await run(
    "dpkg-query",
    ["--show", "--showformat", "${Package} ${db:Status-Status}\\n"],
    { timeoutSeconds: 30 },
  );
  const lines = new Set(installed.split("\n"));
  return packages.filter((name) => !lines.has(`${name} installed`));
}

/** Installs what is missing of the host's Debian packages. */
export async function ensureDebianPackages(progress: Progress): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  await progress.step(`install Debian packages ${missing.join(" ")}`, async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update"], { env, timeoutSeconds: 300 });
    await run("apt-get", ["install", "--yes", "--no-install-recommends", ...missing], {
      env,
      timeoutSeconds: 600,
    });
  });
}
