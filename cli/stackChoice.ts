/** Which stack a command is about when nobody says so. */

import { connect } from "node:net";

import { upstreamChartRegistries } from "../versions.ts";
import { runProcess } from "./process.ts";

/** What is looked at; every look is cheap and has its own short deadline. */
export interface StackProbes {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly isRoot: boolean;
  /** Whether a Docker engine answers. */
  readonly dockerAnswers: () => Promise<boolean>;
  /** Whether a Pulumi CLI is on PATH. */
  readonly pulumiFound: () => Promise<boolean>;
  /** Whether the registry of the charts can be reached. */
  readonly registryAnswers: () => Promise<boolean>;
}

/** The chosen stack and, in words, why. */
export interface StackChoice {
  readonly name: string;
  readonly reason: string;
}

/**
 * Chooses the stack: the option, then SLINKY_STACK, then `dev` where Docker, Pulumi and the chart registry are at
 * hand, then `lab` for root on Linux.
 * @throws Error when neither fits, saying what is missing for each
 */
export async function chooseStack(
  option: string | undefined,
  probes: StackProbes,
): Promise<StackChoice> {
  const { SLINKY_STACK: named, SLINKY_LAB_BUNDLE: bundle } = probes.environment;
  if (option !== undefined && option !== "") return { name: option, reason: "--stack" };
  if (named !== undefined && named !== "") return { name: named, reason: "SLINKY_STACK" };

  const canRunLab = probes.platform === "linux" && probes.isRoot;
  if (canRunLab && bundle !== undefined && bundle !== "") {
    return { name: "lab", reason: "SLINKY_LAB_BUNDLE is set" };
  }
  const missing = await firstMissing(probes);
  if (missing === undefined) {
    return { name: "dev", reason: "Docker, the Pulumi CLI and the chart registry are at hand" };
  }
  if (canRunLab) return { name: "lab", reason: `${missing}, and this is Linux as root` };
  throw new Error(
    `No stack fits this machine: dev is out because ${missing}; lab needs Linux and root. ` +
      "Install what is missing, or name a stack with --stack or SLINKY_STACK.",
  );
}

async function firstMissing(probes: StackProbes): Promise<string | undefined> {
  if (!(await probes.pulumiFound())) return "no Pulumi CLI was found";
  if (!(await probes.dockerAnswers())) return "no Docker engine answers";
  if (!(await probes.registryAnswers())) return "the chart registry cannot be reached";
  return undefined;
}

/** The probes of this machine. */
export const machineProbes: StackProbes = {
  environment: process.env,
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  async dockerAnswers() {
    const words = ["version", "--format", "{{.Server.Version}}"];
    return (await runProcess("docker", words, { timeoutSeconds: 5 })).code === 0;
  },
  async pulumiFound() {
    return (await runProcess("pulumi", ["version"], { timeoutSeconds: 10 })).code === 0;
  },
  registryAnswers() {
    const { hostname } = new URL(upstreamChartRegistries.slurm.replace(/^oci:/, "https:"));
    return answersOnTls(hostname, 3_000);
  },
};

function answersOnTls(host: string, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 443 });
    const end = (answer: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), milliseconds);
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
