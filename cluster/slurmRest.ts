/** Tokens for slurmrestd, and whether it serves the version that the operator speaks; both in the controller's pod. */

import { SlurmAnswerError } from "./slurmJson.ts";
import type { RunInController } from "./slurmCommands.ts";

/** REST version of slurm-operator 1.2.1, and the only one it speaks (contract, section 6). */
export const REST_VERSION = "v0.0.44";

/** Port of slurmrestd (contract, section 7). */
const REST_PORT = 6820;

/** Seconds that the token of a check is good for: it is used once, at once. */
const CHECK_TOKEN_SECONDS = 60;

/** Seconds one command may take. */
const COMMAND_SECONDS = 20;

/** A token made of three base64url parts (RFC 7519). */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * A token (JWT) for a user, made by slurmctld itself: scontrol runs as SlurmUser, who may make one for anybody.
 * Secret: whoever has it is that user until it ends.
 * @throws SlurmAnswerError when slurmctld refuses or answers anything else; the answer is not repeated
 */
export async function makeToken(
  run: RunInController,
  user: string,
  lifespanSeconds: number,
): Promise<string> {
  const command = ["scontrol", "token", `username=${user}`, `lifespan=${lifespanSeconds}`];
  const { exitCode, stdout, stderr } = await run(command, COMMAND_SECONDS);
  if (exitCode !== 0) {
    const why = stderr.trim() || `exit code ${exitCode}`;
    throw new SlurmAnswerError(command.join(" "), why);
  }
  const token = /^SLURM_JWT=(\S+)$/m.exec(stdout)?.[1] ?? "";
  if (JWT.test(token)) return token;
  throw new SlurmAnswerError(command.join(" "), "the answer holds no token");
}

/** What slurmrestd answered. */
export interface RestAnswer {
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined;
  /** Why there was none. */
  readonly problem: string | undefined;
}

/**
 * Asks for the nodes as an authenticated request, from the controller's pod: the token never leaves it.
 * Arguments: host, port, path, seconds of the token.
 */
const CHECK_SCRIPT = `set -eu
token=$(scontrol token "lifespan=$4")
exec 3<>"/dev/tcp/$1/$2"
printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nX-SLURM-USER-TOKEN: %s\\r\\nConnection: close\\r\\n\\r\\n' "$3" "$1" "\${token#SLURM_JWT=}" >&3
IFS= read -r -t 10 line <&3
printf '%s\\n' "$line"
`;

/**
 * Whether slurmrestd answers an authenticated request of {@link REST_VERSION}.
 * @param host Service of slurmrestd, as the controller's pod resolves it
 */
export async function checkRest(run: RunInController, host: string): Promise<RestAnswer> {
  const path = `/slurm/${REST_VERSION}/nodes/`;
  const words = [host, String(REST_PORT), path, String(CHECK_TOKEN_SECONDS)];
  try {
    const command = ["bash", "-c", CHECK_SCRIPT, "check-rest", ...words];
    const { exitCode, stdout, stderr } = await run(command, COMMAND_SECONDS);
    const status = /^HTTP\/1\.[01] (\d{3})\b/.exec(stdout)?.[1];
    if (status !== undefined) return { status: Number(status), problem: undefined };
    const why = stderr.trim().split("\n").at(-1) || `no HTTP answer (exit code ${exitCode})`;
    return { status: undefined, problem: why };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: undefined, problem: why };
  }
}
