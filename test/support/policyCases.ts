import { strict as assert } from "node:assert";
import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import * as pulumi from "@pulumi/pulumi";
import { isContainer, replaced } from "./policyVariants.ts";
import {
  judge,
  judgeStack,
  type PolicyInput,
  type PolicyMessage,
  unknown,
} from "./policyServer.ts";

/** Situation => the fields that are told, in any order; none for what passes. */
export type PolicyCase = readonly [string, PolicyInput, readonly string[]];

/** The same for a stack: each field behind the name of its resource. */
export type StackCase = readonly [string, readonly PolicyInput[], readonly string[]];

/** Defines a test for each case, and the laws that every rule obeys, tried on all cases. */
export function itJudges(policy: ResourceValidationPolicy, cases: readonly PolicyCase[]): void {
  define(
    cases.map(([situation, input, fields]) => {
      const expected = fields.map((field) => `${input.name ?? "unnamed"}: ${field}`);
      return [situation, [input], expected];
    }),
    async ([input]) => (input ? judge(policy, input) : []),
  );
}

/** {@link itJudges} for a rule on stacks. */
export function itJudgesStacks(policy: StackValidationPolicy, cases: readonly StackCase[]): void {
  define(cases, (inputs) => judgeStack(policy, inputs));
}

type Ask = (inputs: readonly PolicyInput[]) => Promise<PolicyMessage[]>;

function define(cases: readonly StackCase[], ask: Ask): void {
  for (const [situation, inputs, fields] of cases) {
    it(situation, async () => {
      const messages = await ask(inputs);
      const told = messages.map(({ text }) => text).sort();
      assert.equal(told.length, fields.length, told.join("\n"));
      [...fields].sort().forEach((field, index) => {
        const text = told[index] ?? "";
        const isAbout = text.startsWith(field) && /^[ .,]/.test(text.slice(field.length));
        assert.ok(isAbout, `"${text}" is not about ${field}`);
        assert.match(told[index] ?? "", /^.+: .+\. Why: .+\. Fix: .+\.$/s);
      });
    });
  }

  it("a value anywhere unknown => told of less, never of more", async () => {
    for (const [situation, inputs] of cases) {
      const most = (await ask(inputs)).length;
      for (const less of variants(inputs, unknown)) {
        const told = await ask(less);
        assert.ok(told.length <= most, `${situation}: ${told.at(-1)?.text}`);
      }
    }
  });

  it("everything in nested outputs and secrets => the same", async () => {
    for (const [situation, inputs] of cases) {
      // An output around an unknown value is unknown as a whole.
      if (inputs.some(({ props }) => hasOutputs(props))) continue;
      const wrapped = inputs.map((input) => ({
        ...input,
        props: mapObject(input.props ?? {}, nested),
      }));
      assert.deepEqual(await ask(wrapped), await ask(inputs), situation);
    }
  });

  it("a field absent, null or of another type => an answer", async () => {
    for (const [, inputs] of cases) {
      for (const odd of [undefined, null, 7, "odd", ["odd"], { odd: "odd" }]) {
        for (const other of variants(inputs, odd)) await ask(other);
      }
    }
  });

  it("what is told => no value of the resource", async () => {
    for (const [, inputs] of cases) {
      const values = inputs.flatMap(({ props }) => [...texts(props)]);
      for (const { text } of await ask(inputs)) {
        for (const value of values) assert.ok(!text.includes(value), `"${text}" holds ${value}`);
      }
    }
  });
}

/** The inputs with one value after the other replaced. */
function* variants(inputs: readonly PolicyInput[], by: unknown): Generator<PolicyInput[]> {
  for (const [index, input] of inputs.entries()) {
    for (const props of replaced(input.props ?? {}, by)) {
      yield inputs.with(index, { ...input, props: props as object });
    }
  }
}

function nested(value: unknown): unknown {
  if (!isContainer(value)) return pulumi.secret(value);
  const inside = Array.isArray(value) ? value.map(nested) : mapObject(value, nested);
  return pulumi.output(Promise.resolve(inside));
}

function mapObject(value: object, change: (item: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

/** Texts that are long enough to be a secret or a name; the words of rules are shorter. */
function* texts(value: unknown): Generator<string> {
  if (typeof value === "string" && value.length >= 14) yield value;
  if (!isContainer(value)) return;
  for (const item of Object.values(value)) yield* texts(item);
}

function hasOutputs(value: unknown): boolean {
  if (pulumi.Output.isInstance(value)) return true;
  return isContainer(value) && Object.values(value).some(hasOutputs);
}
