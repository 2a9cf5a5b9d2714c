import type {
  EnforcementLevel,
  PolicyConfigSchema,
  PolicyResourceOptions,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";
import { known } from "./reading/known.ts";

/** A resource as rules see it. */
export interface SeenResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly options: PolicyResourceOptions;
  /**
   * Inputs in a rule on resources, outputs in one on stacks; secrets unwrapped, and {@link UNKNOWN} where a preview
   * does not know. Inputs are those that the provider has checked: for a Helm release with the values of its files.
   */
  readonly props: unknown;
}

/** A resource of a finished stack. */
export interface StackResource extends SeenResource {
  /** URNs of the resources it waits for. */
  readonly dependencies: readonly string[];
}

/** What a rule says. No part holds a value of the resource: policies see secrets in plain text. */
export interface Violation {
  /** Path of the field, or what else of the resource is meant. */
  readonly field: string;
  /** What is wrong with it; completes the sentence that the field begins. */
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** Tells a violation. */
export type Report = (violation: Violation) => void;

/** What a rule is called, and how strictly it holds. */
export interface RuleTitle {
  /** Kebab case; the key in a policy configuration. */
  readonly name: string;
  /** One sentence: what must be. */
  readonly description: string;
  readonly level: EnforcementLevel;
  /** Parameters that a policy configuration may set, with their defaults. */
  readonly parameters?: PolicyConfigSchema["properties"];
}

/** A rule is made with its level, so that a pack or a test chooses how strictly it holds. */
export type ResourceRule<Options = Record<never, never>> = (
  level: EnforcementLevel,
  options?: Partial<Options>,
) => ResourceValidationPolicy;

/** The same for a rule that needs the whole stack. */
export type StackRule<Options = Record<never, never>> = (
  level: EnforcementLevel,
  options?: Partial<Options>,
) => StackValidationPolicy;

/** What a policy configuration sets; undefined for what it leaves. */
export type Configured = Readonly<Record<string, unknown>>;

/** A rule that looks at one resource at a time, in previews and updates. */
export function resourceRule(
  title: RuleTitle,
  check: (resource: SeenResource, report: Report, configured: Configured) => void,
): ResourceValidationPolicy {
  return {
    ...toPolicy(title),
    validateResource: (args, reportViolation) => {
      const resource = seen(args);
      const report: Report = (violation) => reportViolation(toMessage(resource, violation));
      check(resource, report, args.getConfig<Configured>());
    },
  };
}

/** A rule that looks at all resources at the end of a preview or an update. */
export function stackRule(
  title: RuleTitle,
  check: (
    resources: readonly StackResource[],
    report: (resource: SeenResource, violation: Violation) => void,
    configured: Configured,
  ) => void,
): StackValidationPolicy {
  return {
    ...toPolicy(title),
    validateStack: (args, reportViolation) => {
      const resources = args.resources.map((resource) => {
        const dependencies = resource.dependencies.map(({ urn }) => urn);
        return Object.assign(seen(resource), { dependencies });
      });
      check(
        resources,
        (resource, violation) => reportViolation(toMessage(resource, violation), resource.urn),
        args.getConfig<Configured>(),
      );
    },
  };
}

function toPolicy({ name, description, level, parameters }: RuleTitle) {
  return {
    name,
    description,
    enforcementLevel: level,
    ...(parameters && { configSchema: { properties: parameters } }),
  };
}

/** Reads the properties at first use: most rules do not care for most resources. */
function seen(args: {
  type: string;
  name: string;
  urn: string;
  opts: PolicyResourceOptions;
  props: Record<string, unknown>;
}): SeenResource {
  const { type, name, urn, opts: options } = args;
  let props: unknown;
  return {
    ...{ type, name, urn, options },
    get props() {
      return (props ??= known(args.props));
    },
  };
}

function toMessage({ name }: SeenResource, { field, what, why, fix }: Violation): string {
  return `${name}: ${field} ${what}. Why: ${why}. Fix: ${fix}.`;
}
