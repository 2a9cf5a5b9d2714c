/**
 * What a Slurm node's state means for us. Total: every text maps to one class, and a token that is not known here
 * maps to `unknown`, which callers must treat as a reason to wait, never as permission.
 *
 * Sources: sinfo(1) "NODE STATE CODES", scontrol(1) `State=`, the `state` array of `scontrol show nodes --json`.
 */

/** What a caller may do with a node. `unavailable` covers everything that cannot take a job now. */
export type NodeClass = "ready" | "busy" | "drained" | "draining" | "unavailable" | "unknown";

/** The meaning of one state text. */
export interface NodeState {
  readonly class: NodeClass;
  /** Why the class is not `ready`, in a few words; empty for `ready`. */
  readonly cause: string;
  /** Jobs may still run there (allocated, mixed or completing), whatever the class says. */
  readonly hasJobs: boolean;
  /** The canonical facts behind the class: a base (`IDLE`) and flags (`DRAIN`), as `State=` spells them. */
  readonly facts: ReadonlySet<string>;
}

/** Compact base (the letters of `%t`) to the facts that `State=` would show. */
const COMPACT_BASES: Readonly<Record<string, readonly string[]>> = {
  idle: ["IDLE"],
  mix: ["MIXED"],
  alloc: ["ALLOCATED"],
  plnd: ["IDLE", "PLANNED"],
  comp: ["IDLE", "COMPLETING"],
  drng: ["ALLOCATED", "DRAIN"],
  drain: ["IDLE", "DRAIN"],
  down: ["DOWN"],
  inval: ["IDLE", "INVALID_REG"],
  unk: ["UNKNOWN"],
  futr: ["FUTURE"],
  boot: ["IDLE", "REBOOT_ISSUED"],
  block: ["IDLE", "BLOCKED"],
  fail: ["IDLE", "FAIL"],
  failg: ["ALLOCATED", "FAIL"],
  err: ["ERROR"],
  maint: ["IDLE", "MAINTENANCE"],
  resv: ["IDLE", "RESERVED"],
  pow_dn: ["IDLE", "POWERED_DOWN"],
  pow_up: ["IDLE", "POWERING_UP"],
};

/** The one mark that `%t` may append, to the flag it stands for. */
const COMPACT_MARKS: Readonly<Record<string, string>> = {
  "*": "NOT_RESPONDING",
  "~": "POWERED_DOWN",
  "#": "POWERING_UP",
  "%": "POWERING_DOWN",
  "!": "POWER_DOWN",
  "@": "REBOOT_REQUESTED",
  "^": "REBOOT_ISSUED",
  $: "MAINTENANCE",
  "-": "PLANNED",
  "+": "COMPLETING",
};

const FULL_BASES = new Set("IDLE MIXED ALLOCATED DOWN ERROR FUTURE UNKNOWN".split(" "));

/** Flags that keep a node from taking a job, in the order in which they are named as the cause. */
const BLOCKING_FLAGS: readonly (readonly [string, string])[] = [
  ["INVALID_REG", "registration"],
  ["NOT_RESPONDING", "not responding"],
  ["FAIL", "failing"],
  ["POWERED_DOWN", "powered down"],
  ["POWERING_DOWN", "powering down"],
  ["POWER_DOWN", "power down requested"],
  ["POWER_DRAIN", "power down requested"],
  ["POWERING_UP", "powering up"],
  ["POWER_UP", "powering up"],
  ["REBOOT_ISSUED", "rebooting"],
  ["REBOOT_REQUESTED", "reboot requested"],
];

/** Flags that keep user jobs off a healthy node; a drain outweighs them. */
const HOLDING_FLAGS: readonly (readonly [string, string])[] = [
  ["MAINTENANCE", "maintenance reservation"],
  ["RESERVED", "reserved"],
  ["BLOCKED", "blocked"],
  ["DYNAMIC_FUTURE", "not defined yet"],
];

