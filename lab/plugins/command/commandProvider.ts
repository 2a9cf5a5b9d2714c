import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type {
  CheckResult,
  CreateResult,
  DiffResult,
  InvokeResult,
  Provider,
  UpdateResult,
} from "@pulumi/pulumi/provider/index.js";
import { packageSchema } from "../wire/packageSchema.ts";
import { checkProperties } from "../wire/propertySpec.ts";
import {
  containsSecret,
  containsUnknown,
  markSecret,
  plainMap,
  secretStrings,
  UNKNOWN,
} from "../wire/propertyValue.ts";
import type { PropertyMap } from "../wire/propertyValue.ts";
import { parseUrn } from "../wire/resourceUrn.ts";
import { COMMAND_PROPERTIES, RUN_PROPERTIES } from "./commandProperties.ts";
import type { CommandInputs } from "./commandProperties.ts";
import type { CommandOutput, CommandRun, CommandRunner } from "./commandRunner.ts";

const COMMAND = "command:local:Command";
const RUN = "command:local:run";
const OUTPUTS = ["stderr", "stdout"] as const;
const CANCEL_GRACE_MS = 5_000;

/**
 * The plugin `command` as far as the lab needs it: resource `command:local:Command` and function `command:local:run`,
 * with the real plugin's semantics: every input change is an update that runs `update`, or else `create`; a change of
 * `triggers` replaces; the state is what the last command printed.
 */
export class CommandProvider implements Provider {
  /** The version of the SDK it serves, so that the engine sees no mismatch. */
  readonly version = "1.2.1";
  readonly schema = packageSchema("command", this.version, {
    resources: { [COMMAND]: { inputs: COMMAND_PROPERTIES, outputs: OUTPUTS } },
    functions: { [RUN]: { inputs: RUN_PROPERTIES, outputs: OUTPUTS } },
  });
  readonly #runner: CommandRunner;

  constructor(runner: CommandRunner) {
    this.#runner = runner;
  }

  /** Inputs are kept as they are; failures name the property. */
  async check(urn: string, _olds: PropertyMap, news: PropertyMap): Promise<CheckResult> {
    requireCommand(urn);
    return Promise.resolve({ inputs: news, failures: checkProperties(COMMAND_PROPERTIES, news) });
  }

  /** Compares values only: whether a value is secret is no change. An unknown value counts as changed. */
  async diff(_id: string, _urn: string, olds: PropertyMap, news: PropertyMap): Promise<DiffResult> {
    const before = plainMap(olds);
    const after = plainMap(news);
    const changed = Object.keys(COMMAND_PROPERTIES).filter(
      (key) => containsUnknown(after[key] ?? null) || !isDeepStrictEqual(before[key], after[key]),
    );
    return Promise.resolve({
      changes: changed.length > 0,
      replaces: changed.filter((key) => key === "triggers"),
    });
  }

  /** Runs `create`, if there is one. */
  async create(urn: string, inputs: PropertyMap): Promise<CreateResult> {
    requireCommand(urn);
    if (containsUnknown(inputs)) return { id: "", outs: unknownOutputs(inputs) };
    const { create } = asInputs(inputs);
    const output = await this.#runIf(create, "create command", urn, inputs);
    const id = `${parseUrn(urn).name}${randomBytes(8).toString("hex")}`;
    return { id, outs: outputsOf(inputs, output) };
  }

  /** Runs `update`, or else `create`; with neither, the outputs stay. */
  async update(
    _id: string,
    urn: string,
    olds: PropertyMap,
    news: PropertyMap,
  ): Promise<UpdateResult> {
    requireCommand(urn);
    if (containsUnknown(news)) return { outs: unknownOutputs(news) };
    const { update, create } = asInputs(news);
    const label = update === undefined ? "create command (as update)" : "update command";
    const output = await this.#runIf(update ?? create, label, urn, news, olds);
    const keptSecret = update === undefined && create === undefined && containsSecret(olds);
    return { outs: outputsOf(news, output, keptSecret) };
  }

  /** Runs the recorded `delete`, if there is one. */
  async delete(_id: string, urn: string, props: PropertyMap): Promise<void> {
    await this.#runIf(asInputs(props).delete, "delete command", urn, props, props);
  }

  /** Runs `command` at once, in a preview too: that is what the function is for. */
  async invoke(token: string, args: PropertyMap): Promise<InvokeResult> {
    if (token !== RUN) {
      throw new Error(`function ${token} is not offered by the lab's stand-in; ${RUN} is`);
    }
    const failures = checkProperties(RUN_PROPERTIES, args);
    if (failures.length > 0) return { outputs: {}, failures };
    if (containsUnknown(args)) return { outputs: unknownOutputs(args) };
    const output = await this.#runIf(asInputs(args).command, "command", "", args);
    return { outputs: outputsOf(args, output) };
  }

  /** Ends the running commands; resolves when none is left. */
  async cancel(): Promise<void> {
    await this.#runner.cancel(CANCEL_GRACE_MS);
  }

  async #runIf(
    command: string | undefined,
    label: string,
    urn: string,
    props: PropertyMap,
    state?: PropertyMap,
  ): Promise<CommandOutput> {
    const previous = state && previousOutput(state);
    if (command === undefined) return previous ?? { stdout: "", stderr: "" };
    const secrets = [props, state ?? {}].flatMap((map) => secretStrings(map));
    const run: CommandRun = { label, command, inputs: asInputs(props), secrets, urn };
    return this.#runner.run(previous === undefined ? run : { ...run, previous });
  }
}

function requireCommand(urn: string): void {
  const { type } = parseUrn(urn);
  if (type === COMMAND) return;
  throw new Error(`resource type ${type} is not offered by the lab's stand-in; ${COMMAND} is`);
}

/** The check has passed before, so the shapes hold. */
function asInputs(props: PropertyMap): CommandInputs {
  return plainMap(props);
}

function previousOutput(state: PropertyMap): CommandOutput {
  const { stdout, stderr } = plainMap(state);
  return {
    stdout: typeof stdout === "string" ? stdout : "",
    stderr: typeof stderr === "string" ? stderr : "",
  };
}

/** Inputs as given, and what was printed: secret if any input is, since the command may print what it was given. */
function outputsOf(inputs: PropertyMap, output: CommandOutput, secret = false): PropertyMap {
  const mark = secret || containsSecret(inputs) ? markSecret : (text: string) => text;
  return { ...inputs, stdout: mark(output.stdout), stderr: mark(output.stderr) };
}

function unknownOutputs(inputs: PropertyMap): PropertyMap {
  return { ...inputs, stdout: UNKNOWN, stderr: UNKNOWN };
}
