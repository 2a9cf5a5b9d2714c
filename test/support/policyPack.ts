import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { credentials } from "@grpc/grpc-js";
import type { EnforcementLevel } from "@pulumi/policy";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import { type PolicyInput, toRequest, toStackRequest, urnOf } from "./policyServer.ts";

const projectFolder = join(import.meta.dirname, "..", "..");

/** What the pack said: which rule, how strictly, about which resource. */
export interface PackMessage {
  readonly rule: string;
  readonly level: string;
  readonly urn: string;
  readonly text: string;
}

/** A rule as the pack announces it to the engine. */
export interface AnnouncedRule {
  readonly name: string;
  readonly level: string;
  /** Default of each parameter. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Settings of a rule in a policy configuration. */
export interface RuleSettings {
  readonly level: EnforcementLevel;
  readonly parameters?: Readonly<Record<string, struct.JavaScriptValue>>;
}

type Reply<T> = (error: Error | null, response: T) => void;

const levels = ["advisory", "mandatory", "disabled", "remediate"] as const;

/** The policy pack as the engine runs it: its own process, spoken to by the engine's protocol. */
export class PolicyPackProcess {
  readonly #child: ChildProcess;
  readonly #client: AnalyzerClient;

  constructor(child: ChildProcess, port: string) {
    this.#child = child;
    this.#client = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
  }

  /** Starts the pack in the program's folder. */
  static async start(): Promise<PolicyPackProcess> {
    const path = [join(projectFolder, "node_modules", ".bin"), process.env["PATH"]].join(delimiter);
    const child = spawn(join(projectFolder, "policy", "run-pack"), ["127.0.0.1:1"], {
      cwd: projectFolder,
      env: { ...process.env, PATH: path },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaints = "";
    child.stderr.on("data", (text: Buffer) => (complaints += text.toString()));
    const ended = once(child, "exit").then(() => {
      throw new Error(`the pack did not start: ${complaints}`);
    });
    const line = once(createInterface(child.stdout), "line") as Promise<[string]>;
    const [port] = await Promise.race([line, ended]);
    ended.catch(() => undefined);
    return new PolicyPackProcess(child, port);
  }

  async rules(): Promise<AnnouncedRule[]> {
    const info = await call<analyzer.AnalyzerInfo>((reply) =>
      this.#client.getAnalyzerInfo(new empty.Empty(), reply),
    );
    return info.getPoliciesList().map((policy) => {
      const schema = policy.getConfigschema()?.getProperties()?.toJavaScript() ?? {};
      const parameters = Object.entries(schema).map(([name, parameter]) => [
        name,
        (parameter as { default?: unknown }).default,
      ]);
      const level = levels[policy.getEnforcementlevel()] ?? "";
      return {
        name: policy.getName(),
        level,
        parameters: Object.fromEntries(parameters) as object,
      };
    }) as AnnouncedRule[];
  }

  /** Sets levels and parameters of rules, as `--policy-pack-config` does; the others are as announced. */
  async configure(settings: Readonly<Record<string, RuleSettings>>): Promise<void> {
    const request = new analyzer.ConfigureAnalyzerRequest();
    for (const [name, { level, parameters = {} }] of Object.entries(settings)) {
      const config = new analyzer.PolicyConfig();
      config.setEnforcementlevel(levels.indexOf(level));
      config.setProperties(struct.Struct.fromJavaScript({ ...parameters }));
      request.getPolicyconfigMap().set(name, config);
    }
    await call((reply) => this.#client.configure(request, reply));
  }

  async judge(input: PolicyInput): Promise<PackMessage[]> {
    const request = await toRequest(input);
    return messages(urnOf(input), (reply) => this.#client.analyze(request, reply));
  }

  async judgeStack(inputs: readonly PolicyInput[]): Promise<PackMessage[]> {
    const request = await toStackRequest(inputs);
    return messages("the stack", (reply) => this.#client.analyzeStack(request, reply));
  }

  async stop(): Promise<void> {
    this.#client.close();
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}

async function messages(
  urn: string,
  start: (reply: Reply<analyzer.AnalyzeResponse>) => unknown,
): Promise<PackMessage[]> {
  const response = await call(start);
  return response.getDiagnosticsList().map((diagnostic) => ({
    rule: diagnostic.getPolicyname(),
    level: levels[diagnostic.getEnforcementlevel()] ?? "",
    urn: diagnostic.getUrn() || urn,
    text: diagnostic.getMessage(),
  }));
}

function call<T>(start: (reply: Reply<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => (error ? reject(error) : resolve(response)));
  });
}