/** Flags that say nothing about whether the node takes jobs. `UNDRAIN` is a request that clears `DRAIN`. */
const NEUTRAL_FLAGS = new Set(
  "DRAIN UNDRAIN COMPLETING PLANNED CLOUD DYNAMIC_NORM RESUME EXTERNAL REBOOT_CANCELED REBOOT_CANCEL".split(
    " ",
  ),
);

const KNOWN_FLAGS = new Set([
  ...NEUTRAL_FLAGS,
  ...BLOCKING_FLAGS.map(([flag]) => flag),
  ...HOLDING_FLAGS.map(([flag]) => flag),
]);

/**
 * Classifies a node state in any of Slurm's spellings: `%t` of sinfo (`idle*`, `alloc+`), `State=` of scontrol
 * (`IDLE+DRAIN`, also `IDLE*+DRAIN`) or the JSON array (`["IDLE", "DRAIN"]`).
 *
 * The spellings of one node give one class: `%t` hides DOWN behind DRAIN, so DOWN+DRAIN is `drained` here too (as in
 * the operator's own test); whoever needs more looks at `facts`, and at the JSON, since `%t` can show only one mark.
 */
export function classifyNodeState(state: string | readonly string[]): NodeState {
  const facts = typeof state === "string" ? factsOfText(state.trim()) : factsOfTokens(state);
  if (facts === undefined) {
    const shown = typeof state === "string" ? state : state.join("+");
    return {
      class: "unknown",
      cause: `unknown state "${shown}"`,
      hasJobs: false,
      facts: new Set(),
    };
  }
  return classOfFacts(facts);
}

function classOfFacts(facts: ReadonlySet<string>): NodeState {
  const hasJobs = facts.has("ALLOCATED") || facts.has("MIXED") || facts.has("COMPLETING");
  const answer = (nodeClass: NodeClass, cause: string): NodeState => ({
    class: nodeClass,
    cause,
    hasJobs,
    facts,
  });

  if (facts.has("UNKNOWN")) return answer("unknown", "state not known yet");
  if (facts.has("FUTURE")) return answer("unavailable", "not defined yet");
  const blocking = BLOCKING_FLAGS.find(([flag]) => facts.has(flag));
  if (blocking !== undefined) return answer("unavailable", blocking[1]);
  if (facts.has("DRAIN") && !facts.has("UNDRAIN")) {
    return hasJobs ? answer("draining", "drain") : answer("drained", "drain");
  }
  if (facts.has("DOWN")) return answer("unavailable", "down");
  if (facts.has("ERROR")) return answer("unavailable", "error");
  const holding = HOLDING_FLAGS.find(([flag]) => facts.has(flag));
  if (holding !== undefined) return answer("unavailable", holding[1]);
  return hasJobs ? answer("busy", "jobs") : answer("ready", "");
}

function factsOfText(text: string): ReadonlySet<string> | undefined {
  if (/^[A-Z_]+\*?(\+[A-Z_]+)*$/.test(text)) {
    const [base = "", ...flags] = text.split("+");
    return factsOfTokens(
      base.endsWith("*") ? [base.slice(0, -1), ...flags, "NOT_RESPONDING"] : [base, ...flags],
    );
  }
  const compact = /^([a-z_]+)([^a-z_]?)$/.exec(text);
  if (compact === null) return undefined;
  const [, letters = "", mark = ""] = compact;
  const base = COMPACT_BASES[letters];
  if (base === undefined) return undefined;
  if (mark === "") return new Set(base);
  const flag = COMPACT_MARKS[mark];
  return flag === undefined ? undefined : new Set([...base, flag]);
}

function factsOfTokens(tokens: readonly string[]): ReadonlySet<string> | undefined {
  const bases = tokens.filter((token) => FULL_BASES.has(token));
  const known = tokens.every((token) => FULL_BASES.has(token) || KNOWN_FLAGS.has(token));
  return known && bases.length === 1 ? new Set(tokens) : undefined;
}
