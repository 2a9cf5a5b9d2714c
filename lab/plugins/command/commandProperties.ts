import type { PropertySpecs } from "../wire/propertySpec.ts";

/** Which of a command's streams are shown while it runs. */
export type Logging = "stdout" | "stderr" | "stdoutAndStderr" | "none";

const NO_FILES =
  "is not offered by the lab's stand-in of the command plugin; read the file in the program instead";

/** The inputs that resource and function share. */
const COMMON: PropertySpecs = {
  addPreviousOutputInEnv: { kind: "boolean" },
  archivePaths: { kind: "strings", refused: NO_FILES },
  assetPaths: { kind: "strings", refused: NO_FILES },
  dir: { kind: "string" },
  environment: { kind: "stringMap" },
  interpreter: { kind: "strings" },
  logging: { kind: "string", oneOf: ["stdout", "stderr", "stdoutAndStderr", "none"] },
  stdin: { kind: "string" },
};

/** Inputs of `command:local:Command` (SDK @pulumi/command 1.2.1, `local/command.d.ts`). */
export const COMMAND_PROPERTIES: PropertySpecs = {
  ...COMMON,
  create: { kind: "string" },
  update: { kind: "string" },
  delete: { kind: "string" },
  triggers: { kind: "list" },
};

/** Inputs of the function `command:local:run` (SDK @pulumi/command 1.2.1, `local/run.d.ts`). */
export const RUN_PROPERTIES: PropertySpecs = {
  ...COMMON,
  command: { kind: "string", required: true },
};

/** {@link COMMAND_PROPERTIES} or {@link RUN_PROPERTIES} without secret markers, after a passed check. */
export interface CommandInputs {
  readonly addPreviousOutputInEnv?: boolean;
  readonly dir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly interpreter?: readonly string[];
  readonly logging?: Logging;
  readonly stdin?: string;
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
  readonly command?: string;
}
