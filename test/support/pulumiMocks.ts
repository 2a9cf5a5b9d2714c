import * as pulumi from "@pulumi/pulumi";

/** A resource as the program registered it. */
export interface RecordedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** Inputs with secrets unwrapped. */
  readonly inputs: Record<string, unknown>;
  /** Names of the top-level inputs that were secret. */
  readonly secretInputs: readonly string[];
  /** URN of the parent; empty at the top. */
  readonly parent: string;
  /** Name of the explicit provider; empty when there is none. */
  readonly provider: string;
  /** URNs of the resources it waits for. */
  readonly dependencies: readonly string[];
  /** URN of the resource whose deletion deletes it; empty when there is none. */
  readonly deletedWith: string;
  readonly secretOutputs: readonly string[];
  readonly protect: boolean;
  /** How often a component registered its outputs. */
  outputsRegistered: number;
}

/** Outputs that a type of resource answers with, beside its inputs. */
export type MockOutputs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Answers of the resources of this program. */
export const programOutputs: MockOutputs = {
  "command:local:Command": { stdout: "the kubeconfig", stderr: "" },
  "random:index/randomBytes:RandomBytes": { base64: Buffer.alloc(64, 7).toString("base64") },
  "random:index/randomPassword:RandomPassword": { result: "the database password" },
  "kubernetes:helm.sh/v3:Release": { status: { revision: 3 } },
  "pulumi-nodejs:dynamic/rotation:AuthKeyRotation": { fingerprint: "aaaaaaaaaaaa", generation: 1 },
  "pulumi-nodejs:dynamic/rotation:JwtKey": { fingerprint: "bbbbbbbbbbbb", generation: 1 },
};

interface RegisterRequest {
  getParent(): string;
  getProvider(): string;
  getDependenciesList(): string[];
  getDeletedwith(): string;
  getProtect(): boolean;
  getAdditionalsecretoutputsList(): string[];
  getName(): string;
  getType(): string;
}

interface Monitor {
  registerResource(request: RegisterRequest, callback: unknown): Promise<void>;
  registerResourceOutputs(request: { getUrn(): string }, callback: unknown): void;
  newUrn(parent: string, type: string, name: string): string;
}

/** The SDK's mark of a secret in mocked inputs (@pulumi/pulumi runtime/rpc, specialSecretSig). */
const secretMark = "4dabf18193072939515e22adb298388d";

/** Runs index.ts anew: a module is evaluated once for each address. */
let runs = 0;
export const runProgram = (): Promise<object> =>
  import(`../../index.ts?run=${++runs}`) as Promise<object>;

/**
 * Runs a program against a recording engine, and returns what it registered, in order.
 * @param config configuration of the stack, keys with their namespace
 */
export async function recordProgram(
  program: () => unknown,
  config: Readonly<Record<string, string>> = {},
): Promise<RecordedResource[]> {
  const inputs = new Map<string, Record<string, unknown>>();
  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        inputs.set(`${args.type} ${args.name}`, args.inputs as Record<string, unknown>);
        const state = { ...(args.inputs as object), ...programOutputs[args.type] };
        return { id: `${args.name}-id`, state };
      },
      call: () => ({}),
    },
    "slinky-stack",
    "test",
    false,
  );
  pulumi.runtime.setAllConfig({ ...config });
  const monitor = pulumi.runtime.getMonitor() as unknown as Monitor;
  const recorded = spyOn(monitor, inputs);
  await program();
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  return recorded;
}

function spyOn(
  monitor: Monitor,
  inputs: ReadonlyMap<string, Record<string, unknown>>,
): RecordedResource[] {
  const recorded: RecordedResource[] = [];
  const register = monitor.registerResource.bind(monitor);
  const registerOutputs = monitor.registerResourceOutputs.bind(monitor);
  monitor.registerResource = async (request, callback) => {
    await register(request, callback);
    const given = inputs.get(`${request.getType()} ${request.getName()}`) ?? {};
    recorded.push({
      urn: monitor.newUrn(request.getParent(), request.getType(), request.getName()),
      type: request.getType(),
      name: request.getName(),
      custom: (request as unknown as { getCustom(): boolean }).getCustom(),
      inputs: reveal(given) as Record<string, unknown>,
      secretInputs: Object.keys(given).filter((name) => isSecret(given[name])),
      parent: request.getParent(),
      provider: request.getProvider().split("::")[3] ?? "",
      dependencies: request.getDependenciesList(),
      deletedWith: request.getDeletedwith(),
      secretOutputs: request.getAdditionalsecretoutputsList(),
      protect: request.getProtect(),
      outputsRegistered: 0,
    });
  };
  monitor.registerResourceOutputs = (request, callback) => {
    const resource = recorded.find(({ urn }) => urn === request.getUrn());
    if (resource) resource.outputsRegistered += 1;
    registerOutputs(request, callback);
  };
  return recorded;
}

/** The one resource of a type and name. */
export function resourceNamed(
  recorded: readonly RecordedResource[],
  type: string,
  name: string,
): RecordedResource {
  const found = recorded.filter((resource) => resource.type === type && resource.name === name);
  const [resource] = found;
  if (!resource || found.length !== 1) {
    const known = recorded.map((other) => `${other.type} ${other.name}`).join("\n  ");
    throw new Error(`${found.length} resources are ${type} ${name}; there are:\n  ${known}`);
  }
  return resource;
}

function isSecret(value: unknown): value is { value: unknown } {
  return typeof value === "object" && value !== null && secretMark in value;
}

function reveal(value: unknown): unknown {
  if (isSecret(value)) return reveal(value.value);
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, reveal(item)]));
}
