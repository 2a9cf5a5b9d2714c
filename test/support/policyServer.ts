import { strict as assert } from "node:assert";
import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as policyServer from "@pulumi/policy/server.js";
import * as pulumi from "@pulumi/pulumi";
import * as sdkOutput from "@pulumi/pulumi/output.js";
import analyzer from "@pulumi/pulumi/proto/analyzer_pb.js";
import * as sdkState from "@pulumi/pulumi/runtime/state.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";

/** A resource for a rule to judge. */
export interface PolicyInput {
  readonly type: string;
  readonly name?: string;
  /** Name of the stack; `prod` by default. */
  readonly stack?: string;
  /** Inputs as a program writes them: outputs, secrets and {@link unknown} anywhere. For a stack rule, outputs. */
  readonly props?: object;
  readonly protect?: boolean;
  readonly secretOutputs?: readonly string[];
  /** Inputs that stand for what it depends on. */
  readonly dependsOn?: readonly PolicyInput[];
}

/** What a rule said about a resource. */
export interface PolicyMessage {
  readonly urn: string;
  readonly text: string;
}

/** An output whose value a preview does not know. */
export const unknown: unknown = pulumi.output(
  (sdkOutput as unknown as { unknown: unknown }).unknown,
);

type Reply = (error: Error | null, response?: analyzer.AnalyzeResponse) => void;
type Handler = (call: { request: unknown }, reply: Reply) => Promise<void>;

/** The functions behind the pack server's calls: they read requests, make proxies and run rules, without a port. */
const { makeAnalyzeRpcFun, makeAnalyzeStackRpcFun } = policyServer as unknown as Record<
  "makeAnalyzeRpcFun" | "makeAnalyzeStackRpcFun",
  (pack: string, version: string, level: string, policies: readonly object[]) => Handler
>;

/** URN of an input. */
export function urnOf({ type, name = "unnamed", stack = "prod" }: PolicyInput): string {
  return `urn:pulumi:${stack}::project::${type}::${name}`;
}

/** Has the pack server ask a rule about a resource, as in a preview or an update. */
export async function judge(
  policy: ResourceValidationPolicy,
  input: PolicyInput,
): Promise<PolicyMessage[]> {
  return ask(makeAnalyzeRpcFun, policy, await toRequest(input), urnOf(input));
}

/** Has the pack server ask a rule about a stack. */
export async function judgeStack(
  policy: StackValidationPolicy,
  inputs: readonly PolicyInput[],
): Promise<PolicyMessage[]> {
  return ask(makeAnalyzeStackRpcFun, policy, await toStackRequest(inputs), "the stack");
}

/** The engine's question about a resource. */
export function toRequest(input: PolicyInput): Promise<analyzer.AnalyzeRequest> {
  return described(new analyzer.AnalyzeRequest(), input);
}

/** The engine's question about a stack. */
export async function toStackRequest(
  inputs: readonly PolicyInput[],
): Promise<analyzer.AnalyzeStackRequest> {
  const request = new analyzer.AnalyzeStackRequest();
  for (const input of inputs) {
    const resource = await described(new analyzer.AnalyzerResource(), input);
    resource.setDependenciesList((input.dependsOn ?? []).map(urnOf));
    request.addResources(resource);
  }
  return request;
}

/** A message with the resource in it; a question and a resource of a stack describe it alike. */
async function described<T extends analyzer.AnalyzeRequest | analyzer.AnalyzerResource>(
  message: T,
  input: PolicyInput,
): Promise<T> {
  message.setType(input.type);
  message.setName(input.name ?? "unnamed");
  message.setUrn(urnOf(input));
  message.setProperties(await toWire(input.props ?? {}));
  message.setOptions(toOptions(input));
  return message;
}

/** Options of a resource as the engine sends them. */
function toOptions(input: PolicyInput): analyzer.AnalyzerResourceOptions {
  const options = new analyzer.AnalyzerResourceOptions();
  options.setProtect(input.protect ?? false);
  options.setAdditionalsecretoutputsList([...(input.secretOutputs ?? [])]);
  return options;
}

/** Properties as the SDK sends them: outputs resolved, secrets wrapped, unknown values marked. */
async function toWire(props: object): Promise<struct.Struct> {
  const store = (sdkState as unknown as { getStore(): { supportsSecrets: boolean } }).getStore();
  const before = store.supportsSecrets;
  store.supportsSecrets = true;
  try {
    const wire = await pulumi.runtime.serializeProperties("test", { ...props });
    return struct.Struct.fromJavaScript(wire as Record<string, struct.JavaScriptValue>);
  } finally {
    store.supportsSecrets = before;
  }
}

/** Calls the server; a rule that fails, or gives up on an unknown value, fails the test. */
async function ask(
  makeHandler: (pack: string, version: string, level: string, policies: object[]) => Handler,
  policy: { readonly description: string },
  request: unknown,
  urn: string,
): Promise<PolicyMessage[]> {
  const handler = makeHandler("pack", "1.0.0", "mandatory", [policy]);
  const response = await new Promise<analyzer.AnalyzeResponse>((resolve, reject) => {
    void handler({ request }, (error, answer) =>
      answer ? resolve(answer) : reject(error ?? new Error("no answer")),
    );
  });
  return response.getDiagnosticsList().map((diagnostic) => {
    const [description, ...text] = diagnostic.getMessage().split("\n");
    assert.equal(description, policy.description, diagnostic.getMessage());
    return { urn: diagnostic.getUrn() || urn, text: text.join("\n") };
  });
}
